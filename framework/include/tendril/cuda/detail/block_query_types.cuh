#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/cuda/detail/kernel_types.cuh"
#include "tendril/query/reach.hpp"

// What the host and the device know of queries that have a block each.

namespace tendril::cuda {

struct block_query_shape {
  static constexpr unsigned threads = 1024;
  static constexpr std::uint32_t queue_entries = 4096;  ///< of each of two queues
  static constexpr std::size_t queue_bytes =
      2 * queue_entries * sizeof(vertex_id);          ///< shared memory
  static constexpr std::uint32_t long_degree = 512;   ///< such a row is left to the whole block
  static constexpr std::uint32_t long_rows = 512;     ///< in one level; more are done by warps
  static constexpr std::size_t control_bytes = 3072;  ///< shared memory beside queues and bitmap
};

/// When a query ran, by the GPU's clock, and on which block.
struct block_query_times {
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
  std::uint32_t block;
};

/// What the kernel is told, by value.
template <weight W, class Position>
struct block_query_job {
  kernel_graph<W, Position> graph;
  const vertex_id* sources;  ///< [num_queries]
  std::uint32_t num_queries;
  reach_summary* answers;        ///< [num_queries]
  vertex_id* level_counts;       ///< [num_queries][counted_levels]
  std::uint32_t counted_levels;  ///< deeper levels are not counted
  block_query_times* times;      ///< [num_queries]; null: not wanted
  std::uint32_t* ticket;         ///< queries taken after the first of each block
  bit_word* bitmaps;             ///< [blocks][num_words]; null: in shared memory
  vertex_id* spilled;            ///< [blocks][num_vertices]
};

/// Shared memory apart from the queues and the bitmap.
struct block_query_control {
  std::uint32_t sizes[3];  ///< of the frontier of level % 3
  std::uint32_t query;
  bool stops;
  std::uint32_t num_long;  ///< rows left to the block, if there was room for all
  vertex_id long_rows[block_query_shape::long_rows];
};
static_assert(sizeof(block_query_control) <= block_query_shape::control_bytes);

}  // namespace tendril::cuda
