#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/traverse/traverse.hpp"

// Breadth-first search: the depth of every vertex, and a parent over which it was reached. Which of
// several possible parents is stored may differ from run to run; depths may not.

namespace tendril {

/// Records depths and parents.
struct depth_and_parent {
  using kind = first_visit;  ///< each vertex arrives once
  std::int32_t* depth;       ///< [num_vertices], unreached
  vertex_id* parent;         ///< [num_vertices], no_vertex

  /// A source: depth 0, its own parent.
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const {
    depth[v] = level;
    parent[v] = v;
  }
  /// A vertex found over e.
  template <weight W>
  TENDRIL_HD void arrive(edge<W> e, std::int32_t level) const {
    depth[e.target] = level;
    parent[e.target] = e.source;
  }
};

/// The same, until a target is reached. Apart from it, because engines are faster with visitors
/// that do not ask after each level.
struct depth_and_parent_until : depth_and_parent {
  vertex_id target;  ///< no level after the one that reaches it

  /// True once the target has a depth.
  [[nodiscard]] TENDRIL_HD bool stops(std::int32_t /*level*/) const {
    return depth[target] != unreached;
  }
};

/// Options of a search.
struct bfs_options {
  direction way = direction::automatic;  ///< see traverse_options
  /// No vertex beyond this depth is entered.
  std::int32_t depth_limit = std::numeric_limits<std::int32_t>::max();
  /// Stop after the level that reaches it: vertices as far away as it are entered, none beyond.
  std::optional<vertex_id> target = {};
  /// See traverse_options.
  std::function<void(const level_report&)> each_level = {};
};

/// What a search found, in the engine's memory.
template <class Engine>
struct bfs_result {
  /// Arrays in the engine's memory.
  template <class T>
  using array = typename Engine::template array_type<T>;

  array<std::int32_t> depth;  ///< [num_vertices]; 0 for sources, `unreached` where none came
  array<vertex_id> parent;    ///< [num_vertices]; a source's own id; no_vertex where none came
  traverse_report report;     ///< what each level did
};

/// Searches breadth-first from the sources, all at once.
/// @param engine   a host_engine, cuda_engine or dynamic_cuda_engine
/// @param graph    what engine.place() returned; self-loops and duplicate edges change nothing
/// @param sources  ids; duplicates count once; none: nothing is reached
/// @param options  way, depth limit, target, and a hook that runs after each level
/// @throws input_error for a source or target outside the graph; usage_error for a negative depth
///         limit; resource_error
/// @sync   waits for the last level, on a GPU too; the arrays stay there
/// @cost   O(vertices + edges), 8 bytes per vertex for the result
template <class Engine, class Graph>
[[nodiscard]] bfs_result<Engine> bfs(Engine& engine, const Graph& graph, const source_list& sources,
                                     const bfs_options& options = {}) {
  const vertex_id n = graph.num_vertices();
  const auto ids = sources.ids();
  traverse_options traversal{options.way, options.depth_limit, options.each_level};
  if (options.target) {
    check_vertex(*options.target, n, "target");
    if (std::find(ids.begin(), ids.end(), *options.target) != ids.end()) {
      traversal.depth_limit = std::min(traversal.depth_limit, 0);
    }
  }
  auto depth = engine.array(n, unreached);
  auto parent = engine.array(n, no_vertex);
  const depth_and_parent visitor{depth.data(), parent.data()};
  auto report = options.target
                    ? traverse(engine, graph, sources,
                               depth_and_parent_until{visitor, *options.target}, traversal)
                    : traverse(engine, graph, sources, visitor, traversal);
  return {std::move(depth), std::move(parent), std::move(report)};
}

}  // namespace tendril
