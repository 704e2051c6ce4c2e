#pragma once

#include "cuda/grow/finish.cuh"
#include "cuda/grow/part.cuh"
#include "cuda/grow/plan.cuh"

namespace tendril::cuda {

// Dynamic shared memory of the kernels.
template <class Key>
inline constexpr std::size_t part_bytes = sizeof(part_storage<Key>);
template <class Key>
inline constexpr std::size_t finish_bytes =
    sizeof(typename finish_blocks<Key, growth_shape::per_thread>::storage);

template <class Key>
__global__ void count_kernel(growth<Key> g, std::uint32_t round);

/// True if the launch just made was accepted. If not, the state says where the host is to go on.
template <class Key>
[[nodiscard]] __device__ bool accepted(const growth<Key>& g, growth_stop stage,
                                       std::uint32_t growth_state::*counter) {
  if (cudaGetLastError() != cudaSuccess) {
    g.state->stopped = stage;
    ++g.state->refused;
    return false;
  }
  ++(g.state->*counter);
  return true;
}

/// True if a test wants this launch refused.
template <class Key>
[[nodiscard]] __device__ bool is_refused_on_purpose(const growth<Key>& g, growth_stop stage) {
  if (g.refuse_every == 0 || ++g.state->attempts % g.refuse_every != 0) {
    return false;
  }
  g.state->stopped = stage;
  ++g.state->refused;
  return true;
}

/// Launches what comes after the parting of a round: a count of the next round, or the finish of
/// all cells.
/// @param finish_on  a stream whose grids start when the points are parted
/// @param finishes   the counter of its launches
template <class Key>
__device__ void launch_next(const growth<Key>& g, std::uint32_t round, cudaStream_t finish_on,
                            std::uint32_t growth_state::*finishes) {
  const growth_state& state = *g.state;
  const std::uint32_t next_tiles = state.num_tiles[(round + 1) % 2];
  if (next_tiles != 0) {
    if (!is_refused_on_purpose(g, growth_stop::count)) {
      count_kernel<<<next_tiles, growth_shape::threads, 0, cudaStreamTailLaunch>>>(g, round + 1);
      static_cast<void>(accepted(g, growth_stop::count, &growth_state::tail_launches));
    }
  } else if (!is_refused_on_purpose(g, growth_stop::finish)) {
    finish_kernel<<<state.num_jobs, growth_shape::threads, finish_bytes<Key>, finish_on>>>(g);
    static_cast<void>(accepted(g, growth_stop::finish, finishes));
  }
}

/// Launches the parting of this round, then what comes after it: tail launches start in order when
/// all that this grid has launched is done.
template <class Key>
__device__ void launch_rest_of_round(const growth<Key>& g, std::uint32_t round) {
  if (is_refused_on_purpose(g, growth_stop::part)) {
    return;
  }
  part_kernel<<<gridDim.x, growth_shape::threads, part_bytes<Key>,
                g.parts_by_tail ? cudaStreamTailLaunch : cudaStreamFireAndForget>>>(g, round);
  if (accepted(g, growth_stop::part,
               g.parts_by_tail ? &growth_state::tail_launches : &growth_state::child_grids)) {
    launch_next(g, round, cudaStreamTailLaunch, &growth_state::tail_launches);
  }
}

/// A block counts a tile of a large cell by descendant. The last block to be done plans the round,
/// a warp per cell, and launches the rest of it.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads)
    count_kernel(growth<Key> g, std::uint32_t round) {
  constexpr unsigned all_lanes = 0xFFFFFFFF;
  constexpr unsigned bins = growth_shape::bins;
  __shared__ std::uint32_t counts[bins];
  __shared__ plan_storage plan;
  __shared__ bool is_last;
  growth_state& state = *g.state;
  const cell_tile tile = tile_of(g, round);
  if (threadIdx.x < bins) {
    counts[threadIdx.x] = 0;
    g.passed[std::size_t{blockIdx.x} * bins + threadIdx.x] = 0;
  }
  __syncthreads();

  // 1. Counts. Where a warp's keys all belong together, one lane adds them up.
  const Key* keys = g.buffers[round % 2].keys + tile.first;
#pragma unroll
  for (unsigned k = 0; k < growth_shape::per_thread; ++k) {
    const unsigned i = k * growth_shape::threads + threadIdx.x;
    const bool is_there = i < tile.count;
    const unsigned bin = is_there ? g.bin_of(keys[i], tile.level) : bins;
    int all_same;
    __match_all_sync(all_lanes, bin, &all_same);
    if (is_there && all_same == 0) {
      atomicAdd(&counts[bin], 1U);
    } else if (is_there && threadIdx.x % 32 == 0) {
      atomicAdd(&counts[bin], 32U);
    }
  }
  __syncthreads();
  if (threadIdx.x < bins && counts[threadIdx.x] != 0) {
    atomicAdd(&g.cells[round % 2][tile.cell].bins[threadIdx.x], counts[threadIdx.x]);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicInc(&state.blocks_done, gridDim.x - 1) == gridDim.x - 1;
    if (is_last) {
      state.num_cells[(round + 1) % 2] = 0;
      state.num_tiles[(round + 1) % 2] = 0;
      state.round = round;
    }
    __threadfence();
  }
  __syncthreads();
  if (!is_last) {
    return;
  }

  // 2. The plan.
  const unsigned warp = threadIdx.x / 32;
  cell_plan<Key> planner(g, round, plan.starts[warp]);
  const std::uint32_t num_cells = round == 0 ? 1 : state.num_cells[round % 2];
  for (std::uint32_t c = warp; c < num_cells; c += growth_shape::warps) {
    large_cell& cell = g.cells[round % 2][c];
    planner.run(cell, cell.level, cell.first);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    launch_rest_of_round(g, round);
  }
}

}  // namespace tendril::cuda
