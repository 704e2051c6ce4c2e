#pragma once

#include "cuda/lanes/level.cuh"

// Levels that go over the edges leaving the frontier, and the two ways to get it ready: its masks
// must be equal in both copies before bits are added to one of them.

namespace tendril::cuda {

/// A thread per word of the frontier's masks.
template <unsigned Words>
__device__ void copy_frontier(const lane_job& job, const lane_cursor& cursor) {
  const std::uint64_t* const from = job.masks[cursor.now];
  std::uint64_t* const to = job.masks[cursor.now ^ 1U];
  const std::size_t size = std::size_t{cursor.frontier} * Words;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += stride) {
    const vertex_id v = job.queues[cursor.queue][i / Words];
    const std::size_t word = std::size_t{v} * Words + i % Words;
    to[word] = from[word];
  }
}

/// A thread per vertex: queues who is in the frontier, and copies its mask.
template <unsigned Words>
__device__ void list_frontier(const lane_job& job, const lane_cursor& cursor) {
  const bit_word* const fresh = job.fresh[slot_of(cursor.level)];
  const std::uint64_t* const from = job.masks[cursor.now];
  std::uint64_t* const to = job.masks[cursor.now ^ 1U];
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i - lane_id() < job.num_vertices; i += stride) {
    const auto v = static_cast<vertex_id>(i);
    const bool is_fresh = i < job.num_vertices && test_bit(fresh, v);
    for (unsigned w = 0; is_fresh && w < Words; ++w) {
      to[i * Words + w] = from[i * Words + w];
    }
    append_lane_vertex(job, is_fresh, v, cursor.queue, &job.state->totals[slot_of(cursor.level)]);
  }
}

/// Counts lanes that are new in a word of v's mask, and notes their depth.
/// @return true where there are some
template <unsigned Words>
[[nodiscard]] __device__ bool note_lanes(const lane_job& job, lane_scratch<Words>& scratch,
                                         std::size_t place, unsigned word,
                                         unsigned long long fresh) {
  if (fresh == 0) {
    return false;
  }
  const auto depth = static_cast<std::uint32_t>(scratch.cursor.level + 1);
  for (std::uint32_t k = 0; k < job.num_planes; ++k) {
    if ((depth >> k & 1U) != 0) {
      atomicOr(reinterpret_cast<unsigned long long*>(job.planes[k] + place), fresh);
    }
  }
  for (; fresh != 0; fresh &= fresh - 1) {
    const auto bit = static_cast<unsigned>(__ffsll(static_cast<long long>(fresh)) - 1);
    atomicAdd(&scratch.counts[word * 64 + bit], 1U);
  }
  return true;
}

/// Adds the lanes that have seen u to v's mask; those that are new there are counted and get their
/// depth. Few words of u's mask have any where a frontier is small.
/// @return true where some were
template <unsigned Words>
[[nodiscard]] __device__ bool give_lanes(const lane_job& job, lane_scratch<Words>& scratch,
                                         vertex_id u, vertex_id v) {
  const std::uint64_t* const from = job.masks[scratch.cursor.now] + std::size_t{u} * Words;
  const std::size_t place = std::size_t{v} * Words;
  auto* const to =
      reinterpret_cast<unsigned long long*>(job.masks[scratch.cursor.now ^ 1U] + place);
  unsigned long long fresh[Words];
#pragma unroll
  for (unsigned w = 0; w < Words; ++w) {
    fresh[w] = from[w];
  }
#pragma unroll
  for (unsigned w = 0; w < Words; ++w) {
    fresh[w] &= fresh[w] != 0 ? ~__ldcg(to + w) : 0;
  }
  bool is_any = false;
#pragma unroll
  for (unsigned w = 0; w < Words; ++w) {
    if (fresh[w] != 0) {
      fresh[w] &= ~atomicOr(to + w, fresh[w]);
      is_any |= note_lanes(job, scratch, place + w, w, fresh[w]);
    }
  }
  return is_any;
}

/// The last of the queue's entries first .. end - 1 that begins at or before an edge of the level.
[[nodiscard]] __device__ inline std::uint32_t entry_of(const std::uint64_t* befores,
                                                       std::uint64_t edge, std::uint32_t first,
                                                       std::uint32_t end) {
  while (first + 1 < end) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (befores[middle] <= edge) {
      first = middle;
    } else {
      end = middle;
    }
  }
  return first;
}

/// Blocks take tiles of the level's edges in turn, a thread per edge.
/// The next frontier is queued in no order, each vertex once.
template <unsigned Words>
__device__ void push_lanes(const lane_job& job, lane_scratch<Words>& scratch) {
  constexpr unsigned tile_edges = lane_shape<Words>::threads;
  const lane_cursor& cursor = scratch.cursor;
  const std::uint64_t* const befores = job.befores[cursor.queue];
  unsigned long long* const total = &job.state->totals[slot_of(cursor.level + 1)];
  bit_word* const fresh = job.fresh[slot_of(cursor.level + 1)];
  const std::uint64_t num_tiles = (cursor.edges + tile_edges - 1) / tile_edges;
  for (std::uint64_t tile = blockIdx.x; tile < num_tiles; tile += gridDim.x) {
    // 1. which entries the tile's edges belong to
    const std::uint64_t tile_begin = tile * tile_edges;
    const std::uint64_t tile_end =
        tile_begin + tile_edges < cursor.edges ? tile_begin + tile_edges : cursor.edges;
    if (threadIdx.x < 2) {
      scratch.bounds[threadIdx.x] =
          entry_of(befores, threadIdx.x == 0 ? tile_begin : tile_end - 1, 0, cursor.frontier);
    }
    __syncthreads();
    // 2. hand the lanes over
    const std::uint64_t edge = tile_begin + threadIdx.x;
    vertex_id v = 0;
    bool is_new = false;
    if (edge < tile_end) {
      const std::uint32_t entry = entry_of(befores, edge, scratch.bounds[0], scratch.bounds[1] + 1);
      const vertex_id u = job.queues[cursor.queue][entry];
      v = job.out.targets[job.out.first_edge(u) + (edge - befores[entry])];
      if (give_lanes(job, scratch, u, v)) {
        is_new = (atomicOr(&fresh[v / bits_per_word], bit_of(v)) & bit_of(v)) == 0;
      }
    }
    // 3. queue who got some first
    append_lane_vertex(job, is_new, v, cursor.queue ^ 1U, total);
    __syncthreads();
  }
}

}  // namespace tendril::cuda
