#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/first_visit_job.cuh"

// Sweeps over the bitmaps, in vertex order: recording the arrivals of a marking push, and turning a
// frontier that lies in the bitmaps into a queue. A warp takes 8 words at a time, a lane one bit of
// each.

namespace tendril::cuda {

/// Words of a warp's part of a tile: lane i < warp_words holds word i of both bitmaps.
struct warp_words {
  __device__ warp_words(const bit_word* from, const bit_word* without, std::uint32_t tile,
                        std::uint32_t num_words)
      : first(tile * kernel_shape::tile_words + warp_id() * kernel_shape::warp_words),
        owns(lane_id() < kernel_shape::warp_words && first + lane_id() < num_words),
        old_word(owns ? without[first + lane_id()] : 0),
        new_bits(owns ? from[first + lane_id()] & ~old_word : 0) {}

  std::uint32_t first;
  bool owns;
  bit_word old_word;
  bit_word new_bits;
};

[[nodiscard]] __device__ inline std::uint32_t num_sweep_tiles(std::uint32_t num_words) {
  return (num_words + kernel_shape::tile_words - 1) / kernel_shape::tile_words;
}

/// Records the arrivals of a marking push: what is in the bitmap behind and not in visited. Leaves
/// the union behind.
template <weight W, class Position, class Visitor>
__device__ void record_marked(const first_visit_job<W, Position>& job,
                              const traversal_cursor& cursor, const Visitor& visitor,
                              block_scratch<Position>& scratch) {
  bit_word* const marked = job.behind(cursor);
  tally mine;
  for (std::uint32_t tile = blockIdx.x; tile < num_sweep_tiles(job.graph.num_words);
       tile += gridDim.x) {
    const warp_words words(marked, job.visited(cursor), tile, job.graph.num_words);
    if (words.owns) {
      marked[words.first + lane_id()] = words.old_word | words.new_bits;
    }
#pragma unroll
    for (unsigned i = 0; i < kernel_shape::warp_words; ++i) {
      const bit_word bits = __shfl_sync(~0U, words.new_bits, static_cast<int>(i));
      if (((bits >> lane_id()) & 1U) != 0) {
        const vertex_id v = (words.first + i) * bits_per_word + lane_id();
        visitor.arrive(v, cursor.level + 1);
        ++mine.vertices;
        mine.edges += job.graph.out_degree(v);
      }
    }
  }
  add_tally(mine, job.counts, next_total(*job.state, cursor), scratch);
}

/// Appends the frontier, visited and not in the bitmap behind, to the queue.
/// @param total  zero before; counts what is appended
template <weight W, class Position>
__device__ void queue_frontier(const first_visit_job<W, Position>& job,
                               const traversal_cursor& cursor, unsigned long long* total,
                               block_scratch<Position>& scratch) {
  constexpr unsigned items = kernel_shape::warp_words;
  for (std::uint32_t tile = blockIdx.x; tile < num_sweep_tiles(job.graph.num_words);
       tile += gridDim.x) {
    const warp_words words(job.visited(cursor), job.behind(cursor), tile, job.graph.num_words);
    if (__syncthreads_or(static_cast<int>(words.new_bits != 0)) == 0) {
      continue;
    }
    new_entries<Position, items> found;
#pragma unroll
    for (unsigned i = 0; i < items; ++i) {
      const bit_word bits = __shfl_sync(~0U, words.new_bits, static_cast<int>(i));
      found.vertices[i] = no_vertex;
      if (((bits >> lane_id()) & 1U) != 0) {
        const vertex_id v = (words.first + i) * bits_per_word + lane_id();
        found.vertices[i] = v;
        found.first_edges[i] = job.graph.out.offsets[v];
        found.degrees[i] = job.graph.out_degree(v);
      }
    }
    append(found, job.queue.from(cursor.queue_begin), job.counts, total, scratch);
  }
}

}  // namespace tendril::cuda
