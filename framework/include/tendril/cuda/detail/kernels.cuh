#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/first_visit_steps.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/cuda/detail/relaxing_steps.cuh"
#include "tendril/schedule/device/supply.cuh"

// The kernel of both kinds of traversal: Job is first_visit_job or relaxing_job, and the steps are
// found by it. One kernel goes through all steps, or runs the tiles of one, since what takes time
// to compile is the steps. Work mapping: Job::shape; shared memory: block_scratch, and 100 bytes.

namespace tendril::cuda {

/// A launch that runs the tiles of one step.
struct step_launch {
  traversal_cursor cursor;  ///< the step
  schedule::device::supply_arguments supply;
  level_news* news;      ///< where its last tile writes; null: nowhere
  std::uint32_t number;  ///< of the news
};

/// What a launch does.
struct kernel_role {
  bool is_resident;    ///< all steps from `entry` on, as a cooperative grid; else one
  kernel_entry entry;  ///< of a resident kernel
  step_launch step;    ///< else
};

/// Tells the host how a level ended. One thread.
__device__ inline void publish(const traversal_state& state, const step_launch& step) {
  for (int i = 0; i < 3; ++i) {
    step.news->totals[i] = __ldcg(&state.totals[i]);
  }
  step.news->stop = state.stop;
  __threadfence_system();
  *static_cast<volatile std::uint32_t*>(&step.news->number) = step.number;
}

/// Whether a traversal that still runs is at `choose`. A volatile read: the compiler would
/// otherwise let all threads read what only the first one is asked for, and is about to write.
[[nodiscard]] __device__ inline bool is_at_choose(const traversal_cursor& cursor) {
  const volatile traversal_cursor& now = cursor;
  return now.step == traversal_step::choose && now.status == traversal_status::running;
}

/// Whether a resident kernel has a step to take. Called by every thread, after a barrier.
template <class Job, class Visitor, class Position, class Shape>
__device__ bool reach_step(const Job& job, const Visitor& visitor,
                           block_scratch<Position, Shape>& scratch) {
  traversal_cursor& cursor = scratch.cursor;
  if (threadIdx.x == 0 && is_at_choose(cursor)) {
    begin_logged_level(job, visitor, cursor, blockIdx.x == 0);
  }
  __syncthreads();
  return cursor.step != traversal_step::choose;
}

template <class Position, class Job, class Visitor>
__global__ void __launch_bounds__(Job::shape::threads, Job::shape::blocks_per_multiprocessor)
    traverse_kernel(const __grid_constant__ Job job, const __grid_constant__ Visitor visitor,
                    const __grid_constant__ kernel_role role) {
  __shared__ block_scratch<Position, typename Job::shape> scratch;
  __shared__ schedule::device::tile_supply::storage storage;
  const schedule::device::tile_supply supply(role.step.supply, storage);
  if (!role.is_resident && !supply.start()) {
    return;
  }
  bool works = false;
  if (threadIdx.x == 0) {
    scratch.cursor = role.is_resident ? entered(*job.state, role.entry) : role.step.cursor;
    scratch.share = {blockIdx.x, role.is_resident ? gridDim.x : role.step.supply.num_tiles};
    works = scratch.cursor.status == traversal_status::running;
  }
  while (role.is_resident ? reach_step(job, visitor, scratch) : supply.next(scratch.share.index)) {
    run_step(job, visitor, scratch);
    if (role.is_resident) {
      // Its bit is what others clear its word to, so it need not wait for them.
      const bool enters_at_once =
          scratch.cursor.step == traversal_step::clear && has_one_source(job);
      __syncthreads();
      if (threadIdx.x == 0) {
        move_on<Visitor>(scratch.cursor);
      }
      if (!enters_at_once) {
        cooperative_groups::this_grid().sync();
      }
    } else if (role.step.news != nullptr) {
      __syncthreads();
      if (threadIdx.x == 0 && finishes_step(*job.state, role.step.supply.num_tiles)) {
        publish(*job.state, role.step);
      }
    }
  }
  if (role.is_resident && threadIdx.x == 0) {
    leave(*job.state, role.entry, scratch.cursor, works);
  }
}

}  // namespace tendril::cuda
