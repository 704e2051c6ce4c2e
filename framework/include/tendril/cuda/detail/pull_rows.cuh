#pragma once

#include "tendril/cuda/detail/first_visit_job.cuh"

// Looking for a visited in-neighbour among the edges of a row, by a lane or by a warp.

namespace tendril::cuda {

/// A visited in-neighbour of a vertex.
template <class Position>
struct pull_hit {
  bool found = false;
  Position position = 0;
  vertex_id source = no_vertex;
};

template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bool is_parent(const first_visit_job<W, Position, Shape>& job,
                                        const bit_word* visited, const Visitor& visitor,
                                        vertex_id source, vertex_id v, Position position) {
  if (source == no_vertex || !test_bit(visited, source)) {
    return false;
  }
  if constexpr (::tendril::detail::has_admits<Visitor, W>) {
    return visitor.admits(edge_at(job.graph.in, position, source, v));
  } else {
    return true;
  }
}

/// Edges begin .. end - 1 of v's row, by one lane, at most serial_edges; moves begin.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_serial(const first_visit_job<W, Position, Shape>& job, const bit_word* visited,
                            const Visitor& visitor, vertex_id v, Position& begin, Position end,
                            pull_hit<Position>& hit) {
  constexpr unsigned batch = 4;
  for (unsigned done = 0; done < Shape::serial_edges && begin < end && !hit.found; done += batch) {
    vertex_id source[batch];
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
      source[i] = i < end - begin ? job.graph.in.targets[begin + i] : no_vertex;
    }
#pragma unroll
    for (unsigned i = 0; i < batch; ++i) {
      if (is_parent(job, visited, visitor, source[i], v, static_cast<Position>(begin + i)) &&
          !hit.found) {
        hit = {true, static_cast<Position>(begin + i), source[i]};
      }
    }
    begin = end - begin > batch ? begin + batch : end;
  }
}

/// The rest of the rows of the lanes in `lanes`, by the whole warp.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_together(const first_visit_job<W, Position, Shape>& job,
                              const bit_word* visited, const Visitor& visitor, unsigned lanes,
                              vertex_id v, Position begin, Position end, pull_hit<Position>& hit) {
  while (lanes != 0) {
    const int leader = __ffs(static_cast<int>(lanes)) - 1;
    lanes &= lanes - 1;
    const vertex_id row_vertex = __shfl_sync(~0U, v, leader);
    const Position row_begin = __shfl_sync(~0U, begin, leader);
    const auto size = static_cast<unsigned>(__shfl_sync(~0U, end, leader) - row_begin);
    for (unsigned done = 0; done < size; done += 32) {
      const unsigned k = done + lane_id();
      const Position position = row_begin + k;
      const vertex_id source = k < size ? job.graph.in.targets[position] : no_vertex;
      const unsigned hits =
          __ballot_sync(~0U, is_parent(job, visited, visitor, source, row_vertex, position));
      if (hits != 0) {
        const int first = __ffs(static_cast<int>(hits)) - 1;
        const vertex_id parent = __shfl_sync(~0U, source, first);
        if (lane_id() == static_cast<unsigned>(leader)) {
          hit = {true, static_cast<Position>(row_begin + done + static_cast<unsigned>(first)),
                 parent};
        }
        break;
      }
    }
  }
}

}  // namespace tendril::cuda
