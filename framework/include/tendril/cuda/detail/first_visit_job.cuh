#pragma once

#include "tendril/cuda/detail/kernel_entry.cuh"

namespace tendril::cuda {

/// Everything a first-visit kernel is told, by value.
template <weight W, class Position>
struct first_visit_job {
  kernel_graph<W, Position> graph;
  frontier_queue<Position> queue;  ///< num_vertices entries: each vertex enters once
  bit_word* bits[2];               ///< [num_words] each; the one behind is a subset of the other
  traversal_state* state;
  level_record* log;
  const vertex_id* sources;
  std::uint32_t num_sources;
  std::uint32_t log_capacity;
  std::int32_t depth_limit;
  direction wanted;
  packed_counts counts;
  float pull_bias;
  float edge_pull_bias;
  std::uint32_t dense_push;
  std::uint32_t small_limit;

  [[nodiscard]] __device__ bit_word* visited(const traversal_cursor& cursor) const {
    return bits[cursor.visited];
  }
  [[nodiscard]] __device__ bit_word* behind(const traversal_cursor& cursor) const {
    return bits[cursor.visited ^ 1U];
  }
};

}  // namespace tendril::cuda
