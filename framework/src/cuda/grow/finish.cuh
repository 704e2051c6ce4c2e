#pragma once

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>

#include "cuda/grow/growth.cuh"

namespace tendril::cuda {

/// Dynamic shared memory of finish_kernel, for jobs of up to `PerThread` points a thread.
template <class Key, int PerThread>
struct finish_blocks {
  static constexpr int threads = growth_shape::threads;
  using load_keys = cub::BlockLoad<Key, threads, PerThread, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using load_rows = cub::BlockLoad<point_id, threads, PerThread, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using sort = cub::BlockRadixSort<Key, threads, PerThread, point_id>;
  union storage {
    typename load_keys::TempStorage keys;
    typename load_rows::TempStorage rows;
    typename sort::TempStorage sorted;
  };
};

/// Sorts a job's points and leaves them in the first buffer.
template <class Key, int PerThread>
__device__ void finish_in_block(const growth<Key>& g, const finish_job& job, void* memory) {
  using blocks = finish_blocks<Key, PerThread>;
  auto& storage = *static_cast<typename blocks::storage*>(memory);
  const keyed_rows<Key> from = g.buffers[job.buffer];
  const auto count = static_cast<int>(job.count);
  Key keys[PerThread];
  point_id rows[PerThread];
  typename blocks::load_keys(storage.keys).Load(from.keys + job.first, keys, count, ~Key{0});
  __syncthreads();
  typename blocks::load_rows(storage.rows).Load(from.rows + job.first, rows, count, 0);
  __syncthreads();
  typename blocks::sort(storage.sorted).SortBlockedToStriped(keys, rows, 0, job.bits);
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    const int i = k * blocks::threads + static_cast<int>(threadIdx.x);
    if (i < count) {
      g.buffers[0].keys[job.first + i] = keys[k];
      g.buffers[0].rows[job.first + i] = rows[k];
    }
  }
}

/// A block finishes a job: a run of small cells, or the whole tree where that is small.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads) finish_kernel(growth<Key> g) {
  constexpr int most = growth_shape::per_thread;
  constexpr int few = 2;
  extern __shared__ __align__(16) unsigned char memory[];
  const finish_job job =
      g.state->num_jobs == 0 ? finish_job{0, g.count, 2 * g.max_depth, 0} : g.jobs[blockIdx.x];
  if (job.bits == 0) {
    if (job.buffer != 0) {
      for (unsigned i = threadIdx.x; i < job.count; i += growth_shape::threads) {
        g.buffers[0].keys[job.first + i] = g.buffers[1].keys[job.first + i];
        g.buffers[0].rows[job.first + i] = g.buffers[1].rows[job.first + i];
      }
    }
  } else if (job.count <= few * growth_shape::threads) {
    finish_in_block<Key, few>(g, job, memory);
  } else {
    finish_in_block<Key, most>(g, job, memory);
  }
}

}  // namespace tendril::cuda
