// Breadth-first search and components on the host engine, and Boost.Graph's search as the baseline:
//   bfs/host/GRAPH/DIRECTION, bfs/boost/GRAPH and components/host/GRAPH. edges_per_second counts
// the stored edges of the vertices that were reached. Every row of the host engine is checked once,
// outside the timed loop.

#include <benchmark/benchmark.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "named_graph.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/components.hpp"
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

/// Times run(), which looks at that many stored edges, unless something is wrong with what it
/// gives.
template <class Run>
void measure(benchmark::State& state, const std::optional<std::string>& wrong, edge_offset edges,
             const Run& run) {
  if (wrong) {
    state.SkipWithError(wrong->c_str());
    return;
  }
  for (auto iteration : state) {
    static_cast<void>(iteration);
    benchmark::DoNotOptimize(run());
  }
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
  measure(state, oracle::certify_bfs(graph, sources, depth, checked.parent.to_host()),
          reached_edges(graph, depth), [&] { return bfs(engine, placed, sources, {.way = way}); });
  state.counters["threads"] = engine.threads();
}

void boost_row(benchmark::State& state, const std::string& text) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources{source_of(graph)};
  measure(state, std::nullopt, reached_edges(graph, oracle::bfs_depths(graph, sources)),
          [&] { return oracle::bfs_depths(graph, sources); });
}

/// Of what labels the vertices of a whole graph: solve(engine, graph).
template <class Solve, class Compare>
void label_row(benchmark::State& state, const std::string& text, const Solve& solve,
               const Compare& compare) {
  const csr<>& graph = graph_named(text);
  host_engine engine;
  const auto placed = engine.place(graph);
  measure(state, compare(graph, solve(engine, placed).label.to_host()), graph.num_edges(),
          [&] { return solve(engine, placed); });
}

template <class... Arguments>
void add(const std::string& name, const Arguments&... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), arguments...)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string text : {"rmat:20:16", "urand:20:16", "grid:2048x2048:30"}) {
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      // Each of the grid's 3000 levels would be a pull over four million vertices.
      if (way == direction::pull && text.starts_with("grid")) {
        continue;
      }
      add("bfs/host/" + text + "/" + std::string(to_string(way)), host_row, text, way);
    }
    add("bfs/boost/" + text, boost_row, text);
    add("components/host/" + text, [text](benchmark::State& state) {
      label_row(
          state, text, [](auto& engine, const auto& graph) { return components(engine, graph); },
          oracle::compare_components);
    });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
