#pragma once

#include "cuda/lanes/types.cuh"
#include "tendril/cuda/detail/append.cuh"

// What a level of a pass begins and ends with, and the queue.

namespace tendril::cuda {

/// Appends a vertex per thread that has one; the warp reserves for all. Called by whole warps.
__device__ inline void append_lane_vertex(const lane_job& job, bool is_new, vertex_id v,
                                          std::uint32_t queue, unsigned long long* total) {
  const unsigned long long mine = is_new ? job.counts.pack(1, job.out.degree(v)) : 0;
  const unsigned long long before = reserve_by_warp(mine, total);
  if (is_new) {
    const std::uint32_t slot = job.counts.vertices(before);
    job.queues[queue][slot] = v;
    job.befores[queue][slot] = job.counts.edges(before);
  }
}

/// Level of a slot after this one.
[[nodiscard]] __device__ inline std::uint32_t slot_of(std::int32_t level) {
  return static_cast<std::uint32_t>(level) % 3;
}

/// Chooses the phase that expands the level of the cursor.
__device__ inline void choose_phase(const lane_job& job, lane_cursor& cursor) {
  const volatile lane_state& state = *job.state;
  if (cursor.level + 1 > job.last_level) {
    cursor.phase = lane_phase::pause;
    return;
  }
  const bool can_pull = job.in.targets != nullptr;
  if (cursor.in_queue) {
    const unsigned long long total = state.totals[slot_of(cursor.level)];
    cursor.frontier = job.counts.vertices(total);
    cursor.edges = job.counts.edges(total);
    cursor.phase = can_pull && cursor.edges > job.num_edges / lane_limits::pull_share
                       ? lane_phase::pull
                       : lane_phase::copy;
  } else {
    const std::uint32_t frontier = state.changed[slot_of(cursor.level)];
    cursor.phase =
        frontier < job.num_vertices / lane_limits::list_share ? lane_phase::list : lane_phase::pull;
  }
}

/// Moves the cursor on after a phase. By one thread of each block, all with the same outcome.
template <unsigned Words>
__device__ void advance(const lane_job& job, lane_cursor& cursor) {
  const volatile lane_state& state = *job.state;
  switch (cursor.phase) {
    case lane_phase::copy:
      cursor.phase = lane_phase::push;
      return;
    case lane_phase::list: {
      const unsigned long long total = state.totals[slot_of(cursor.level)];
      cursor.frontier = job.counts.vertices(total);
      cursor.edges = job.counts.edges(total);
      cursor.phase = lane_phase::push;
      return;
    }
    case lane_phase::push:
    case lane_phase::pull: {
      cursor.in_queue = cursor.phase == lane_phase::push;
      cursor.queue ^= cursor.in_queue ? 1U : 0U;
      cursor.now ^= 1U;
      ++cursor.level;
      unsigned long long alive = 0;
      for (unsigned w = 0; w < Words; ++w) {
        alive |= state.alive[slot_of(cursor.level)][w];
      }
      if (alive == 0) {
        cursor.phase = lane_phase::done;
        return;
      }
      break;
    }
    case lane_phase::start:
    case lane_phase::pause:
    case lane_phase::done:
      break;
  }
  if (cursor.phase != lane_phase::done) {
    choose_phase(job, cursor);
  }
}

/// Words of a bitmap of all vertices.
[[nodiscard]] __device__ inline std::uint32_t fresh_words(const lane_job& job) {
  return static_cast<std::uint32_t>((std::uint64_t{job.num_vertices} + bits_per_word - 1) /
                                    bits_per_word);
}

/// Clears what the block counts in a level, and the slots of the level after the next. Ends with a
/// barrier.
template <unsigned Words>
__device__ void begin_level(const lane_job& job, lane_scratch<Words>& scratch) {
  using shape = lane_shape<Words>;
  for (unsigned lane = threadIdx.x; lane < shape::lanes; lane += shape::threads) {
    scratch.counts[lane] = 0;
  }
  if (threadIdx.x == 0) {
    scratch.changed = 0;
  }
  const std::int32_t level = scratch.cursor.level;
  for (std::uint32_t word = blockIdx.x * shape::threads + threadIdx.x; word < fresh_words(job);
       word += gridDim.x * shape::threads) {
    job.fresh[slot_of(level + 2)][word] = 0;
  }
  if (blockIdx.x == 0 && threadIdx.x < Words) {
    job.state->alive[slot_of(level + 2)][threadIdx.x] = 0;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    job.state->totals[slot_of(level + 2)] = 0;
    job.state->changed[slot_of(level + 2)] = 0;
    job.state->tickets[static_cast<std::uint32_t>(level + 1) % 2] = 0;
  }
  __syncthreads();
}

/// Adds what the block counted to the level that it made.
template <unsigned Words>
__device__ void end_level(const lane_job& job, lane_scratch<Words>& scratch) {
  using shape = lane_shape<Words>;
  __syncthreads();
  const std::int32_t level = scratch.cursor.level + 1;
  const std::size_t row = static_cast<std::size_t>(level - job.first_level) * shape::lanes;
  for (unsigned lane = threadIdx.x; lane < shape::lanes; lane += shape::threads) {
    const vertex_id count = scratch.counts[lane];
    if (count != 0) {
      atomicAdd(&job.level_counts[row + lane], count);
    }
    const unsigned alive = __ballot_sync(~0U, count != 0);
    if (lane_id() == 0 && alive != 0) {
      atomicOr(&job.state->alive[slot_of(level)][lane / 64], static_cast<unsigned long long>(alive)
                                                                 << (lane % 64));
    }
  }
  if (threadIdx.x == 0 && scratch.changed != 0) {
    atomicAdd(&job.state->changed[slot_of(level)], scratch.changed);
  }
}

}  // namespace tendril::cuda
