#pragma once

#include <cooperative_groups.h>

#include "cuda/lanes/pull.cuh"
#include "cuda/lanes/push.cuh"

// The kernel of a pass, and the small ones before it.

namespace tendril::cuda {

/// How a kernel enters a pass.
struct lane_entry {
  bool is_resident;      ///< all phases; else one
  std::uint32_t parity;  ///< goes on from cursors[parity], leaves the new place in the other
};

/// Takes phases to the end, as a cooperative grid, or one phase, as an ordinary one. Shared memory:
/// lane_scratch.
template <unsigned Words>
__global__ void __launch_bounds__(lane_shape<Words>::threads,
                                  lane_shape<Words>::blocks_per_multiprocessor)
    lane_kernel(const __grid_constant__ lane_job job, lane_entry entry) {
  __shared__ lane_scratch<Words> scratch;
  if (threadIdx.x == 0) {
    scratch.cursor = job.state->cursors[entry.parity];
  }
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) {
      advance<Words>(job, scratch.cursor);
    }
    __syncthreads();
    const lane_phase phase = scratch.cursor.phase;
    if (phase == lane_phase::done || phase == lane_phase::pause) {
      break;
    }
    if (phase == lane_phase::copy) {
      copy_frontier<Words>(job, scratch.cursor);
    } else if (phase == lane_phase::list) {
      list_frontier<Words>(job, scratch.cursor);
    } else {
      begin_level(job, scratch);
      if (phase == lane_phase::push) {
        push_lanes(job, scratch);
      } else {
        lane_pull<Words>(job, scratch).run();
      }
      end_level(job, scratch);
    }
    if (!entry.is_resident) {
      break;
    }
    cooperative_groups::this_grid().sync();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    job.state->cursors[entry.parity ^ 1U] = scratch.cursor;
  }
}

/// A thread per source: its lane, in both copies of the masks, and its place in the queue.
__global__ inline void start_lanes(const __grid_constant__ lane_job job, unsigned words) {
  const std::uint32_t lane = blockIdx.x * blockDim.x + threadIdx.x;
  bool is_new = false;
  vertex_id v = 0;
  if (lane < job.num_sources) {
    v = job.sources[lane];
    const std::size_t word = std::size_t{v} * words + lane / 64;
    const unsigned long long bit = 1ULL << (lane % 64);
    for (std::uint64_t* const masks : job.masks) {
      atomicOr(reinterpret_cast<unsigned long long*>(masks + word), bit);
    }
    atomicOr(&job.state->alive[0][lane / 64], bit);
    job.level_counts[lane] = 1;
    is_new = (atomicOr(&job.fresh[0][v / bits_per_word], bit_of(v)) & bit_of(v)) == 0;
  }
  append_lane_vertex(job, is_new, v, 0, &job.state->totals[0]);
  if (lane == 0) {
    job.state->cursors[0] = lane_cursor{.phase = lane_phase::start, .in_queue = true};
  }
}

/// Vertices in each bucket of in-degrees.
__global__ inline void count_degrees(lane_device_rows rows, vertex_id num_vertices,
                                     std::uint32_t* sizes) {
  __shared__ std::uint32_t of_block[num_degree_buckets];
  of_block[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; v < num_vertices;
       v += stride) {
    atomicAdd(&of_block[degree_bucket(rows.degree(v))], 1U);
  }
  __syncthreads();
  if (of_block[threadIdx.x] != 0) {
    atomicAdd(&sizes[threadIdx.x], of_block[threadIdx.x]);
  }
}

/// Where each bucket begins: one block of num_degree_buckets threads.
/// @param places  the same once more, to be counted up
__global__ inline void place_buckets(const std::uint32_t* sizes, std::uint32_t* starts,
                                     std::uint32_t* places) {
  using scan = cub::BlockScan<std::uint32_t, num_degree_buckets>;
  __shared__ typename scan::TempStorage storage;
  std::uint32_t start = 0;
  scan(storage).ExclusiveSum(sizes[threadIdx.x], start);
  starts[threadIdx.x] = start;
  places[threadIdx.x] = start;
}

/// Puts vertices into their buckets, in no order within one: a block reserves for all its threads.
__global__ inline void fill_buckets(lane_device_rows rows, vertex_id num_vertices,
                                    std::uint32_t* places, vertex_id* order) {
  __shared__ std::uint32_t of_block[num_degree_buckets];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x; first < num_vertices;
       first += stride) {
    of_block[threadIdx.x] = 0;
    __syncthreads();
    const std::size_t v = first + threadIdx.x;
    const std::uint32_t bucket = v < num_vertices ? degree_bucket(rows.degree(v)) : 0;
    const std::uint32_t mine = v < num_vertices ? atomicAdd(&of_block[bucket], 1U) : 0;
    __syncthreads();
    if (of_block[threadIdx.x] != 0) {
      of_block[threadIdx.x] = atomicAdd(&places[threadIdx.x], of_block[threadIdx.x]);
    }
    __syncthreads();
    if (v < num_vertices) {
      order[of_block[bucket] + mine] = static_cast<vertex_id>(v);
    }
    __syncthreads();
  }
}

}  // namespace tendril::cuda
