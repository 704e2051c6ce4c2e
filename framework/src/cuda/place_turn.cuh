#pragma once

#include <vector>

#include "cuda/place_marks.cuh"
#include "cuda/place_sort.cuh"

// The edges of a directed graph turned round, for pulls.

namespace tendril::cuda {

/// Makes the rows of a directed graph turned round.
template <weight W, class Position>
void turn_round(placed_graph<W>& graph, const workplace& at) {
  const vertex_id n = graph.num_vertices;
  const edge_offset m = graph.num_edges;
  const auto& out = out_rows<Position>(graph);
  constexpr std::size_t per_edge = 2 * (sizeof(vertex_id) + sizeof(edge_offset)) +
                                   2 * sizeof(vertex_id) +
                                   (std::is_same_v<W, none> ? 0 : sizeof(W));
  require_memory(*at.memory, m * per_edge + (n + std::size_t{1}) * sizeof(Position),
                 "GPU memory for the edges turned round");
  auto& own = graph.own_in;
  Position* offsets = nullptr;
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    own.narrow_offsets = at.buffer<std::uint32_t>(n + std::size_t{1});
    offsets = own.narrow_offsets.data();
  } else {
    own.wide_offsets = at.buffer<edge_offset>(n + std::size_t{1});
    offsets = own.wide_offsets.data();
  }
  own.targets = at.buffer<vertex_id>(m);
  if (m != 0) {
    const auto rows = rows_of_edges(at, out.offsets, 0, n, 0, m);
    position_sort<vertex_id, edge_offset> sort(at, m);
    target_keys_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(
        out.targets, m, sort.keys(), sort.positions());
    TENDRIL_CUDA_CHECK_LAUNCH();
    sort.sort(m, std::bit_width(n));
    offsets_kernel<<<place_blocks(n + std::uint64_t{1}), place_threads, 0, at.stream>>>(
        sort.keys(), m, n, offsets);
    TENDRIL_CUDA_CHECK_LAUNCH();
    gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(rows.data(), sort.positions(),
                                                                    m, own.targets.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    if constexpr (!std::is_same_v<W, none>) {
      own.weights = at.buffer<W>(m);
      gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(out.weights, sort.positions(),
                                                                      m, own.weights.data());
      TENDRIL_CUDA_CHECK_LAUNCH();
    }
  } else {
    TENDRIL_CUDA_CHECK(
        cudaMemsetAsync(offsets, 0, (n + std::size_t{1}) * sizeof(Position), at.stream));
  }
  const device_rows<W, Position> in{offsets, own.targets.data(), own.weights.data()};
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    graph.narrow_in = in;
  } else {
    graph.wide_in = in;
  }
}

template <weight W, class Position>
void prepare_pull(placed_graph<W>& graph, const workplace& at) {
  turn_round<W, Position>(graph, at);
  if (graph.sort_rows && graph.num_edges != 0) {
    const auto& in = in_rows<Position>(graph);
    std::vector<Position> host_offsets(graph.num_vertices + std::size_t{1});
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(host_offsets.data(), in.offsets,
                                       host_offsets.size() * sizeof(Position),
                                       cudaMemcpyDeviceToHost, at.stream));
    TENDRIL_CUDA_CHECK(cudaStreamSynchronize(at.stream));
    sort_rows<W, Position>(at, out_rows<Position>(graph).offsets, in.offsets,
                           graph.own_in.targets.data(), graph.own_in.weights.data(),
                           host_offsets.data(), graph.num_vertices, graph.max_degree,
                           find_max_degree(at, in.offsets, graph.num_vertices));
  }
  mark<W, Position>(graph, at, true);
}

}  // namespace tendril::cuda
