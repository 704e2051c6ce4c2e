// Trees that grow on a GPU:
//   expand/WAY/TREE[/block-nodes:N][/pool:N]: an iteration is one call of expand; the time is the
//   device's, by events around its kernels. call_ms is the host's for the same. WAY host: threads.
//   order/WAY/children:N: a kernel launches N small grids, and one that must see what they wrote:
//   behind them by a tail launch, by streams and events made on the device, or in one such stream.
// The size of each tree is checked against its formula. The context names the device, and the
// commit that the environment's TENDRIL_COMMIT names.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "gpu_main.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/expand.cuh"
#include "tendril/cuda/pending_launches.hpp"
#include "tendril/host/expand.hpp"

namespace {

using namespace tendril;

constexpr int num_runs = 21;

/// Complete trees, or those of the Fibonacci recurrence; a node counts its subtree.
struct counting_expander {
  struct node_type {
    std::uint32_t left;  ///< levels below, or the recurrence's argument
    std::uint32_t num_below;
  };
  std::uint32_t fanout;  ///< 0: Fibonacci

  template <class Sink>
  TENDRIL_HD void split(node_type& node, Sink& children) const {
    if (fanout == 0 && node.left >= 2) {
      children.add({node.left - 1, 0});
      children.add({node.left - 2, 0});
    }
    for (std::uint32_t i = 0; node.left > 0 && i < fanout; ++i) {
      children.add({node.left - 1, 0});
    }
  }
  TENDRIL_HD void reduce(node_type& node, const node_type* children, std::size_t count) const {
    node.num_below = 1;
    for (std::size_t i = 0; i < count; ++i) {
      node.num_below += children[i].num_below;
    }
  }
};

struct subject {
  std::string name;
  std::uint32_t fanout;
  std::uint32_t left;
  std::uint32_t num_roots;
  std::uint64_t num_nodes;  ///< by formula
};

const std::vector<subject> subjects = {
    {"binary:20", 2, 20, 1, 2097151},           // 2^21 - 1
    {"binary:10x4096", 2, 10, 4096, 8384512},   // 4096 (2^11 - 1)
    {"fanout:16:5", 16, 5, 1, 1118481},         // (16^6 - 1) / 15
    {"fanout:1000:2", 1000, 2, 1, 1001001},     // 1 + 1000 + 1000^2
    {"fibonacci:28", 0, 28, 1, 1028457},        // 2 F(29) - 1
    {"twigs:1000000", 2, 1, 1000000, 3000000},  // three nodes each
    {"chain:31", 1, 31, 1, 32},
    {"chain:3000", 1, 3000, 1, 3001},
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

std::vector<counting_expander::node_type> roots_of(const subject& s) {
  return std::vector<counting_expander::node_type>(s.num_roots, {s.left, 0});
}

void count_times(benchmark::State& state, const std::vector<double>& ms,
                 const std::vector<double>& call_ms, const subject& s) {
  state.counters["median_ms"] = median(ms);
  state.counters["least_ms"] = *std::min_element(ms.begin(), ms.end());
  state.counters["call_ms"] = median(call_ms);
  state.counters["nodes"] = static_cast<double>(s.num_nodes);
  state.counters["nodes_per_second"] = static_cast<double>(s.num_nodes) * 1000 / median(ms);
}

void expect_size(benchmark::State& state, const expand_report& report,
                 const std::vector<counting_expander::node_type>& grown, const subject& s) {
  if (report.num_nodes != s.num_nodes ||
      grown[0].num_below * std::uint64_t{s.num_roots} != s.num_nodes) {
    state.SkipWithError("the tree has not the size of its formula");
  }
}

double since_ms(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  return passed.count();
}

void run_gpu(benchmark::State& state, const subject& s, const cuda_expand_options& options,
             std::size_t pool) {
  if (pool != 0) {
    tendril::cuda::set_pending_launches(pool);
  }
  cuda_engine engine;
  const auto roots = roots_of(s);
  auto on_device = tendril::cuda::to_device(std::span(roots), engine.stream());
  std::vector<double> ms;
  std::vector<double> call_ms;
  cuda_expand_report report;
  const auto grow = [&] {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(on_device.data(), roots.data(), on_device.size_bytes(),
                                       cudaMemcpyHostToDevice, engine.stream()));
    engine.context().synchronize();
    const auto start = std::chrono::steady_clock::now();
    report = expand(engine, std::span(on_device.data(), on_device.size()),
                    counting_expander{s.fanout}, options);
    call_ms.push_back(since_ms(start));
    ms.push_back(engine.device_ms());
  };
  grow();
  ms.clear();
  call_ms.clear();
  for (auto iteration : state) {
    static_cast<void>(iteration);
    grow();
    state.SetIterationTime(ms.back() / 1000);
  }
  expect_size(state, report, tendril::cuda::to_host(on_device, engine.stream()), s);
  count_times(state, ms, call_ms, s);
  state.counters["child_grids"] = static_cast<double>(report.num_child_grids);
  state.counters["tail_launches"] = static_cast<double>(report.num_tail_launches);
  state.counters["refused"] = static_cast<double>(report.num_refused);
  state.counters["overflowed"] = static_cast<double>(report.num_overflowed);
  state.counters["host_launches"] = static_cast<double>(report.num_host_launches);
  state.counters["blocks"] = static_cast<double>(report.num_tasks);
}

void run_host(benchmark::State& state, const subject& s) {
  host_engine engine;
  std::vector<double> ms;
  expand_report report;
  std::vector<counting_expander::node_type> roots;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    roots = roots_of(s);
    const auto start = std::chrono::steady_clock::now();
    report = expand(engine, std::span(roots), counting_expander{s.fanout});
    ms.push_back(since_ms(start));
    state.SetIterationTime(ms.back() / 1000);
  }
  expect_size(state, report, roots, s);
  count_times(state, ms, ms, s);
  state.counters["threads"] = engine.threads();
}

