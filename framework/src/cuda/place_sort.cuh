#pragma once

#include <algorithm>
#include <bit>

#include "cuda/place_kernels.cuh"
#include "cuda/place_steps.cuh"

// Sorting rows by degree of the neighbour, descending, so that a pull finds a parent early.

namespace tendril::cuda {

inline constexpr edge_offset sort_chunk_edges = edge_offset{1} << 25U;

/// Sorts whole rows that hold at most one chunk of edges, or one longer row.
template <weight W, class Position>
void sort_chunk(const workplace& at, const Position* degree_offsets, const Position* offsets,
                vertex_id* targets, W* weights, vertex_id first_row, vertex_id last_row,
                edge_offset base, edge_offset size, edge_offset max_degree,
                position_sort<std::uint64_t, std::uint32_t>& sort) {
  const auto rows = rows_of_edges(at, offsets, first_row, last_row - first_row, base, size);
  const int degree_bits = std::bit_width(max_degree);
  const int row_bits = std::bit_width(last_row - first_row);
  degree_keys_kernel<<<place_blocks(size), place_threads, 0, at.stream>>>(
      degree_offsets, rows.data(), targets + base, size, max_degree, degree_bits, sort.keys(),
      sort.positions());
  TENDRIL_CUDA_CHECK_LAUNCH();
  sort.sort(size, degree_bits + row_bits);
  const auto reorder = [&](auto* values) {
    using value = std::remove_pointer_t<decltype(values)>;
    auto sorted = at.buffer<value>(size);
    gather_kernel<<<place_blocks(size), place_threads, 0, at.stream>>>(
        values + base, sort.positions(), size, sorted.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(values + base, sorted.data(), sorted.size_bytes(),
                                       cudaMemcpyDeviceToDevice, at.stream));
  };
  reorder(targets);
  if constexpr (!std::is_same_v<W, none>) {
    reorder(weights);
  }
}

/// Edges of the largest chunk: what sorting needs memory for.
inline edge_offset largest_chunk(edge_offset num_edges, edge_offset max_row) {
  return std::min(num_edges, std::max(sort_chunk_edges, max_row));
}

/// Most bytes that sort_rows() holds at once.
template <weight W>
std::size_t row_sorting_bytes(edge_offset num_edges, edge_offset max_row) {
  const edge_offset chunk = largest_chunk(num_edges, max_row);
  constexpr std::size_t weight_bytes = std::is_same_v<W, none> ? 0 : sizeof(W);
  return position_sort<std::uint64_t, std::uint32_t>::bytes(chunk) +
         chunk * (sizeof(vertex_id) + std::max(sizeof(vertex_id), weight_bytes));
}

/// Sorts every row by degree of the neighbour, descending; equal degrees keep their order.
/// @param host_offsets  [num_vertices + 1], of the rows to be sorted
template <weight W, class Position, class HostPosition>
void sort_rows(const workplace& at, const Position* degree_offsets, const Position* offsets,
               vertex_id* targets, W* weights, const HostPosition* host_offsets,
               vertex_id num_vertices, edge_offset max_degree, edge_offset max_row) {
  const edge_offset num_edges = host_offsets[num_vertices];
  position_sort<std::uint64_t, std::uint32_t> sort(at, largest_chunk(num_edges, max_row));
  for (vertex_id first = 0; first < num_vertices;) {
    const edge_offset base = host_offsets[first];
    const auto* end = std::upper_bound(host_offsets + first + 1, host_offsets + num_vertices + 1,
                                       base + sort_chunk_edges);
    const auto last = static_cast<vertex_id>(
        std::max<std::ptrdiff_t>(end - host_offsets - 1, std::ptrdiff_t{first} + 1));
    const edge_offset size = host_offsets[last] - base;
    if (size > 0) {
      sort_chunk<W, Position>(at, degree_offsets, offsets, targets, weights, first, last, base,
                              size, max_degree, sort);
    }
    first = last;
  }
}

template <class Position>
edge_offset find_max_degree(const workplace& at, const Position* offsets, vertex_id num_vertices) {
  auto totals = at.buffer<row_totals>(1);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(totals.data(), 0, totals.size_bytes(), at.stream));
  max_degree_kernel<<<place_blocks(num_vertices), place_threads, 0, at.stream>>>(
      offsets, num_vertices, totals.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  return fetch(totals, at.stream).max_degree;
}

}  // namespace tendril::cuda
