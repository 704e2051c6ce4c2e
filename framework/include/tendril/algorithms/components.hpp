#pragma once

#include <utility>

#include "tendril/algorithms/labels.hpp"
#include "tendril/graph/union_find.hpp"

// Connected components by union and find: one level looks at every edge once, however wide the
// graph. Labels that spread from vertex to vertex would take a million levels on a path of a
// million vertices.

namespace tendril {

/// Joins the trees of the two ends of each edge.
struct join_ends {
  using kind = relaxing;  ///< an edge may join trees at any time
  vertex_id* parent;      ///< [num_vertices]
  bool both_ways;         ///< the reverse of each edge is stored, too: one of them is enough
  bool joined;            ///< start() hangs each vertex below its root; before, it makes it one

  /// Makes the vertex a tree of its own, or names its root.
  TENDRIL_HD void start(vertex_id v) const { store(parent[v], joined ? root_of(parent, v) : v); }
  /// One edge of each pair.
  template <weight W>
  [[nodiscard]] TENDRIL_HD bool admits(edge<W> e) const {
    return !both_ways || e.source > e.target;
  }
  /// Joins the trees of both ends.
  template <weight W>
  [[nodiscard]] TENDRIL_HD bool visit(edge<W> e) const {
    join_trees(parent, e.source, e.target);
    return false;  // there is no second level
  }
};

/// Finds the connected components; of a directed graph the weakly connected ones, as if each edge
/// went both ways. Self-loops and duplicate edges change nothing.
/// @param engine  a host_engine, cuda_engine or dynamic_cuda_engine
/// @param graph   what engine.place() returned
/// @return the least vertex of each one's component, whatever the engine and its threads
/// @throws resource_error; usage_error for a graph of place_device()
/// @sync   waits for the last level, on a GPU too; the labels stay there
/// @cost   little more than O(vertices + edges); 4 bytes per vertex for the result, up to 8 for
/// lists of all vertices
template <class Engine, class Graph>
[[nodiscard]] vertex_labels<Engine> components(Engine& engine, const Graph& graph) {
  const auto all = all_vertices(graph.num_vertices());
  auto label = engine.array(all.size(), no_vertex);
  join_ends visitor{label.data(), graph.host().is_undirected(), false};
  auto report = traverse(engine, graph, all, visitor);
  visitor.joined = true;
  traverse(engine, graph, all, visitor, {.depth_limit = 0});
  return {std::move(label), std::move(report)};
}

}  // namespace tendril
