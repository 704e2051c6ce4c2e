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

/// @param slots  the queue from the slot where the level being made begins
/// @param total  of that level
/// Called by every thread of the block; ends with a barrier of the block.
template <class Position, unsigned Items>
__device__ void append(const new_entries<Position, Items>& entries,
                       const frontier_queue<Position>& slots, const packed_counts& counts,
                       unsigned long long* total, block_scratch<Position>& scratch) {
  using scan = typename block_scratch<Position>::scan;
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
    before += scratch.base;
    std::uint32_t slot = counts.vertices(before);
    auto edges = static_cast<Position>(counts.edges(before));
#pragma unroll
    for (unsigned i = 0; i < Items; ++i) {
      if (entries.vertices[i] != no_vertex) {
        slots.edges_before[slot] = edges;
        slots.shift[slot] = entries.first_edges[i] - edges;
        if (slots.vertices != nullptr) {
          slots.vertices[slot] = entries.vertices[i];
        }
        ++slot;
        edges += entries.degrees[i];
      }
    }
  }
  __syncthreads();
}

}  // namespace tendril::cuda
