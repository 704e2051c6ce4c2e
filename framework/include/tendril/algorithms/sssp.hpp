#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "tendril/algorithms/distance.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/traverse/traverse.hpp"

// Single-source shortest distances by relaxing frontiers (Bellman and Ford, with a queue): level L
// relaxes the edges of the vertices that level L - 1 improved. Distances do not depend on the
// order, rounding included: adding a weight never lowers a distance, so the result is the least of
// all paths' sums, each summed from the source on.

namespace tendril {

/// Keeps the shortest distances.
template <numeric_weight W>
struct cheapest {
  using kind = relaxing;       ///< a vertex may be improved many times
  distance_type<W>* distance;  ///< [num_vertices], infinite_distance

  /// A source is at distance 0.
  TENDRIL_HD void start(vertex_id v) const { distance[v] = 0; }
  /// True if the way over e is shorter than any before.
  [[nodiscard]] TENDRIL_HD bool visit(edge<W> e) const {
    return lower(distance[e.target], load(distance[e.source]) + e.weight);
  }
};

/// Walks the edges that shortest paths use. First-visit, so the parents form a tree even where
/// weights are zero.
template <numeric_weight W>
struct shortest_path_tree {
  using kind = first_visit;          ///< each vertex gets one parent
  const distance_type<W>* distance;  ///< [num_vertices], final
  vertex_id* parent;                 ///< [num_vertices], no_vertex

  /// An edge that a shortest path may use.
  [[nodiscard]] TENDRIL_HD bool admits(edge<W> e) const {
    return distance[e.source] + e.weight == distance[e.target];
  }
  /// A source is its own parent.
  TENDRIL_HD void arrive(vertex_id v, std::int32_t /*level*/) const { parent[v] = v; }
  /// A vertex reached over e.
  TENDRIL_HD void arrive(edge<W> e, std::int32_t /*level*/) const { parent[e.target] = e.source; }
};

/// Options of a search.
struct sssp_options {
  bool with_parents = false;  ///< one more traversal, over the edges that shortest paths use
  /// See traverse_options.
  std::function<void(const level_report&)> each_level = {};
};

/// Shortest distances, in the engine's memory.
template <class Engine, numeric_weight W>
struct sssp_result {
  /// Arrays in the engine's memory.
  template <class T>
  using array = typename Engine::template array_type<T>;

  array<distance_type<W>> distance;  ///< [num_vertices]; infinite_distance where no path leads
  /// [num_vertices], if asked for: a source's own id, no_vertex where no path leads; never a cycle.
  std::optional<array<vertex_id>> parent;
  traverse_report report;  ///< of the distances
};

/// Finds the shortest distance of each vertex from the nearest source.
/// @param engine   a host_engine, cuda_engine or dynamic_cuda_engine
/// @param graph    what engine.place() returned; of duplicate edges the lightest counts
/// @param sources  ids; duplicates count once; none: nothing is reached
/// @param options  parents, and a hook that runs after each level
/// @throws input_error naming the first edge whose weight is negative or not finite, an edge over
///         which a float or double distance overflows, or a source outside the graph; usage_error
///         for a graph without a host copy (cuda_engine::place_device); resource_error
/// @sync   waits for the last level, on a GPU too; the arrays stay there
/// @cost   O(edges) per level, levels up to the number of edges on a shortest path; a pass over the
///         weights on the host before, two for float and double, and a copy of the distances where
///         they could overflow
template <class Engine, class Graph>
[[nodiscard]] auto sssp(Engine& engine, const Graph& graph, const source_list& sources,
                        const sssp_options& options = {}) {
  using W = typename Graph::weight_type;
  static_assert(numeric_weight<W>,
                "shortest distances need a graph with int32, float or double weights");
  require_usable_weights(graph.host());
  const vertex_id n = graph.num_vertices();
  auto distance = engine.array(n, infinite_distance<W>);
  auto report = traverse(engine, graph, sources, cheapest<W>{distance.data()},
                         {.each_level = options.each_level});
  if (distances_may_overflow(graph.host())) {
    const auto values = distance.to_host();
    require_no_overflow(graph.host(), std::span<const distance_type<W>>(values));
  }
  sssp_result<Engine, W> result{std::move(distance), std::nullopt, std::move(report)};
  if (options.with_parents) {
    result.parent.emplace(engine.array(n, no_vertex));
    const shortest_path_tree<W> tree{result.distance.data(), result.parent->data()};
    traverse(engine, graph, sources, tree);
  }
  return result;
}

}  // namespace tendril
