#include "support/memory.hpp"

#include <algorithm>

namespace tendril::app {

namespace {

/// Bytes of an array in the GPU engine's working memory.
constexpr std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

}  // namespace

host_memory host_engine_memory(const graph_size& graph) {
  const std::uint64_t n = graph.num_vertices;
  const std::uint64_t m = graph.num_edges;
  const std::uint64_t bitmap = 8 * ((n + 63) / 64);
  const bool is_undirected = graph.kind == orientation::undirected;
  return {.graph_bytes = 8 * (n + 1) + (4 + graph.weight_bytes) * m,
          .bfs_bytes = 8 * n + 8 * n + 3 * bitmap,
          .transpose_bytes = is_undirected ? 0 : 8 * (n + 1) + 4 * m + bitmap,
          .sssp_bytes = graph.distance_bytes * n + 8 * n + 2 * bitmap,
          .components_bytes = 4 * n + 8 * n + 8 * n + 2 * bitmap};
}

cuda_memory cuda_engine_memory(const graph_size& graph) {
  const std::uint64_t n = graph.num_vertices;
  const std::uint64_t m = graph.num_edges;
  const bool is_narrow = m < std::uint64_t{1} << 32U;
  const std::uint64_t p = is_narrow ? 4 : 8;
  const std::uint64_t bitmap = 4 * ((n + 31) / 32);
  const bool is_undirected = graph.kind == orientation::undirected;
  const bool has_short_rows = is_narrow && graph.longest_row <= 64 && m <= 8 * n;
  const std::uint64_t marks = bitmap + n;  // isolated vertices, and degrees in a byte each
  // What only pulls read: the first in-neighbour of each vertex, and 8 bytes for each part of a row
  // that has more than 8192 edges. Such a row has fewer parts than two for 8192 edges.
  const std::uint64_t incoming = 4 * n + m / 512;

  constexpr std::uint64_t state_and_levels = 256 + 24 * 16384;
  const std::uint64_t fixed = state_and_levels + aligned(4 * graph.num_sources);
  const std::uint64_t queue = 2 * aligned(p * n) + aligned(4 * n);
  const std::uint64_t bfs_work = fixed + 2 * aligned(bitmap) + queue;
  const std::uint64_t sssp_work = fixed + 2 * (aligned(bitmap) + queue);
  constexpr std::uint64_t lane_state_and_counts = 512 + 4 * 256 * 64 + 4 * 3 * 256;
  const std::uint64_t lanes = 2 * (aligned(8 * n) + aligned(4 * n) + aligned(8 * n)) +
                              3 * aligned(bitmap) + aligned(n) + aligned(4 * n) +
                              aligned(4 * graph.num_sources) + lane_state_and_counts;
  const std::uint64_t at_once = std::min<std::uint64_t>(graph.num_sources, 4096);
  const std::uint64_t block = aligned(4 * at_once) + aligned(at_once) + aligned(24 * at_once) +
                              256 + aligned(bitmap) + aligned(4 * n);
  return {.position_bytes = p,
          .graph_bytes = p * (n + 1) + (4 + graph.weight_bytes) * m,
          .added_bytes = marks + (is_undirected ? incoming : 0) + (has_short_rows ? 16 * n : 0),
          .transpose_bytes = is_undirected ? 0 : p * (n + 1) + 4 * m + incoming,
          .bfs_work_bytes = bfs_work,
          .bfs_bytes = 8 * n + bfs_work,
          .sssp_work_bytes = sssp_work,
          .sssp_bytes = graph.distance_bytes * n + sssp_work,
          .sssp_with_parents_bytes = (graph.distance_bytes + 4) * n + sssp_work,
          .reach_batch_bytes = lanes,
          .reach_block_bytes = block,
          .reach_histogram_bytes = aligned(4 * std::min<std::uint64_t>(n, 2048) * at_once),
          .components_bytes = 4 * n + aligned(4 * n) + sssp_work};
}

}  // namespace tendril::app
