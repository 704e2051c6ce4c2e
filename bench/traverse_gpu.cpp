// Breadth-first search and shortest distances on a GPU:
//   GRAPH/depths, GRAPH/depths-and-parents, GRAPH/distances: an iteration is a search from the next
//   of 16 seeded sources in the largest component. The time is the device's, by events: filling the
//   results, and the kernels. call_ms is the host's for the same.
// Answers of one source are compared with the host engine's, outside the timing.
// The context names the device, and the commit that the environment's TENDRIL_COMMIT names.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "depths_gpu.hpp"
#include "gpu_main.hpp"
#include "last_made.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/sssp.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/context.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/engine.hpp"

namespace {

using namespace tendril;

constexpr int num_sources = 16;

template <class T>
T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + num_sources / 2, values.end());
  return values[num_sources / 2];
}

/// A graph with sources in its largest component, and the host's depths from the first.
struct subject {
  explicit subject(const std::string& text) : graph(generate(text)) {
    std::mt19937_64 random(20260101);
    host_engine host;
    const auto placed = host.place(graph);
    const vertex_id n = graph.num_vertices();
    vertex_id with_edges = 0;
    for (vertex_id v = 0; v < n; ++v) {
      with_edges += graph.view().degree(v) != 0 ? 1U : 0U;
    }
    for (std::uint64_t reached = 0; reached <= with_edges / 2;) {
      const auto found = bfs(host, placed, {static_cast<vertex_id>(random() % n)});
      reached = found.report.entered;
      depth = found.depth.to_host();
    }
    while (sources.size() < num_sources) {
      const auto v = static_cast<vertex_id>(random() % n);
      if (depth[v] != unreached) {
        sources.push_back(v);
      }
    }
    depth = bfs(host, placed, {sources.front()}).depth.to_host();
  }
  csr<> graph;
  std::vector<vertex_id> sources;
  std::vector<std::int32_t> depth;
};

/// Depths of the search from the first source are the host's.
template <class Depths>
void check_depths(benchmark::State& state, const Depths& depth, const subject& s) {
  if (depth.to_host() != s.depth) {
    state.SkipWithError("depths differ from the host engine's");
  }
}

/// Times `search` from each source. @param fill  the results
void measure(benchmark::State& state, cuda_engine& engine, const std::vector<vertex_id>& sources,
             const std::function<void()>& fill,
             const std::function<traverse_report(vertex_id)>& search) {
  const tendril::cuda::event before;
  const tendril::cuda::event after;
  std::vector<double> kernel_ms;
  std::vector<double> call_ms;
  std::vector<double> level_us;
  std::vector<double> edges_per_second;
  fill();
  search(sources[0]);
  std::size_t next = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    engine.context().synchronize();
    const auto start = std::chrono::steady_clock::now();
    before.record(engine.stream());
    fill();
    after.record(engine.stream());
    const traverse_report report = search(sources[next++ % sources.size()]);
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start;
    const double ms = tendril::cuda::elapsed_ms(before, after) + engine.device_ms();
    state.SetIterationTime(ms / 1000);
    kernel_ms.push_back(ms);
    call_ms.push_back(passed.count());
    level_us.push_back(ms * 1000 / static_cast<double>(report.levels.size()));
    edges_per_second.push_back(static_cast<double>(report.edges_traversed()) * 1000 / ms);
  }
  state.counters["median_ms"] = median(kernel_ms);
  state.counters["least_ms"] = *std::min_element(kernel_ms.begin(), kernel_ms.end());
  state.counters["call_ms"] = median(call_ms);
  state.counters["us_per_level"] = median(level_us);
  state.counters["adjacency_entries_per_second"] = median(edges_per_second);
}

void count_placing(benchmark::State& state, const cuda_graph<>& placed, const cuda_engine& engine,
                   bool reads_edges) {
  state.counters["copy_ms"] = placed.copy_ms();
  state.counters["prepare_ms"] = placed.prepare_ms();
  state.counters["row_bytes"] = static_cast<double>(placed.row_bytes());
  state.counters["added_bytes"] = static_cast<double>(placed.added_bytes());
  state.counters["working_bytes"] = static_cast<double>(engine.working_bytes(placed, reads_edges));
}

