#pragma once

#include <algorithm>
#include <cstdint>

#include "tendril/algorithms/distance.hpp"
#include "tendril/graph/csr.hpp"

namespace tendril::app {

/// Bytes of host memory that the host engine needs for a graph of n vertices and m stored edges;
/// [n/64] is n / 64 rounded up.
struct host_memory {
  std::uint64_t graph_bytes;      ///< 8 (n + 1) + (4 + w) m, for w bytes of weight (bfs reads none)
  std::uint64_t bfs_bytes;        ///< 8 n of result, 8 n + 24 [n/64] of work
  std::uint64_t transpose_bytes;  ///< bfs, to pull: 8 (n + 1) + 4 m + 8 [n/64]; 0 where undirected
  std::uint64_t sssp_bytes;  ///< d n of result, 8 n + 16 [n/64] of work, for d bytes of distance
  std::uint64_t components_bytes;  ///< 4 n of result, 8 n of sources, and sssp's work
};

/// Bytes of GPU memory that the GPU engine needs, with p bytes of edge position: 4 below 2^32
/// edges, else 8. Arrays of work begin at multiples of 256 bytes.
struct cuda_memory {
  std::uint64_t position_bytes;   ///< p
  std::uint64_t graph_bytes;      ///< p (n + 1) + (4 + w) m
  std::uint64_t added_bytes;      ///< by place(), at most: n + 4 [n/32]; undirected 4 n + m/512
                                  ///< more; 16 n more where rows are short
  std::uint64_t transpose_bytes;  ///< bfs, to pull, at most: p (n + 1) + 4 m + 4 n + m/512; 0 where
                                  ///< undirected
  std::uint64_t bfs_work_bytes;   ///< (2 p + 4) n + 8 [n/32] + fixed
  std::uint64_t bfs_bytes;        ///< 8 n of result, and the work
  std::uint64_t sssp_work_bytes;  ///< (4 p + 8) n + 8 [n/32] + fixed
  std::uint64_t sssp_bytes;       ///< d n of result, and the work
  /// The same with 4 n of parents; they take no more work.
  std::uint64_t sssp_with_parents_bytes;
  /// reach, 64 queries together: 45 n + 12 [n/32] + fixed, and 4 for each query.
  std::uint64_t reach_batch_bytes;
  /// reach, a block for all queries: 4 n + 4 [n/32] + fixed, and 29 for each of up to 4096 queries.
  std::uint64_t reach_block_bytes;
  /// Histograms by a block, of up to 2048 levels: 4 min(n, 2048) for each of up to 4096 queries.
  std::uint64_t reach_histogram_bytes;
  std::uint64_t components_bytes;  ///< 4 n of result, 4 n of sources, and sssp's work
};

/// What the formulas depend on.
struct graph_size {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t weight_bytes = 0;
  std::uint64_t distance_bytes = 8;  ///< 4 for float weights
  orientation kind = orientation::directed;
  std::uint64_t longest_row = 0;  ///< most stored edges that leave a vertex
  std::uint64_t num_sources = 1;
};

/// Of a graph, and a search from one source. @cost O(vertices)
template <weight W>
[[nodiscard]] graph_size size_of(const csr<W>& graph) {
  graph_size size{
      .num_vertices = graph.num_vertices(), .num_edges = graph.num_edges(), .kind = graph.kind()};
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    size.longest_row = std::max(size.longest_row, graph.view().degree(v));
  }
  if constexpr (numeric_weight<W>) {
    size.weight_bytes = sizeof(W);
    size.distance_bytes = sizeof(distance_type<W>);
  }
  return size;
}

[[nodiscard]] host_memory host_engine_memory(const graph_size& graph);
[[nodiscard]] cuda_memory cuda_engine_memory(const graph_size& graph);

}  // namespace tendril::app
