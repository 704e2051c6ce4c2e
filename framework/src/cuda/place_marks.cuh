#pragma once

#include "cuda/place_kernels.cuh"
#include "cuda/place_steps.cuh"

// What place() lays out beside the rows: isolated vertices, degrees, first in-neighbours, parts of
// long rows, packed short rows.

namespace tendril::cuda {

inline constexpr edge_offset short_graph_mean_degree = 8;  ///< above it no short rows are packed

/// Isolated vertices, degrees and, where in-rows are there, first in-neighbours and hub parts. Rows
/// are as they will stay. An allocation that fails leaves the graph as it was.
/// @param in  null pointers: there are none
template <weight W, class Position>
void mark(placed_graph<W>& graph, const workplace& at, const device_rows<W, Position>& in) {
  const bool can_pull = in.offsets != nullptr;
  const vertex_id n = graph.num_vertices;
  const auto& out = out_rows<Position>(graph);
  const std::size_t num_words = (static_cast<std::size_t>(n) + bits_per_word - 1) / bits_per_word;
  auto isolated = at.buffer<bit_word>(num_words);
  auto degrees = at.buffer<degree_byte>(n);
  auto first_in = at.buffer<vertex_id>(can_pull ? n : 0);
  auto totals = at.buffer<row_totals>(1);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(totals.data(), 0, totals.size_bytes(), at.stream));
  isolated_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
      out.offsets, in.offsets, n, isolated.data(), degrees.data(), totals.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  if (can_pull) {
    first_in_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
        in.offsets, in.targets, n, first_in.data(), totals.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  const row_totals found = fetch(totals, at.stream);
  auto hub_parts = at.buffer<hub_part>(found.num_hub_parts);
  if (found.num_hub_parts != 0) {
    auto cursor = at.buffer<unsigned int>(1);
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(cursor.data(), 0, cursor.size_bytes(), at.stream));
    hub_parts_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
        in.offsets, n, hub_parts.data(), cursor.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  graph.isolated = std::move(isolated);
  graph.degrees = std::move(degrees);
  graph.num_isolated = found.num_isolated;
  graph.first_in = std::move(first_in);
  graph.hub_parts = std::move(hub_parts);
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    graph.narrow_in = in;
  } else {
    graph.wide_in = in;
  }
  graph.can_pull = can_pull;
}

/// Most bytes that mark() holds at once.
inline std::size_t marking_bytes(vertex_id num_vertices, edge_offset num_edges) {
  const std::size_t n = num_vertices;
  // A row is cut into parts where it is longer than one, so a part has half its edges at least.
  return (n + bits_per_word - 1) / bits_per_word * sizeof(bit_word) +
         n * (sizeof(degree_byte) + sizeof(vertex_id)) + sizeof(row_totals) +
         2 * (num_edges / hub_part_edges) * sizeof(hub_part) + sizeof(unsigned int);
}

template <weight W>
bool has_short_rows(const placed_graph<W>& graph) {
  return graph.max_degree <= short_graph_degree && graph.num_edges < (edge_offset{1} << 32U) &&
         graph.num_edges <= short_graph_mean_degree * graph.num_vertices;
}

template <weight W, class Position>
void pack_short_rows(placed_graph<W>& graph, const workplace& at) {
  const auto& out = out_rows<Position>(graph);
  graph.short_rows = at.buffer<short_row>(graph.num_vertices);
  short_rows_kernel<<<place_blocks(graph.num_vertices), place_threads, 0, at.stream>>>(
      out.offsets, out.targets, graph.num_vertices, graph.short_rows.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
}

}  // namespace tendril::cuda
