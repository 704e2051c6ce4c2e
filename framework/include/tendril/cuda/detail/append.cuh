#pragma once

#include "tendril/cuda/detail/kernel_types.cuh"

// Appending to the queue: a block's threads bring up to Items vertices each, one scan orders them,
// one atomic reserves their slots and their edges. What a tile of the next level is, "edges k * T
// .. (k + 1) * T - 1", needs no other pass.

namespace tendril::cuda {

template <class Position, unsigned Items>
struct new_entries {
  vertex_id vertices[Items];  ///< no_vertex: nothing
  Position first_edges[Items];
  Position degrees[Items];
};

/// Writes a thread's entries.
/// @param before  slots and edges that come before them in the level
template <class Position, unsigned Items>
__device__ void put_all(const new_entries<Position, Items>& entries, unsigned long long before,
                        const frontier_queue<Position>& slots, const packed_counts& counts) {
  std::uint32_t slot = counts.vertices(before);
  auto edges = static_cast<Position>(counts.edges(before));
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (entries.vertices[i] != no_vertex) {
      slots.put(slot++, entries.vertices[i], entries.first_edges[i], edges);
      edges += entries.degrees[i];
    }
  }
}

/// @param slots  the queue from the slot where the level being made begins
/// @param total  of that level
/// Called by every thread of the block; ends with a barrier of the block.
template <class Position, unsigned Items, class Shape>
__device__ void append(const new_entries<Position, Items>& entries,
                       const frontier_queue<Position>& slots, const packed_counts& counts,
                       unsigned long long* total, block_scratch<Position, Shape>& scratch) {
  using scan = typename block_scratch<Position, Shape>::scan;
  tally mine;
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (entries.vertices[i] != no_vertex) {
      ++mine.vertices;
      mine.edges += entries.degrees[i];
    }
  }
  unsigned long long before = 0;
  unsigned long long sum = 0;
  scan(scratch.scan_storage).ExclusiveSum(counts.pack(mine.vertices, mine.edges), before, sum);
  if (threadIdx.x == 0 && sum != 0) {
    scratch.base = atomicAdd(total, sum);
  }
  __syncthreads();
  if (mine.vertices != 0) {
    put_all(entries, before + scratch.base, slots, counts);
  }
  __syncthreads();
}

/// One atomic for the whole warp. Called by all of its lanes.
/// @return what of `total` comes before the share of this lane, which is `mine` more
__device__ inline unsigned long long reserve_by_warp(unsigned long long mine,
                                                     unsigned long long* total) {
  unsigned long long through = mine;
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned long long below = __shfl_up_sync(~0U, through, offset);
    through += lane_id() >= offset ? below : 0;
  }
  unsigned long long base = 0;
  if (lane_id() == 31 && through != 0) {
    base = atomicAdd(total, through);
  }
  return __shfl_sync(~0U, base, 31) + through - mine;
}

/// append() for a warp alone, where few of a block's warps have something.
template <class Position, unsigned Items>
__device__ void append_by_warp(const new_entries<Position, Items>& entries,
                               const frontier_queue<Position>& slots, const packed_counts& counts,
                               unsigned long long* total) {
  unsigned long long mine = 0;
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (entries.vertices[i] != no_vertex) {
      mine += counts.pack(1, entries.degrees[i]);
    }
  }
  put_all(entries, reserve_by_warp(mine, total), slots, counts);
}

}  // namespace tendril::cuda
