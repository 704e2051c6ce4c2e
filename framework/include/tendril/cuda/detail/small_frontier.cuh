#pragma once

#include "tendril/cuda/detail/small_exchange.cuh"
#include "tendril/cuda/detail/small_solo.cuh"

// Graphs of many narrow levels (roads, meshes, paths): a level costs latency, not bandwidth, so one
// cluster of up to 16 blocks does them all, in shared memory, with one cluster barrier a level.
//
// Each block owns every 16th vertex or so, and their visited bits. A candidate for the next level
// is sent to its owner's inbox by a plain store to the owner's shared memory; each sending block
// has a segment of its own there and counts its slots locally, so nothing travels back. In the next
// level warp w of the owner reads the segment of block w up to the first empty slot, claims,
// records the arrival, and sends on. Three inboxes take turns: one is read, one is filled, one is
// emptied.
//
// A level is expanded again when the traversal is handed over: a segment ran full, a level grew too
// large, or the log did. The frontier's targets are then claimed in their owners' bitmaps directly
// and queued as the frontier of the large kernels.

namespace tendril::cuda {

template <class Block>
__device__ void run_small(Block& block, const kernel_entry& entry) {
  take_over(block, entry);
  std::int32_t level = block.first_level;
  std::int32_t batch_begin = level;
  while (true) {
    const bool expands = level != block.job.depth_limit;
    read_inbox(block, level, expands);
    block.cluster.sync();
    const bool overflow = block.control.overflow != 0;
    if (overflow || !expands ||
        level - batch_begin + 1 == static_cast<std::int32_t>(small_shape::batch)) {
      small_verdict verdict = look(block, batch_begin, level, overflow);
      batch_begin = level + 1;
      if (verdict == small_verdict::solo) {
        verdict = go_alone(block, level + 1);
        batch_begin = block.control.level;
        block.first_level = batch_begin;
        level = batch_begin - 1;
      }
      if (verdict != small_verdict::go_on) {
        if (verdict == small_verdict::hand_over) {
          hand_over(block, level);
        }
        leave(block, entry, verdict);
        return;
      }
    }
    ++level;
  }
}

/// One cluster. Dynamic shared memory: small_block::shared_bytes.
template <class Position, weight W, class Visitor>
__global__ void __launch_bounds__(small_shape::threads, 1)
    small_kernel(const __grid_constant__ first_visit_job<W, Position> job,
                 const __grid_constant__ Visitor visitor, kernel_entry entry) {
  extern __shared__ __align__(256) std::byte small_memory[];
  small_block<W, Position, Visitor> block(job, visitor, small_memory);
  run_small(block, entry);
}

}  // namespace tendril::cuda
