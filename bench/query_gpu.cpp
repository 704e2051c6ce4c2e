// Many searches on a GPU:
//   query/cuda/single/GRAPH/SOURCES  one after another, depths and parents
//   query/cuda/batch/GRAPH/SOURCES   together, a bit each: reached counts and depth histograms
//   query/cuda/depths/GRAPH/SOURCES  the same, with full depths
//   query/cuda/blocks/GRAPH/SOURCES  side by side, a block each, in one launch
//   query/cuda/pool/GRAPH/SOURCES    submitted one by one to a pool
//   query/cuda/urgent/GRAPH/SOURCES  how long an urgent query waits for its start in such a pool
// Times are whole calls by the host clock. queries_per_second counts sources. Some answers of every
// graph are checked against single searches before its rows are timed.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu_main.hpp"
#include "pool_gpu.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/cuda/reach.hpp"
#include "tendril/graph/generate.hpp"

namespace {

using namespace tendril;

/// A graph on the GPU; only the last one asked for is kept, they are large.
struct bench_graph {
  std::string name;
  csr<> graph;
  cuda_engine engine;
  cuda_graph<> placed;
  std::vector<vertex_id> sources;  ///< random vertices with edges
  std::string wrong;               ///< what a check found

  bench_graph(const std::string& text, std::size_t most_sources)
      : name(text), graph(generate(text)), placed(engine.place(graph)) {
    std::mt19937 random(27'491'095);
    while (sources.size() < most_sources) {
      const auto v = static_cast<vertex_id>(random() % graph.num_vertices());
      if (graph.view().degree(v) > 0) {
        sources.push_back(v);
      }
    }
    check();
  }

  void check() {
    const std::vector<vertex_id> some(sources.begin(), sources.begin() + 8);
    for (const reach_way way : {reach_way::batch, reach_way::blocks}) {
      const auto found = reach(engine, placed, some, {.way = way});
      for (std::size_t i = 0; i < some.size(); ++i) {
        const auto single = bfs(engine, placed, {some[i]}).report;
        if (single.entered != found.queries[i].reached ||
            single.levels.size() != static_cast<std::size_t>(found.queries[i].depth) + 1) {
          wrong = std::string(to_string(way)) + " and single searches disagree";
        }
      }
    }
  }
};

bench_graph& graph_named(const std::string& text) {
  static std::unique_ptr<bench_graph> held;
  if (held == nullptr || held->name != text) {
    held.reset();
    held = std::make_unique<bench_graph>(text, 1024);
  }
  return *held;
}

/// The first of a graph's sources.
std::vector<vertex_id> some_sources(const bench_graph& graph, std::size_t count) {
  return {graph.sources.begin(), graph.sources.begin() + static_cast<std::ptrdiff_t>(count)};
}

enum class ways { single, batch, depths, blocks };

void run(bench_graph& graph, const std::vector<vertex_id>& sources, ways way) {
  switch (way) {
    case ways::single:
      for (const vertex_id source : sources) {
        benchmark::DoNotOptimize(bfs(graph.engine, graph.placed, {source}).report.entered);
      }
      return;
    case ways::batch:
      benchmark::DoNotOptimize(reach(graph.engine, graph.placed, sources,
                                     {.way = reach_way::batch, .histograms = true}));
      return;
    case ways::depths:
      for (std::size_t first = 0; first < sources.size(); first += most_lanes) {
        const auto batch =
            std::span(sources).subspan(first, std::min(most_lanes, sources.size() - first));
        benchmark::DoNotOptimize(bfs_batch(graph.engine, graph.placed, batch).view());
      }
      return;
    case ways::blocks:
      benchmark::DoNotOptimize(
          reach(graph.engine, graph.placed, sources, {.way = reach_way::blocks}));
      return;
  }
}

void row(benchmark::State& state, const std::string& text, std::size_t count, ways way) {
  bench_graph& graph = graph_named(text);
  if (!graph.wrong.empty()) {
    state.SkipWithError(graph.wrong.c_str());
    return;
  }
  const std::vector<vertex_id> sources = some_sources(graph, count);
  run(graph, sources, way);
  std::vector<double> ms;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    const auto begin = std::chrono::steady_clock::now();
    run(graph, sources, way);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(passed.count());
    ms.push_back(passed.count() * 1000);
  }
  std::sort(ms.begin(), ms.end());
  state.counters["median_ms"] = ms[ms.size() / 2];
  state.counters["queries_per_second"] = static_cast<double>(count) * 1000 / ms[ms.size() / 2];
}

