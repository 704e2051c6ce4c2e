#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/first_visit_steps.cuh"

namespace tendril::cuda {

/// How a kernel enters a traversal.
struct kernel_entry {
  bool fresh;           ///< begins the traversal; else goes on from cursors[parity]
  bool drained;         ///< the host has read the log
  std::uint32_t parity;  ///< the new place goes to cursors[parity ^ 1]
};

/// Sets the block's cursor. Ends with a barrier of the block.
__device__ inline void enter(const traversal_state& state, const kernel_entry& entry,
                             traversal_cursor& cursor) {
  if (threadIdx.x == 0) {
    cursor = entry.fresh ? traversal_cursor{} : state.cursors[entry.parity];
    if (entry.drained) {
      cursor.num_logged = 0;
    }
  }
  __syncthreads();
}

__device__ inline void leave(traversal_state& state, const kernel_entry& entry,
                             const traversal_cursor& cursor) {
  if (is_first_thread()) {
    state.cursors[entry.parity ^ 1U] = cursor;
    state.end_ns = nanoseconds();
  }
}

/// All steps, one cooperative grid. Work mapping: kernel_shape; shared memory: block_scratch.
template <weight W, class Position, class Visitor>
__global__ void __launch_bounds__(kernel_shape::threads, kernel_shape::blocks_per_multiprocessor)
    resident_first_visit(const __grid_constant__ first_visit_job<W, Position> job,
                         const __grid_constant__ Visitor visitor, kernel_entry entry) {
  __shared__ block_scratch<Position> scratch;
  const auto grid = cooperative_groups::this_grid();
  enter(*job.state, entry, scratch.cursor);
  while (take_step(job, visitor, scratch)) {
    grid.sync();
  }
  leave(*job.state, entry, scratch.cursor);
}

/// One step, an ordinary grid. A step after the end does nothing.
template <weight W, class Position, class Visitor>
__global__ void __launch_bounds__(kernel_shape::threads, kernel_shape::blocks_per_multiprocessor)
    stepped_first_visit(const __grid_constant__ first_visit_job<W, Position> job,
                        const __grid_constant__ Visitor visitor, kernel_entry entry) {
  __shared__ block_scratch<Position> scratch;
  enter(*job.state, entry, scratch.cursor);
  if (scratch.cursor.status == traversal_status::running) {
    take_step(job, visitor, scratch);
  }
  leave(*job.state, entry, scratch.cursor);
}

}  // namespace tendril::cuda