// Order: children write a word each, and the last grid adds the words up.

__global__ void write_word(unsigned* words, unsigned i) {
  words[i] = i + 1;
}
__global__ void add_words(const unsigned* words, unsigned count, unsigned* sum) {
  *sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    *sum += words[i];
  }
}

__global__ void order_by_tail_launch(unsigned* words, unsigned count, unsigned* sum, int* error) {
  for (unsigned i = 0; i < count; ++i) {
    write_word<<<1, 1, 0, cudaStreamFireAndForget>>>(words, i);
    *error |= cudaGetLastError();
  }
  add_words<<<1, 1, 0, cudaStreamTailLaunch>>>(words, count, sum);
  *error |= cudaGetLastError();
}

__global__ void order_by_events(unsigned* words, unsigned count, unsigned* sum, int* error) {
  cudaStream_t last;
  *error |= cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking);
  for (unsigned i = 0; i < count; ++i) {
    cudaStream_t stream;
    cudaEvent_t event;
    *error |= cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    *error |= cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    write_word<<<1, 1, 0, stream>>>(words, i);
    *error |= cudaGetLastError();
    *error |= cudaEventRecord(event, stream);
    *error |= cudaStreamWaitEvent(last, event, 0);
    *error |= cudaEventDestroy(event);
    *error |= cudaStreamDestroy(stream);
  }
  add_words<<<1, 1, 0, last>>>(words, count, sum);
  *error |= cudaGetLastError();
  *error |= cudaStreamDestroy(last);
}

__global__ void order_by_one_stream(unsigned* words, unsigned count, unsigned* sum, int* error) {
  cudaStream_t stream;
  *error |= cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  for (unsigned i = 0; i < count; ++i) {
    write_word<<<1, 1, 0, stream>>>(words, i);
    *error |= cudaGetLastError();
  }
  add_words<<<1, 1, 0, stream>>>(words, count, sum);
  *error |= cudaGetLastError();
  *error |= cudaStreamDestroy(stream);
}

using order_kernel = void (*)(unsigned*, unsigned, unsigned*, int*);

void run_order(benchmark::State& state, order_kernel kernel, unsigned num_children) {
  cuda_engine engine;
  auto words = engine.array(num_children, 0U);
  auto sum = engine.array(1, 0U);
  auto error = engine.array(1, 0);
  const tendril::cuda::event before;
  const tendril::cuda::event after;
  std::vector<double> us;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    before.record(engine.stream());
    kernel<<<1, 1, 0, engine.stream()>>>(words.data(), num_children, sum.data(), error.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    after.record(engine.stream());
    us.push_back(tendril::cuda::elapsed_ms(before, after) * 1000);
    state.SetIterationTime(us.back() / 1e6);
  }
  if (error.to_host()[0] != 0 || sum.to_host()[0] != num_children * (num_children + 1) / 2) {
    state.SkipWithError("a child was not seen");
  }
  state.counters["median_us"] = median(us);
}

template <class Body>
void add(const std::string& name, const Body& body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body](benchmark::State& state) {
                                 const std::size_t usual = tendril::cuda::pending_launches();
                                 try {
                                   body(state);
                                 } catch (const tendril::error& e) {
                                   state.SkipWithError(e.what());
                                 }
                                 tendril::cuda::set_pending_launches(usual);
                               })
      ->Iterations(num_runs)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void add_gpu(const subject& s, const cuda_expand_options& options, std::size_t pool = 0) {
  std::string name = "expand/" + std::string(to_string(options.way)) + "/" + s.name;
  if (options.tuning.block_nodes != 0) {
    name += "/block-nodes:" + std::to_string(options.tuning.block_nodes);
  }
  if (pool != 0) {
    name += "/pool:" + std::to_string(pool);
  }
  add(name, [=](benchmark::State& state) { run_gpu(state, s, options, pool); });
}

void register_all() {
  cuda_expand_options child_grid;
  cuda_expand_options level;
  level.way = expand_way::level;
  for (const subject& s : subjects) {
    add_gpu(s, child_grid);
    add_gpu(s, level);
    add("expand/host/" + s.name, [=](benchmark::State& state) { run_host(state, s); });
  }
  for (const std::size_t pool : {64, 2048, 32768}) {
    add_gpu(subjects[0], child_grid, pool);
    cuda_expand_options crumbs;  // a child grid for every few nodes
    crumbs.tuning.block_nodes = 64;
    add_gpu(subjects[0], crumbs, pool);
  }
  for (const unsigned children : {8U, 64U, 512U}) {
    const auto add_order = [=](const std::string& way, order_kernel kernel) {
      add("order/" + way + "/children:" + std::to_string(children),
          [=](benchmark::State& state) { run_order(state, kernel, children); });
    };
    add_order("tail-launch", order_by_tail_launch);
    add_order("streams-and-events", order_by_events);
    add_order("one-stream", order_by_one_stream);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_gpu(argc, argv, register_all);
}
