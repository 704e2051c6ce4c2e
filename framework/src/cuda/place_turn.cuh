#pragma once

#include <vector>

#include "cuda/place_marks.cuh"
#include "cuda/place_sort.cuh"

// The edges of a directed graph turned round, for pulls.

namespace tendril::cuda {

inline constexpr const char* turning = "GPU memory for the edges turned round";

template <class Position, weight W>
[[nodiscard]] device_buffer<Position>& offsets_of(owned_rows<W>& rows) {
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    return rows.narrow_offsets;
  } else {
    return rows.wide_offsets;
  }
}

/// The rows of a directed graph turned round; sources of equal targets keep their order.
template <weight W, class Position>
[[nodiscard]] owned_rows<W> turn_round(const placed_graph<W>& graph, const workplace& at) {
  using sorter = position_sort<vertex_id, edge_offset>;
  const vertex_id n = graph.num_vertices;
  const edge_offset m = graph.num_edges;
  const auto& out = out_rows<Position>(graph);
  constexpr bool has_weights = !std::is_same_v<W, none>;
  require_memory(*at.memory,
                 (n + std::size_t{1}) * sizeof(Position) + m * 2 * sizeof(vertex_id) +
                     (has_weights ? m * sizeof(W) : 0) + sorter::bytes(m),
                 turning);
  owned_rows<W> own;
  auto& offsets = offsets_of<Position>(own);
  offsets = at.buffer<Position>(n + std::size_t{1});
  own.targets = at.buffer<vertex_id>(m);
  if (m == 0) {
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(offsets.data(), 0, offsets.size_bytes(), at.stream));
    return own;
  }
  const auto rows = rows_of_edges(at, out.offsets, 0, n, 0, m);
  sorter sort(at, m);
  target_keys_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(out.targets, m, sort.keys(),
                                                                       sort.positions());
  TENDRIL_CUDA_CHECK_LAUNCH();
  sort.sort(m, std::bit_width(n));
  offsets_kernel<<<place_blocks(n + std::uint64_t{1}), place_threads, 0, at.stream>>>(
      sort.keys(), m, n, offsets.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(rows.data(), sort.positions(), m,
                                                                  own.targets.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  if constexpr (has_weights) {
    own.weights = at.buffer<W>(m);
    gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(out.weights, sort.positions(),
                                                                    m, own.weights.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  return own;
}

/// Sorts the turned rows as sort_rows() does.
template <weight W, class Position>
void sort_turned(const placed_graph<W>& graph, const workplace& at, owned_rows<W>& own) {
  const Position* offsets = offsets_of<Position>(own).data();
  std::vector<Position> host_offsets(graph.num_vertices + std::size_t{1});
  TENDRIL_CUDA_CHECK(cudaMemcpyAsync(host_offsets.data(), offsets,
                                     host_offsets.size() * sizeof(Position), cudaMemcpyDeviceToHost,
                                     at.stream));
  const edge_offset longest = find_max_degree(at, offsets, graph.num_vertices);  // waits
  require_memory(*at.memory, row_sorting_bytes<W>(graph.num_edges, longest), turning);
  sort_rows<W, Position>(at, out_rows<Position>(graph).offsets, offsets, own.targets.data(),
                         own.weights.data(), host_offsets.data(), graph.num_vertices,
                         graph.max_degree, longest);
}

/// Turns the edges round. What fails leaves the graph, and the memory, as they were.
template <weight W, class Position>
void prepare_pull(placed_graph<W>& graph, const workplace& at) {
  owned_rows<W> own = turn_round<W, Position>(graph, at);
  if (graph.sort_rows && graph.num_edges != 0) {
    sort_turned<W, Position>(graph, at, own);
  }
  require_memory(*at.memory, marking_bytes(graph.num_vertices, graph.num_edges), turning);
  mark<W, Position>(graph, at,
                    {offsets_of<Position>(own).data(), own.targets.data(), own.weights.data()});
  graph.own_in = std::move(own);
}

}  // namespace tendril::cuda
