#pragma once

#include <cstdint>
#include <utility>

#include "tendril/algorithms/labels.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"

// Voronoi cells of a graph: the nearest source of each vertex. Its steps and its id are one number,
// the steps in front, so the least number is the answer whatever the order of the threads. A level
// settles the vertices that it enters: each is expanded once.

namespace tendril {

/// The label of a vertex that no source reaches; of others it is steps << 32 | source.
inline constexpr std::uint64_t no_cell = ~std::uint64_t{0};

/// Steps from the nearest source, by a vertex's label; `unreached` for no_cell.
[[nodiscard]] constexpr std::int32_t voronoi_steps(std::uint64_t label) {
  return static_cast<std::int32_t>(label >> 32U);
}

/// The nearest source, by a vertex's label; no_vertex for no_cell.
[[nodiscard]] constexpr vertex_id voronoi_source(std::uint64_t label) {
  return static_cast<vertex_id>(label);
}

/// Keeps the nearest source, of equally near ones the lowest.
struct nearest_source {
  using kind = relaxing;  ///< a vertex may be found from several sources in a level
  std::uint64_t* label;   ///< [num_vertices], no_cell

  /// A source is its own nearest.
  TENDRIL_HD void start(vertex_id v) const { label[v] = v; }
  /// True if the source over e is nearer than any before, or as near and lower.
  template <weight W>
  [[nodiscard]] TENDRIL_HD bool visit(edge<W> e) const {
    return lower(label[e.target], load(label[e.source]) + (std::uint64_t{1} << 32U));
  }
};

/// Finds the nearest source of each vertex, by steps along edges; of equally near ones the lowest.
/// @param engine   a host_engine, cuda_engine or dynamic_cuda_engine
/// @param graph    what engine.place() returned; self-loops and duplicate edges change nothing
/// @param sources  ids; duplicates count once; none: nothing is reached
/// @return labels for voronoi_steps() and voronoi_source(), whatever the engine and its threads
/// @throws input_error for a source outside the graph; resource_error
/// @sync   waits for the last level, on a GPU too; the labels stay there
/// @cost   O(vertices + edges), 8 bytes per vertex for the result
template <class Engine, class Graph>
[[nodiscard]] vertex_labels<Engine, std::uint64_t> voronoi(Engine& engine, const Graph& graph,
                                                           const source_list& sources) {
  auto label = engine.array(graph.num_vertices(), no_cell);
  auto report = traverse(engine, graph, sources, nearest_source{label.data()});
  return {std::move(label), std::move(report)};
}

}  // namespace tendril
