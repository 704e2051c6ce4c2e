#include "support/memory.hpp"

namespace tendril::app {

host_memory host_engine_memory(const graph_size& graph) {
  const std::uint64_t n = graph.num_vertices;
  const std::uint64_t m = graph.num_edges;
  const std::uint64_t bitmap = 8 * ((n + 63) / 64);
  const bool is_undirected = graph.kind == orientation::undirected;
  return {.graph_bytes = 8 * (n + 1) + (4 + graph.weight_bytes) * m,
          .bfs_bytes = 8 * n + 8 * n + 3 * bitmap,
          .transpose_bytes = is_undirected ? 0 : 8 * (n + 1) + 4 * m + bitmap,
          .sssp_bytes = graph.distance_bytes * n + 8 * n + 2 * bitmap};
}

}  // namespace tendril::app
