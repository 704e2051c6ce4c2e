#pragma once

#include <cstdint>

#include "tendril/core/types.hpp"

namespace tendril::app {

/// Bytes of host memory that the host engine needs for a graph of n vertices and m stored edges
/// with w bytes of weight each; [n/64] is n / 64 rounded up.
struct host_memory {
  std::uint64_t graph_bytes;      ///< 8 (n + 1) + (4 + w) m
  std::uint64_t transpose_bytes;  ///< the same + 8 [n/64]: to pull; 0 where undirected
  std::uint64_t bfs_bytes;        ///< 8 n of result, 4 n + 24 [n/64] of work
  std::uint64_t sssp_bytes;       ///< w n of result, 8 n + 16 [n/64] of work; w = 4 without weights
};

/// @param weight_bytes  0, 4 or 8
[[nodiscard]] host_memory host_engine_memory(std::uint64_t num_vertices, std::uint64_t num_edges,
                                             std::uint64_t weight_bytes, orientation kind);

}  // namespace tendril::app
