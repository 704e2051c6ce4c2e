#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/first_visit_job.cuh"

// Sweeps over the bitmaps, in vertex order: recording the arrivals of a marking push, and turning a
// frontier that lies in the bitmaps into a queue. A warp takes 16 words at a time, a lane one bit
// of each.

namespace tendril::cuda {

/// Words of a warp's part of a tile: lane i < warp_words holds word i of both bitmaps.
template <class Shape>
struct warp_words {
  __device__ warp_words(const bit_word* from, const bit_word* without, std::uint32_t tile,
                        std::uint32_t num_words)
      : first(tile * Shape::tile_words + warp_id() * Shape::warp_words),
        owns(lane_id() < Shape::warp_words && first + lane_id() < num_words),
        old_word(owns ? without[first + lane_id()] : 0),
        new_bits(owns ? from[first + lane_id()] & ~old_word : 0) {}

  std::uint32_t first;
  bool owns;
  bit_word old_word;
  bit_word new_bits;
};

/// Records the arrivals of a marking push: what is in the bitmap behind and not in visited. Leaves
/// the union behind.
template <weight W, class Position, class Shape, class Visitor>
__device__ void record_marked(const first_visit_job<W, Position, Shape>& job,
                              const traversal_cursor& cursor, const Visitor& visitor,
                              block_scratch<Position, Shape>& scratch) {
  bit_word* const marked = job.behind(cursor);
  tally mine;
  for (std::uint32_t tile = scratch.share.index; tile < num_word_tiles<Shape>(job.graph.num_words);
       tile += scratch.share.count) {
    const warp_words<Shape> words(marked, job.visited(cursor), tile, job.graph.num_words);
    if (words.owns) {
      marked[words.first + lane_id()] = words.old_word | words.new_bits;
    }
#pragma unroll
    for (unsigned i = 0; i < Shape::warp_words; ++i) {
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

/// Appends the frontier, visited and not in the bitmap behind, to the queue. A warp reserves for
/// itself: this happens when frontiers have become small, and most warps find nothing.
/// @param total  zero before; counts what is appended
template <weight W, class Position, class Shape>
__device__ void queue_frontier(const first_visit_job<W, Position, Shape>& job,
                               const traversal_cursor& cursor, const work_share& share,
                               unsigned long long* total) {
  const frontier_queue<Position> slots = job.queue.from(cursor.queue_begin);
  for (std::uint32_t tile = share.index; tile < num_word_tiles<Shape>(job.graph.num_words);
       tile += share.count) {
    const warp_words<Shape> words(job.visited(cursor), job.behind(cursor), tile,
                                  job.graph.num_words);
    unsigned non_empty = __ballot_sync(~0U, words.new_bits != 0);
    while (non_empty != 0) {
      const int from = __ffs(static_cast<int>(non_empty)) - 1;
      non_empty &= non_empty - 1;
      const bit_word bits = __shfl_sync(~0U, words.new_bits, from);
      const bool is_new = ((bits >> lane_id()) & 1U) != 0;
      const vertex_id v =
          (words.first + static_cast<std::uint32_t>(from)) * bits_per_word + lane_id();
      new_entries<Position, 1> entry;
      entry.vertices[0] = is_new ? v : no_vertex;
      if (is_new) {
        entry.first_edges[0] = job.graph.out.offsets[v];
        entry.degrees[0] = job.graph.out.degree(v);
      }
      append_by_warp(entry, slots, job.counts, total);
    }
  }
}

}  // namespace tendril::cuda
