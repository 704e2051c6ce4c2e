// Breadth-first search on the host engine, and Boost.Graph's as the baseline:
//   bfs/host/GRAPH/DIRECTION and bfs/boost/GRAPH. edges_per_second counts the stored edges of the
// vertices that were reached. Every row is checked once, outside the timed loop.

#include <benchmark/benchmark.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "named_graph.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using bench::graph_named;

/// The first vertex of the middle of the range that has edges: the same for every row.
vertex_id source_of(const csr<>& graph) {
  vertex_id source = graph.num_vertices() / 2;
  while (graph.view().degree(source) == 0) {
    ++source;
  }
  return source;
}

edge_offset reached_edges(const csr<>& graph, std::span<const std::int32_t> depth) {
  edge_offset edges = 0;
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    edges += depth[v] == unreached ? 0 : graph.view().degree(v);
  }
  return edges;
}

void count_edges(benchmark::State& state, edge_offset edges) {
  state.counters["edges_per_second"] =
      benchmark::Counter(static_cast<double>(edges), benchmark::Counter::kIsIterationInvariantRate);
}

void host_row(benchmark::State& state, const std::string& text, direction way) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources{source_of(graph)};
  host_engine engine;
  const auto placed = engine.place(graph);
  const auto checked = bfs(engine, placed, sources, {.way = way});
  const auto depth = checked.depth.to_host();
  if (const auto wrong = oracle::certify_bfs(graph, sources, depth, checked.parent.to_host())) {
    state.SkipWithError(wrong->c_str());
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    benchmark::DoNotOptimize(bfs(engine, placed, sources, {.way = way}));
  }
  count_edges(state, reached_edges(graph, depth));
  state.counters["threads"] = engine.threads();
}

void boost_row(benchmark::State& state, const std::string& text) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources{source_of(graph)};
  for (auto iteration : state) {
    static_cast<void>(iteration);
    benchmark::DoNotOptimize(oracle::bfs_depths(graph, sources));
  }
  count_edges(state, reached_edges(graph, oracle::bfs_depths(graph, sources)));
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string text : {"rmat:20:16", "urand:20:16", "grid:2048x2048:30"}) {
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      // Each of the grid's 3000 levels would be a pull over four million vertices.
      if (way == direction::pull && text.starts_with("grid")) {
        continue;
      }
      const std::string name = "bfs/host/" + text + "/" + std::string(to_string(way));
      benchmark::RegisterBenchmark(name.c_str(), host_row, text, way)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
    benchmark::RegisterBenchmark(("bfs/boost/" + text).c_str(), boost_row, text)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
