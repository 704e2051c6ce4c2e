#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/common_options.hpp"
#include "support/engine.hpp"
#include "support/graph_report.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"
#include "support/search.hpp"
#include "tendril/host/engine.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "support/gpu_engine.hpp"
#endif

// An algorithm is run by one function, a template over the engine: run_with_engine() calls it with
// the engine that --engine comes to. What the engines do differently is in the pairs of functions
// below.

namespace tendril::app {

/// Places a graph, and notes in the report what that cost.
/// @param search_bytes  of the GPU's memory: results and work of the search to come, a member of
///                      cuda_memory or what computes them from it
/// @throws resource_error with needed and free bytes unless graph and search fit together
template <weight W, class Bytes>
[[nodiscard]] host_graph<W> place(host_engine& engine, const csr<W>& graph,
                                  const Bytes& /*search_bytes*/, graph_report& report) {
  report.threads = engine.threads();
  return engine.place(graph);
}

/// Runs a search several times, and notes the times in the report. @return the last result
template <class Run>
[[nodiscard]] auto timed_runs(host_engine& /*engine*/, int runs, graph_report& report,
                              const Run& run) {
  return repeat(runs, report.times, run);
}

/// Threads of the CPU that an engine runs on.
[[nodiscard]] inline int threads_of(const host_engine& engine) {
  return engine.threads();
}

/// The values of an engine's array, to be read here: borrowed from the CPU's, copied from a GPU's.
template <class T>
[[nodiscard]] std::span<const T> on_host(const host_array<T>& values) {
  return {values.data(), values.size()};
}

#if defined(TENDRIL_HAS_CUDA)

template <weight W, class Bytes>
[[nodiscard]] cuda_graph<W> place(cuda_engine& engine, const csr<W>& graph,
                                  const Bytes& search_bytes, graph_report& report) {
  graph_size size = size_of(graph);
  size.num_sources = report.sources.ids.size();
  const cuda_memory needed = cuda_engine_memory(size);
  cuda::require_memory(*engine.context().memory(),
                       needed.graph_bytes + needed.added_bytes + std::invoke(search_bytes, needed),
                       "GPU memory for the graph and the search");
  auto placed = engine.place(graph);
  report.gpu.emplace();
  report.gpu->copy_ms = placed.copy_ms();
  report.gpu->prepare_ms = placed.prepare_ms();
  return placed;
}

template <class Run>
[[nodiscard]] auto timed_runs(cuda_engine& engine, int runs, graph_report& report, const Run& run) {
  return repeat(runs, report.times, run, [&] {
    const driver_choice& choice = engine.last_driver();
    if (choice.used != cuda_driver::automatic) {  // the device had something to do
      report.gpu->kernels.ms.push_back(double{engine.device_ms()});
      report.gpu->driver = to_string(choice.used);
      report.gpu->driver_reason = choice.reason;
      report.gpu->schedule = choice.schedule;
      report.gpu->schedule_form = choice.form;
    }
  });
}

[[nodiscard]] inline int threads_of(const cuda_engine& /*engine*/) {
  return 0;
}

template <class T>
[[nodiscard]] std::vector<T> on_host(const cuda_array<T>& values) {
  return values.to_host();
}

#endif

/// Calls run(engine, facts) with the engine that the options come to, once the outputs are known to
/// be writable and no inputs; reading keeps to --threads, too.
/// @throws resource_error with the reason, where --engine cuda cannot be had; usage_error for
///         options of a GPU beside --engine host
template <class Run>
exit_status run_with_engine(const run_options& given, const std::vector<std::string>& inputs,
                            const Run& run) {
  check_outputs({given.json, given.out, given.plot}, inputs);
  const auto limit = limit_threads(given.common);
  refuse_impossible(given.engine);
  std::string reason;
#if defined(TENDRIL_HAS_CUDA)
  if (given.engine.engine != engine_choice::host) {
    opened_gpu gpu = open_gpu(given.engine);
    if (gpu.engine) {
      return run(*gpu.engine, engine_facts{"cuda", gpu.engine->device().name, ""});
    }
    reason = std::move(gpu.reason);
  }
#else
  reason = find_gpus().reason;
#endif
  const engine_facts facts = fall_back_to_host(given.engine.engine, reason);
  host_engine engine({.threads = given.common.threads});
  return run(engine, facts);
}

/// The same for a search, whose inputs are a graph and perhaps a list of sources.
template <class Run>
exit_status run_with_engine(const search_options& given, const Run& run) {
  return run_with_engine(given, {given.input.text, given.sources.list}, run);
}

}  // namespace tendril::app
