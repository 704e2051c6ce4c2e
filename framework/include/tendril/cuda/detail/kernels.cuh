#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/first_visit_steps.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/cuda/detail/relaxing_steps.cuh"

// The kernel of both kinds of traversal: Job is first_visit_job or relaxing_job, and take_step is
// found by it. Work mapping: kernel_shape; shared memory: block_scratch.

namespace tendril::cuda {

/// Takes steps to the end, as a cooperative grid, or one step, as an ordinary one; a step after the
/// end does nothing.
template <class Position, class Job, class Visitor>
__global__ void __launch_bounds__(kernel_shape::threads, kernel_shape::blocks_per_multiprocessor)
    traverse_kernel(const __grid_constant__ Job job, const __grid_constant__ Visitor visitor,
                    kernel_entry entry) {
  __shared__ block_scratch<Position> scratch;
  enter(*job.state, entry, scratch.cursor);
  const bool works = scratch.cursor.status == traversal_status::running;
  __syncthreads();  // before a step changes it
  while (works && take_step(job, visitor, scratch) && entry.is_resident) {
    cooperative_groups::this_grid().sync();
  }
  leave(*job.state, entry, scratch.cursor, works);
}

}  // namespace tendril::cuda
