// Many searches on the host engine:
//   query/host/single/GRAPH/SOURCES  one after another, each by all threads
//   query/host/lanes/GRAPH/SOURCES   together, a bit each
//   query/host/depths/GRAPH/SOURCES  the same, with full depths
//   query/host/auto/GRAPH/SOURCES    as the first levels of one query suggest
// queries_per_second counts sources. How many vertices 16 of them reach is checked once for each
// row against single searches, outside the timed loop.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "named_graph.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/host/reach.hpp"

namespace {

using namespace tendril;
using bench::graph_named;

/// Random vertices with edges, the same for every row.
std::vector<vertex_id> sources_of(const csr<>& graph, std::size_t count) {
  std::mt19937 random(27'491'095);
  std::vector<vertex_id> sources;
  while (sources.size() < count) {
    const auto v = static_cast<vertex_id>(random() % graph.num_vertices());
    if (graph.view().degree(v) > 0) {
      sources.push_back(v);
    }
  }
  return sources;
}

/// Searches from each source apart, one after another. @return vertices reached, all together
std::uint64_t search_singly(host_engine& engine, const host_graph<>& graph,
                            const std::vector<vertex_id>& sources) {
  std::uint64_t reached = 0;
  for (const vertex_id source : sources) {
    reached += bfs(engine, graph, {source}).report.entered;
  }
  return reached;
}

std::uint64_t total_reached(const reach_result& result) {
  std::uint64_t reached = 0;
  for (const reach_summary& query : result.queries) {
    reached += query.reached;
  }
  return reached;
}

enum class ways { single, lanes, depths, chosen };

std::uint64_t reached_by(ways way, host_engine& engine, const host_graph<>& graph,
                         const std::vector<vertex_id>& sources) {
  switch (way) {
    case ways::single:
      return search_singly(engine, graph, sources);
    case ways::lanes:
      return total_reached(reach(engine, graph, sources, {.way = reach_way::batch}));
    case ways::chosen:
      return total_reached(reach(engine, graph, sources));
    case ways::depths:
      break;
  }
  const auto batch = bfs_batch(engine, graph, sources);
  std::uint64_t reached = 0;
  for (std::size_t query = 0; query < sources.size(); ++query) {
    const auto depths = batch.to_host(query);
    reached += depths.size() -
               static_cast<std::size_t>(std::count(depths.begin(), depths.end(), unreached));
  }
  return reached;
}

void row(benchmark::State& state, const std::string& text, std::size_t count, ways way) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources = sources_of(graph, count);
  host_engine engine;
  const auto placed = engine.place(graph);
  const std::vector<vertex_id> some(
      sources.begin(),
      sources.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(count, 16)));
  if (reached_by(way, engine, placed, some) != search_singly(engine, placed, some)) {
    state.SkipWithError("the row's way and single searches disagree");
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    switch (way) {
      case ways::single:
        benchmark::DoNotOptimize(search_singly(engine, placed, sources));
        break;
      case ways::lanes:
        benchmark::DoNotOptimize(
            reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true}));
        break;
      case ways::chosen:
        benchmark::DoNotOptimize(reach(engine, placed, sources, {.histograms = true}));
        break;
      case ways::depths:
        benchmark::DoNotOptimize(bfs_batch(engine, placed, sources));
        break;
    }
  }
  state.counters["queries_per_second"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["threads"] = engine.threads();
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string text : {"rmat:18:16", "grid:512x512:30"}) {
    for (const std::size_t count : {std::size_t{64}, std::size_t{512}}) {
      for (const auto& [name, way] : {std::pair{"single", ways::single},
                                      {"lanes", ways::lanes},
                                      {"depths", ways::depths},
                                      {"auto", ways::chosen}}) {
        const std::string full =
            "query/host/" + std::string(name) + "/" + text + "/" + std::to_string(count);
        benchmark::RegisterBenchmark(full.c_str(), row, text, count, way)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