void run_depths(benchmark::State& state, const std::string& text, const cuda_options& options) {
  const subject& s = bench::last_made<subject>(text);
  dynamic_cuda_engine engine(options);
  const auto placed = engine.place(s.graph);
  auto depth = engine.array(s.graph.num_vertices(), unreached);
  const auto fill = [&] {
    tendril::cuda::fill_device(depth.data(), &unreached, sizeof unreached, depth.size(),
                               engine.stream());
  };
  const auto search = [&](vertex_id source) {
    return bench::search_depths(engine, placed, source, depth.data());
  };
  measure(state, engine, s.sources, fill, search);
  fill();
  search(s.sources.front());
  check_depths(state, depth, s);
  count_placing(state, placed, engine, false);
}

void run_parents(benchmark::State& state, const std::string& text, const cuda_options& options) {
  const subject& s = bench::last_made<subject>(text);
  dynamic_cuda_engine engine(options);
  const auto placed = engine.place(s.graph);
  auto depth = engine.array(s.graph.num_vertices(), unreached);
  auto parent = engine.array(s.graph.num_vertices(), no_vertex);
  const auto fill = [&] {
    tendril::cuda::fill_device(depth.data(), &unreached, sizeof unreached, depth.size(),
                               engine.stream());
    tendril::cuda::fill_device(parent.data(), &no_vertex, sizeof no_vertex, parent.size(),
                               engine.stream());
  };
  const auto search = [&](vertex_id source) {
    return traverse(engine, placed, {source}, depth_and_parent{depth.data(), parent.data()});
  };
  measure(state, engine, s.sources, fill, search);
  fill();
  search(s.sources.front());
  check_depths(state, depth, s);
  count_placing(state, placed, engine, true);
}

void run_distances(benchmark::State& state, const std::string& text, const cuda_options& options) {
  const subject& s = bench::last_made<subject>(text);
  const auto graph = generate<float>(text);
  dynamic_cuda_engine engine(options);
  const auto placed = engine.place(graph);
  auto distance = engine.array(graph.num_vertices(), infinite_distance<float>);
  measure(
      state, engine, s.sources,
      [&] {
        tendril::cuda::fill_device(distance.data(), &infinite_distance<float>, sizeof(float),
                                   distance.size(), engine.stream());
      },
      [&](vertex_id source) {
        return traverse(engine, placed, {source}, cheapest<float>{distance.data()});
      });
  const std::vector<vertex_id> last{s.sources[num_sources - 1]};
  host_engine host;
  if (distance.to_host() != sssp(host, host.place(graph), last).distance.to_host()) {
    state.SkipWithError("distances differ from the host engine's");
  }
}

void add(const std::string& name, const cuda_options& options,
         void (*body)(benchmark::State&, const std::string&, const cuda_options&),
         const std::string& graph) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 try {
                                   body(state, graph, options);
                                 } catch (const tendril::error& e) {
                                   state.SkipWithError(e.what());
                                 }
                               })
      ->Iterations(num_sources)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// Depths of one graph by every driver and schedule.
void add_drivers(const std::string& graph) {
  for (const cuda_driver driver : {cuda_driver::stepped, cuda_driver::chained}) {
    for (const schedule::any_way& way :
         std::initializer_list<schedule::any_way>{schedule::per_block{}, schedule::fixed_grid{},
                                                  schedule::ticket{}, schedule::launch_control{}}) {
      cuda_options options;
      options.driver = driver;
      options.schedule = way;
      add(graph + "/depths/" + std::string(to_string(driver)) + '/' + describe(way), options,
          run_depths, graph);
    }
  }
}

void register_all() {
  for (const char* graph : {"rmat:22:16", "rmat:24:16", "urand:24:16", "grid:2048x2048:30",
                            "path:1000000", "star:10000000", "tree:20:2"}) {
    add(std::string(graph) + "/depths", {}, run_depths, graph);
    add(std::string(graph) + "/depths-and-parents", {}, run_parents, graph);
    if (std::string(graph) == "rmat:24:16") {
      add_drivers(graph);
    }
  }
  for (const char* graph : {"rmat:22:16", "grid:1024x1024:30"}) {
    add(std::string(graph) + "/distances", {}, run_distances, graph);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_gpu(argc, argv, register_all);
}
