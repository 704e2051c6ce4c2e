#pragma once

#include "cuda/grow/launch.cuh"
#include "cuda/grow/plan.cuh"

namespace tendril::cuda {

/// A block counts a tile of a large cell by descendant. The last block to be done plans the round,
/// a warp per cell, and launches the parting; that of round 0 is the host's, which knows its grid.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads)
    count_kernel(growth<Key> g, std::uint32_t round) {
  constexpr unsigned all_lanes = 0xFFFFFFFF;
  constexpr unsigned bins = growth_shape::bins;
  __shared__ std::uint32_t counts[bins];
  __shared__ plan_storage plan;
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
  if (!is_last_block(g)) {
    return;
  }

  // 2. The plan.
  if (threadIdx.x == 0) {
    state.num_cells[(round + 1) % 2] = 0;
    state.num_tiles[(round + 1) % 2] = 0;
    state.round = round;
    __threadfence();
  }
  __syncthreads();
  const unsigned warp = threadIdx.x / 32;
  cell_plan<Key> planner(g, round, plan.counts[warp]);
  const std::uint32_t num_cells = round == 0 ? 1 : state.num_cells[round % 2];
  for (std::uint32_t c = warp; c < num_cells; c += growth_shape::warps) {
    large_cell& cell = g.cells[round % 2][c];
    planner.run(cell, cell.level, cell.first);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && round != 0) {
    launch_parting(g, round);
  }
}

}  // namespace tendril::cuda