void pool_row(benchmark::State& state, const std::string& text, std::size_t count) {
  bench_graph& graph = graph_named(text);
  const auto repetitions = static_cast<std::size_t>(state.max_iterations);
  std::vector<double> seconds = bench::pool_seconds(
      graph.engine, graph.placed, some_sources(graph, count), repetitions, graph.wrong);
  if (!graph.wrong.empty()) {
    state.SkipWithError(graph.wrong.c_str());
    return;
  }
  std::size_t i = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.SetIterationTime(seconds[i++]);
  }
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  state.counters["median_ms"] = median * 1000;
  state.counters["queries_per_second"] = static_cast<double>(count) / median;
}

void urgent_row(benchmark::State& state, const std::string& text, std::size_t count) {
  bench_graph& graph = graph_named(text);
  const auto asked = static_cast<std::size_t>(state.max_iterations);
  bench::urgent_waits waits =
      bench::urgent_among(graph.engine, graph.placed, some_sources(graph, count), asked);
  std::size_t i = 0;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    state.SetIterationTime(waits.us[i++] * 1e-6);
  }
  std::sort(waits.us.begin(), waits.us.end());
  state.SetLabel(waits.way);
  state.counters["median_us"] = waits.us[waits.us.size() / 2];
  state.counters["longest_us"] = waits.us.back();
}

struct planned {
  const char* graph;
  std::size_t sources;
  const char* name;
  ways way;
  int iterations;
};

constexpr planned rows[] = {
    {"rmat:20:16", 64, "single", ways::single, 3},
    {"rmat:20:16", 64, "batch", ways::batch, 20},
    {"rmat:20:16", 512, "batch", ways::batch, 20},
    {"rmat:20:16", 1024, "batch", ways::batch, 20},
    {"rmat:20:16", 1024, "depths", ways::depths, 20},
    {"rmat:22:16", 1024, "batch", ways::batch, 10},
    {"grid:1024x1024:30", 1, "single", ways::single, 10},
    {"grid:1024x1024:30", 1, "blocks", ways::blocks, 20},
    {"grid:1024x1024:30", 64, "blocks", ways::blocks, 20},
    {"grid:1024x1024:30", 128, "blocks", ways::blocks, 20},
    {"grid:1024x1024:30", 512, "blocks", ways::blocks, 10},
    {"grid:1024x1024:30", 64, "batch", ways::batch, 3},
    {"grid:1024x1024:30", 512, "batch", ways::batch, 3},
};

void register_all() {
  for (const planned& each : rows) {
    const std::string name = "query/cuda/" + std::string(each.name) + "/" + each.graph + "/" +
                             std::to_string(each.sources);
    benchmark::RegisterBenchmark(name.c_str(), row, each.graph, each.sources, each.way)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(each.iterations);
  }
  for (const char* graph : {"grid:1024x1024:30", "rmat:20:16"}) {
    const std::string text = graph;
    benchmark::RegisterBenchmark(("query/cuda/pool/" + text + "/1024").c_str(), pool_row, text,
                                 1024)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime()
        ->Iterations(5);
    benchmark::RegisterBenchmark(("query/cuda/urgent/" + text + "/500").c_str(), urgent_row, text,
                                 500)
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime()
        ->Iterations(40);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_gpu(argc, argv, register_all);
}
