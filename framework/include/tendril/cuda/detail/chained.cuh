#pragma once

#include "tendril/cuda/detail/kernels.cuh"

// A traversal in which each step launches the next: the block that finishes the last tile of a step
// moves the cursor on, as the host would, and launches the next step into the tail stream, in a
// grid of exactly as many blocks as that has tiles; a step of one tile it does itself. The state
// names the step that was launched last, so that the host can go on from there if a launch is
// refused. Needs -rdc=true.

namespace tendril::cuda {

/// What the links of a chain share, in device memory; zero when a chain begins.
struct chain_state {
  schedule::launch_counters counters[2];
  std::uint32_t error;  ///< cudaError_t of the launch that was refused
};

/// What a link is told.
struct chain_link {
  chain_state* state;  ///< null: this step launches nothing
  step_launch step;
  schedule::told_way way;
  std::uint32_t number;          ///< in the chain; the host launches link 0
  std::uint32_t refused_launch;  ///< see cuda_tuning
};

template <class Position, class Job, class Visitor>
__global__ void chained_kernel(const __grid_constant__ Job job,
                               const __grid_constant__ Visitor visitor,
                               const __grid_constant__ chain_link link);

/// More shared memory than a block of any device has.
inline constexpr std::size_t impossible_shared_bytes = std::size_t{1} << 30U;

/// Launches the step of the cursor. @return what the launching thread is told
template <class Position, class Job, class Visitor>
[[nodiscard]] __device__ cudaError_t launch_link(const Job& job, const Visitor& visitor,
                                                 const chain_link& before,
                                                 const traversal_cursor& cursor,
                                                 std::uint32_t tiles) {
  const chain_link next{before.state,
                        {cursor,
                         schedule::device::supply_of(before.way, tiles, job.resident_blocks,
                                                     before.step.supply.control.memory.after()),
                         nullptr, 0},
                        before.way,
                        before.number + 1,
                        before.refused_launch};
  const std::size_t shared_bytes =
      next.number == before.refused_launch ? impossible_shared_bytes : 0;
  chained_kernel<Position, Job, Visitor>
      <<<next.step.supply.num_blocks, Job::shape::threads, shared_bytes, cudaStreamTailLaunch>>>(
          job, visitor, next);
  return cudaGetLastError();
}

/// Moves on to the next step and launches it, unless the chain ends: at the end of the traversal,
/// where the log is full, or where the launch is refused. One thread.
/// @return true: it has one tile, which costs less than a launch, and is the block's share now
template <class Position, class Job, class Visitor>
[[nodiscard]] __device__ bool continue_chain(
    const Job& job, const Visitor& visitor, const chain_link& link,
    block_scratch<Position, typename Job::shape>& scratch) {
  traversal_cursor& cursor = scratch.cursor;
  move_on<Visitor>(cursor);
  if (cursor.step == traversal_step::choose) {
    begin_logged_level(job, visitor, cursor, true);
  }
  const bool ends = cursor.step == traversal_step::choose;
  const std::uint32_t tiles = num_tiles(job, cursor, link.way.way);
  if (!ends && tiles == 1) {
    scratch.share = {0, 1};
    return true;
  }
  job.state->cursors[0] = cursor;
  job.state->end_ns = nanoseconds();
  if (!ends) {
    link.state->error = launch_link<Position>(job, visitor, link, cursor, tiles);
  }
  return false;
}

/// What follows a tile. One thread, after a barrier of its block.
/// @return the block has a step to take that has one tile
template <class Position, class Job, class Visitor>
[[nodiscard]] __device__ bool end_tile(const Job& job, const Visitor& visitor,
                                       const chain_link& link,
                                       block_scratch<Position, typename Job::shape>& scratch) {
  const bool has_more_to_do = link.state != nullptr || link.step.news != nullptr;
  if (!has_more_to_do || !finishes_step(*job.state, scratch.share.count)) {
    return false;
  }
  if (link.state != nullptr) {
    return continue_chain<Position>(job, visitor, link, scratch);
  }
  publish(*job.state, link.step);
  return false;
}

/// Runs the tiles of one step, and launches the next.
template <class Position, class Job, class Visitor>
__global__ void __launch_bounds__(Job::shape::threads, Job::shape::blocks_per_multiprocessor)
    chained_kernel(const __grid_constant__ Job job, const __grid_constant__ Visitor visitor,
                   const __grid_constant__ chain_link link) {
  __shared__ block_scratch<Position, typename Job::shape> scratch;
  __shared__ schedule::device::tile_supply::storage storage;
  __shared__ bool goes_on;
  const schedule::device::tile_supply supply(link.step.supply, storage);
  if (!supply.start()) {
    return;
  }
  if (threadIdx.x == 0) {
    scratch.cursor = link.step.cursor;
    scratch.share.count = link.step.supply.num_tiles;
  }
  while (supply.next(scratch.share.index)) {
    do {
      run_step(job, visitor, scratch);
      __syncthreads();
      if (threadIdx.x == 0) {
        goes_on = end_tile<Position>(job, visitor, link, scratch);
      }
      __syncthreads();
    } while (goes_on);
  }
}

}  // namespace tendril::cuda
