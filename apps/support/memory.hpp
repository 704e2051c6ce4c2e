#pragma once

#include <cstdint>

#include "tendril/core/types.hpp"

namespace tendril::app {

/// Bytes of host memory that the host engine needs for a graph of n vertices and m stored edges;
/// [n/64] is n / 64 rounded up.
struct host_memory {
  std::uint64_t graph_bytes;      ///< 8 (n + 1) + (4 + w) m, for w bytes of weight (bfs reads none)
  std::uint64_t bfs_bytes;        ///< 8 n of result, 8 n + 24 [n/64] of work
  std::uint64_t transpose_bytes;  ///< bfs, to pull: 8 (n + 1) + 4 m + 8 [n/64]; 0 where undirected
  std::uint64_t sssp_bytes;  ///< d n of result, 8 n + 16 [n/64] of work, for d bytes of distance
};

/// What the formulas depend on.
struct graph_size {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t weight_bytes = 0;
  std::uint64_t distance_bytes = 8;  ///< 4 for float weights
  orientation kind = orientation::directed;
};

[[nodiscard]] host_memory host_engine_memory(const graph_size& graph);

}  // namespace tendril::app
