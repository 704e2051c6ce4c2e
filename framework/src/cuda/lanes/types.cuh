#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/cuda/detail/kernel_types.cuh"
#include "tendril/cuda/reach.hpp"

// What the kernels of a search by lanes share. A mask of 64 x Words lanes per vertex says which
// searches have seen it, in two copies: one as it was before the level, which all read, one as it
// is after it, which the level writes. A search comes to a vertex from a neighbour that it had seen
// before; bits that a neighbour has had for longer the vertex has too, so that no mask of the
// frontier itself is needed.

namespace tendril::cuda {

/// Work mapping of the kernels.
template <unsigned Words>
struct lane_shape {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  static constexpr unsigned lanes = 64 * Words;
  static constexpr unsigned vector_words = Words == 1 ? 1 : 2;  ///< of a mask, in one load
  static constexpr unsigned parts = Words / vector_words;       ///< threads that share a vertex
  static constexpr unsigned warps = threads / 32;
  static constexpr unsigned warp_groups = 32 / parts;  ///< vertices at a time in a warp
  static constexpr unsigned warp_rows = 2;             ///< long rows of a warp per ticket
  static constexpr unsigned most_rows = parts > warp_rows ? parts : warp_rows;  ///< of a thread
  static constexpr unsigned fetched = 4;         ///< masks that a thread reads at a time
  static constexpr unsigned row_edges = 128;     ///< of a block's row, for a warp at a time
  static constexpr unsigned counter_planes = 6;  ///< bits of a thread's counts

  /// Which part of a mask the thread has.
  [[nodiscard]] static __device__ unsigned part() { return threadIdx.x % parts; }
  /// Where it has v's in the masks.
  [[nodiscard]] static __device__ std::size_t place_of(vertex_id v) {
    return std::size_t{v} * parts + part();
  }
};

/// Constants that measurements chose.
struct lane_limits {
  static constexpr std::uint32_t block_degree = 4096;  ///< a pull gives such a row to a block
  static constexpr std::uint32_t warp_degree = 128;    ///< ... to a warp; shorter ones to a thread
                                                       ///< per part of the mask
  static constexpr std::uint64_t pull_share = 8;    ///< pull if frontier edges > edges / pull_share
  static constexpr std::uint32_t list_share = 256;  ///< push again below vertices / list_share
};

/// A part of a mask, moved in one load or store.
template <unsigned Words>
struct alignas(8 * Words) lane_bits {
  std::uint64_t word[Words];

  [[nodiscard]] __device__ bool any() const {
    std::uint64_t all = 0;
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) {
      all |= word[w];
    }
    return all != 0;
  }
  __device__ lane_bits& operator|=(const lane_bits& other) {
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) {
      word[w] |= other.word[w];
    }
    return *this;
  }
  [[nodiscard]] __device__ friend lane_bits operator&(lane_bits a, const lane_bits& b) {
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) {
      a.word[w] &= b.word[w];
    }
    return a;
  }
  [[nodiscard]] __device__ friend lane_bits without(lane_bits a, const lane_bits& b) {
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) {
      a.word[w] &= ~b.word[w];
    }
    return a;
  }
};

/// The lanes of a part, OR'ed over the threads of a warp that hold the same part.
template <class Shape, unsigned Words>
[[nodiscard]] __device__ lane_bits<Words> joined_by_warp(lane_bits<Words> bits) {
#pragma unroll
  for (unsigned offset = Shape::parts; offset < 32; offset *= 2) {
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) {
      bits.word[w] |= __shfl_xor_sync(~0U, bits.word[w], static_cast<int>(offset));
    }
  }
  return bits;
}

/// Rows as kernels read them.
struct lane_device_rows : lane_graph::rows {
  [[nodiscard]] __device__ edge_offset first_edge(std::size_t v) const {
    return narrow != nullptr ? narrow[v] : wide[v];
  }
  [[nodiscard]] __device__ edge_offset degree(std::size_t v) const {
    return first_edge(v + 1) - first_edge(v);
  }
};

