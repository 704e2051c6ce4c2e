#include "support/memory.hpp"

namespace tendril::app {

host_memory host_engine_memory(std::uint64_t num_vertices, std::uint64_t num_edges,
                               std::uint64_t weight_bytes, orientation kind) {
  const std::uint64_t n = num_vertices;
  const std::uint64_t bitmap_bytes = 8 * ((n + 63) / 64);
  const std::uint64_t graph_bytes = 8 * (n + 1) + (4 + weight_bytes) * num_edges;
  const std::uint64_t distance_bytes = weight_bytes == 0 ? sizeof(std::int32_t) : weight_bytes;
  return {.graph_bytes = graph_bytes,
          .transpose_bytes = kind == orientation::undirected ? 0 : graph_bytes + bitmap_bytes,
          .bfs_bytes = 8 * n + 4 * n + 3 * bitmap_bytes,
          .sssp_bytes = distance_bytes * n + 8 * n + 2 * bitmap_bytes};
}

}  // namespace tendril::app
