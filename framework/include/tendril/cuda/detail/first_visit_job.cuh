#pragma once

#include "tendril/cuda/detail/kernel_entry.cuh"

namespace tendril::cuda {

/// Everything a first-visit kernel is told, by value.
template <weight W, class Position, class Shape>
struct first_visit_job : level_job<W, Position, Shape> {
  frontier_queue<Position> queue;  ///< num_vertices entries: each vertex enters once; without edges
                                   ///< where rows are pushed (push_rows.cuh)
  bit_word* bits[2];               ///< [num_words] each; the one behind is a subset of the other
  direction wanted;
  float pull_bias;
  std::uint64_t marking_edges;  ///< pushes of more edges mark, where the visitor reads none
  std::uint32_t small_limit;

  [[nodiscard]] __device__ bit_word* visited(const traversal_cursor& cursor) const {
    return bits[cursor.visited];
  }
  [[nodiscard]] __device__ bit_word* behind(const traversal_cursor& cursor) const {
    return bits[cursor.visited ^ 1U];
  }
};

}  // namespace tendril::cuda