/// What a pass does next. Between two phases all blocks wait for each other.
enum class lane_phase : std::uint32_t {
  start,  ///< nothing was done: decides
  copy,   ///< the frontier's masks, to the copy that the level writes
  push,
  list,  ///< after pulls: queues the frontier, and copies its masks
  pull,
  pause,  ///< the host must make room for what comes
  done
};

/// The place in a pass: each block keeps its own copy, all equal.
struct lane_cursor {
  lane_phase phase;
  std::int32_t level;   ///< that is expanded
  std::uint32_t now;    ///< which masks are those before the level
  std::uint32_t queue;  ///< which queue holds the frontier
  bool in_queue;        ///< the frontier is queued
  std::uint32_t frontier;
  std::uint64_t edges;
};

/// Shared by all blocks, in device memory. Slot level % 3 belongs to a level.
struct lane_state {
  unsigned long long totals[3];    ///< queued vertices and their edges, packed
  unsigned long long alive[3][8];  ///< lanes that found something
  std::uint32_t changed[3];        ///< vertices that a pull found
  std::uint32_t tickets[2];        ///< of level % 2
  lane_cursor cursors[2];          ///< a stepped kernel reads one and writes the other
};

/// What a pass is told, by value.
struct lane_job {
  lane_device_rows out;
  lane_device_rows in;  ///< no targets where a pull is not prepared
  edge_offset num_edges;
  vertex_id num_vertices;
  packed_counts counts;
  std::uint64_t* masks[2];            ///< [num_vertices][Words] each
  std::uint64_t* planes[32];          ///< the same: bits of depths
  std::uint32_t num_planes;           ///< 0: no depths are wanted
  vertex_id* queues[2];               ///< [num_vertices] each
  std::uint64_t* befores[2];          ///< edges of the entries before; [num_vertices] each
  bit_word* fresh[3];                 ///< who is in the frontier of level % 3
  const vertex_id* order;             ///< vertices with in-edges by degree, descending
  const std::uint32_t* order_starts;  ///< where each bucket of degrees begins in it
  std::uint8_t* finished;    ///< a bit for each part of a vertex, by its place in the order
  vertex_id* level_counts;   ///< [level - first_level][lanes]
  std::int32_t first_level;  ///< whose counts stand first
  std::int32_t last_level;   ///< that there is room for
  const vertex_id* sources;
  std::uint32_t num_sources;
  lane_state* state;
};

/// Buckets of degrees for the order: exact below 16, then eight for each doubling.
inline constexpr std::uint32_t num_degree_buckets = 256;

/// Descending: bucket 0 has the largest degrees, the last one degree 0.
[[nodiscard]] __host__ __device__ constexpr std::uint32_t degree_bucket(std::uint64_t degree) {
  std::uint32_t ascending = static_cast<std::uint32_t>(degree);
  if (degree >= 16) {
    std::uint32_t exponent = 4;
    while (degree >> (exponent + 1) != 0) {
      ++exponent;
    }
    ascending = 16 + (exponent - 4) * 8 + static_cast<std::uint32_t>(degree >> (exponent - 3) & 7U);
  }
  return num_degree_buckets - 1 -
         (ascending < num_degree_buckets ? ascending : num_degree_buckets - 1);
}

/// A block's shared memory.
template <unsigned Words>
struct lane_scratch {
  using shape = lane_shape<Words>;
  lane_cursor cursor;
  vertex_id counts[shape::lanes];  ///< vertices that each search found in this level
  lane_bits<shape::vector_words> alive[shape::parts];  ///< lanes that the level goes on with
  std::uint32_t changed;
  std::uint32_t tickets[2];  ///< the block's, in turn
  std::uint32_t bounds[2];
  lane_bits<shape::vector_words> row[shape::warps][shape::parts];  ///< of a block's row
  /// Bit-sliced counters of each thread: plane k holds bit k of how often it saw each lane.
  lane_bits<shape::vector_words> counters[shape::counter_planes][shape::threads];
};

}  // namespace tendril::cuda
