#pragma once

#include <cstdint>

#include "tendril/graph/csr.hpp"
#include "tendril/graph/edge_list.hpp"

namespace tendril {

/// What the builder does with each kind of edge. Nothing is dropped or added unless asked.
struct build_options {
  /// directed: store edges as they come. undirected: store the reverse of each edge too (a
  /// self-loop once).
  orientation kind = orientation::directed;
  /// What becomes of edges from a vertex to itself.
  enum class self_loops : std::uint8_t { keep, drop };
  self_loops loops = self_loops::keep;  ///< kept or dropped
  /// What becomes of edges with the same source and target; merging keeps the smallest weight.
  enum class duplicates : std::uint8_t { keep, merge };
  duplicates parallel_edges = duplicates::keep;  ///< kept or merged
  /// What the edges call the first vertex: 0 or 1. Subtracted from every id.
  vertex_id index_base = 0;
};

/// Builds a graph from edges, in parallel, the same result for any number of threads: each row is
/// sorted by target, then weight.
/// @param edges         consumed: its chunks are freed while the graph grows
/// @param num_vertices  ids must lie in index_base .. index_base + num_vertices - 1
/// @param options       what is added, dropped and merged
/// @throws input_error naming the first edge whose id is out of range; usage_error if num_vertices
///         is 2^32 - 1 or more
/// @cost   O(edges) work plus sorting each row. Peak memory: the finished graph plus one copy of
///         the edges (twice that when undirected), falling as the graph grows
template <weight W>
[[nodiscard]] csr<W> build_csr(edge_list<W>&& edges, std::uint64_t num_vertices,
                               const build_options& options = {});

/// The graph with every edge turned round. An undirected graph is its own transpose: O(1).
/// @cost O(vertices + edges), parallel; rows sorted by target, then weight
template <weight W>
[[nodiscard]] csr<W> transpose(const csr<W>& graph);

}  // namespace tendril
