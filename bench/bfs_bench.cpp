// Searches and what labels vertices on the host engine, ALGORITHM/host/GRAPH, of bfs with a
// direction, and Boost.Graph's search as the baseline, bfs/boost/GRAPH. edges_per_second counts the
// stored edges of the vertices that were expanded. Every row of the host engine is checked once,
// outside the timed loop.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "named_graph.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/components.hpp"
#include "tendril/algorithms/voronoi.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using bench::graph_named;

/// As many sources, spread over the range: from each place the first vertex that has edges.
std::vector<vertex_id> sources_of(const csr<>& graph, vertex_id count) {
  std::vector<vertex_id> sources;
  for (std::uint64_t i = 1; i <= count; ++i) {
    auto source = static_cast<vertex_id>(i * graph.num_vertices() / (count + 1));
    while (graph.view().degree(source) == 0) {
      ++source;
    }
    sources.push_back(source);
  }
  return sources;
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

/// solve(engine, graph, sources) on the host engine, unless wrong(graph, sources, what it gave)
/// says something.
template <class Solve, class Wrong>
void host_row(benchmark::State& state, const std::string& text, vertex_id num_sources,
              const Solve& solve, const Wrong& wrong) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources = sources_of(graph, num_sources);
  host_engine engine;
  const auto placed = engine.place(graph);
  const auto found = solve(engine, placed, sources);
  measure(state, wrong(graph, sources, found), found.report.edges_traversed(),
          [&] { return solve(engine, placed, sources); });
  state.counters["threads"] = engine.threads();
}

void boost_row(benchmark::State& state, const std::string& text) {
  const csr<>& graph = graph_named(text);
  const std::vector<vertex_id> sources = sources_of(graph, 1);
  measure(state, std::nullopt, reached_edges(graph, oracle::bfs_depths(graph, sources)),
          [&] { return oracle::bfs_depths(graph, sources); });
}

template <class Row>
void add(const std::string& name, const Row& row) {
  benchmark::RegisterBenchmark(name.c_str(), row)->Unit(benchmark::kMillisecond)->UseRealTime();
}

void add_bfs(const std::string& text, direction way) {
  add("bfs/host/" + text + "/" + std::string(to_string(way)), [=](benchmark::State& state) {
    host_row(
        state, text, 1,
        [way](auto& engine, const auto& graph, const auto& sources) {
          return bfs(engine, graph, sources, {.way = way});
        },
        [](const auto& graph, const auto& sources, const auto& found) {
          return oracle::certify_bfs(graph, sources, found.depth.to_host(), found.parent.to_host());
        });
  });
}

/// Of what gives each vertex a label: solve(engine, graph, sources), compare(graph, sources,
/// label).
template <class Solve, class Compare>
void add_labels(const std::string& name, const std::string& text, vertex_id num_sources,
                const Solve& solve, Compare compare) {
  add(name + "/host/" + text, [=](benchmark::State& state) {
    host_row(state, text, num_sources, solve,
             [&](const auto& graph, const auto& sources, const auto& found) {
               return compare(graph, sources, found.label.to_host());
             });
  });
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string text : {"rmat:20:16", "urand:20:16", "grid:2048x2048:30"}) {
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      // Each of the grid's 3000 levels would be a pull over four million vertices.
      if (way != direction::pull || !text.starts_with("grid")) {
        add_bfs(text, way);
      }
    }
    add("bfs/boost/" + text, [text](benchmark::State& state) { boost_row(state, text); });
    add_labels(
        "components", text, 0,
        [](auto& engine, const auto& graph, const auto& /*sources*/) {
          return components(engine, graph);
        },
        [](const auto& graph, const auto& /*sources*/, const auto& label) {
          return oracle::compare_components(graph, label);
        });
    add_labels(
        "voronoi", text, 64, [](auto&... with) { return voronoi(with...); },
        oracle::compare_voronoi);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
