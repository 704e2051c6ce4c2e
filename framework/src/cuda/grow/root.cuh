#pragma once

#include <cooperative_groups.h>

#include "cuda/grow/count.cuh"

namespace tendril::cuda {

/// Dynamic shared memory of root_kernel.
template <class Key>
struct root_storage {
  part_storage<Key> part;
  std::uint32_t by_block[growth_shape::root_blocks][growth_shape::bins];  ///< totals of all tiles
  std::uint32_t of_root[growth_shape::bins];                              ///< their sums
  point_id starts[growth_shape::bins + 1];                                ///< of the plan
};
template <class Key>
inline constexpr std::size_t root_bytes = sizeof(root_storage<Key>);

/// The root in as many tiles as there are blocks, whole warps' loads each.
template <class Key>
[[nodiscard]] __device__ cell_tile root_tile(const growth<Key>& g) {
  const point_id size = ((g.count - 1) / (growth_shape::root_blocks * 32) + 1) * 32;
  const point_id first = min(blockIdx.x * size, g.count);
  return {0, 0, 0, first, min(g.count - first, size)};
}

/// Counts and parts the root of few points: the blocks of the only cluster read each other's counts
/// in shared memory, where larger roots take a grid to count and another to part. Then the first
/// block launches what comes next.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads)
    __cluster_dims__(growth_shape::root_blocks, 1, 1) root_kernel(growth<Key> g) {
  constexpr unsigned bins = growth_shape::bins;
  static_assert(growth_shape::threads == growth_shape::root_blocks * bins);
  extern __shared__ __align__(16) unsigned char root_memory[];
  auto& shared = *reinterpret_cast<root_storage<Key>*>(root_memory);
  const auto cluster = cooperative_groups::this_cluster();
  const cell_tile tile = root_tile(g);
  held_points<Key> held;
  cudaGridDependencySynchronize();  // keys
  rank_tile(g, tile, g.buffers[0], held, shared.part);

  // 1. A thread reads one block's total of one bin, then adds up a bin.
  cluster.sync();
  const unsigned block = threadIdx.x / bins;
  const unsigned bin = threadIdx.x % bins;
  shared.by_block[block][bin] = cluster.map_shared_rank(shared.part.totals, block)[bin];
  __syncthreads();
  std::uint32_t before = 0;
  std::uint32_t sum = 0;
  if (threadIdx.x < bins) {
#pragma unroll
    for (unsigned b = 0; b < growth_shape::root_blocks; ++b) {
      before += b < blockIdx.x ? shared.by_block[b][bin] : 0;
      sum += shared.by_block[b][bin];
    }
    shared.of_root[bin] = sum;
  }
  large_cell& root = *g.cells[0];
  if (blockIdx.x == 0 && threadIdx.x < bins) {
    root.bins[bin] = sum;
  }
  __syncthreads();
  if (threadIdx.x < bins) {
    const std::uint32_t start = sum_before(shared.part.totals, bin);
    shared.part.starts[bin] = start;
    shared.part.shift[bin] = sum_before(shared.of_root, bin) + before - start;
  }
  __syncthreads();

  // 2. Points to where they go; the plan by one warp meanwhile.
  order_tile(g, tile, held, shared.part);
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    cell_plan<Key>(g, 0, shared.starts).run(root, 0, 0);
  }
  write_tile(g, tile, shared.part, g.buffers[1]);
  __threadfence();
  cluster.sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    launch_next(g, 0, cudaStreamFireAndForget, &growth_state::child_grids);
  }
}

}  // namespace tendril::cuda
