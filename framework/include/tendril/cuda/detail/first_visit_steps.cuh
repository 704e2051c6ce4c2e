#pragma once

#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/pull.cuh"
#include "tendril/cuda/detail/push.cuh"
#include "tendril/cuda/detail/steps.cuh"
#include "tendril/cuda/detail/sweep.cuh"

// What a first-visit traversal does in each step (steps.cuh).

namespace tendril::cuda {

/// The bit of the only source, if it lies in the word: it is set from the beginning, so that the
/// source can enter while others still clear.
template <weight W, class Position, class Shape>
[[nodiscard]] __device__ bit_word only_source_in(const first_visit_job<W, Position, Shape>& job,
                                                 std::uint32_t word) {
  const bool is_here = has_one_source(job) && job.sources[0] / bits_per_word == word;
  return is_here ? bit_of(job.sources[0]) : 0;
}

/// Isolated vertices count as visited, so that no pull looks at them.
template <weight W, class Position, class Shape>
__device__ void clear_bits(const first_visit_job<W, Position, Shape>& job, std::uint32_t word) {
  const bit_word isolated = job.graph.isolated[word];
  job.bits[0][word] = isolated | only_source_in(job, word);
  job.bits[1][word] = isolated;
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void enter_source(const first_visit_job<W, Position, Shape>& job, const Visitor& visitor,
                             vertex_id v) {
  atomicOr(&job.bits[0][v / bits_per_word], bit_of(v));
  visitor.arrive(v, 0);
}

template <weight W, class Position, class Shape>
[[nodiscard]] __device__ const frontier_queue<Position>& source_queue(
    const first_visit_job<W, Position, Shape>& job) {
  return job.queue;
}

/// Pull where that costs less than a push. An edge comes from the frontier with the chance p =
/// frontier edges / unexplored edges, so an unvisited vertex looks at 1 / p edges before it finds
/// one, but at no more than it has; and a pull looks at every word of the bitmap. A push of a
/// frontier that lies in the bitmaps looks at both, to queue it.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] TENDRIL_HD direction choose_direction(const first_visit_job<W, Position, Shape>& job,
                                                    const Visitor& /*visitor*/,
                                                    const traversal_cursor& cursor) {
  if (job.wanted != direction::automatic) {
    return job.wanted;
  }
  if (job.graph.first_in == nullptr) {
    return direction::push;
  }
  const auto words = static_cast<float>(job.graph.num_words);
  const auto edges = static_cast<float>(cursor.frontier_edges);
  const auto unexplored = static_cast<float>(job.graph.num_edges - cursor.explored_edges);
  const float unvisited =
      static_cast<float>(job.graph.num_enterable) - static_cast<float>(cursor.entered);
  const float looks = unvisited < edges ? unexplored * (unvisited / edges) : unexplored;
  const float pushed = job.pull_bias * edges + (cursor.in_bitmap ? 2 * words : 0);
  return looks + words < pushed ? direction::pull : direction::push;
}

template <weight W, class Position, class Shape, class Visitor>
TENDRIL_HD void decide(const first_visit_job<W, Position, Shape>& job, const Visitor& visitor,
                       traversal_cursor& cursor) {
  cursor.way = choose_direction(job, visitor, cursor);
  cursor.marks = !reads_edges<Visitor, W> && cursor.way == direction::push &&
                 cursor.frontier_edges > job.marking_edges;
  cursor.queue_begin = cursor.queue_end;
  if (!cursor.in_bitmap || cursor.way == direction::push) {
    cursor.queue_end += cursor.frontier;
  }
}

/// True if no vertex is left that could be found. Counts an isolated source as one that could not
/// be, which of several sources some may be.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD bool is_complete(const first_visit_job<W, Position, Shape>& job,
                                          const traversal_cursor& cursor) {
  return cursor.entered + 1 >= std::uint64_t{job.graph.num_enterable} + job.num_sources;
}

/// True if the frontier lies in the bitmaps and is to be pushed.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD bool has_to_prepare(const first_visit_job<W, Position, Shape>& /*job*/,
                                             const traversal_cursor& cursor) {
  return cursor.in_bitmap && cursor.way == direction::push;
}

/// Queues it.
template <weight W, class Position, class Shape>
__device__ void prepare_level(const first_visit_job<W, Position, Shape>& job,
                              const block_scratch<Position, Shape>& scratch) {
  if (has_to_prepare(job, scratch.cursor)) {
    queue_frontier(job, scratch.cursor, scratch.share, &job.state->totals[3]);
  }
}

/// False if no edge needs a look. Asked between two levels, so without a division.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD bool has_to_expand(const first_visit_job<W, Position, Shape>& job,
                                            const traversal_cursor& cursor) {
  return !is_complete(job, cursor) &&
         (cursor.way == direction::pull || cursor.frontier_edges != 0 || !job.queue.has_edges());
}

/// Tiles of the level's edges or vertices, or of the words and of the parts of long rows that it
/// pulls.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD std::uint64_t num_expand_tiles(
    const first_visit_job<W, Position, Shape>& job, const traversal_cursor& cursor) {
  if (!has_to_expand(job, cursor)) {
    return 0;
  }
  if (cursor.way == direction::push) {
    if (!job.queue.has_edges()) {
      return tiles_for(cursor.frontier, rows_per_tile<Shape>(cursor.frontier, job.resident_blocks));
    }
    return cursor.marks ? num_edge_tiles<Shape::push_items, Shape>(cursor.frontier_edges)
                        : num_edge_tiles<Shape>(cursor.frontier_edges, job.resident_blocks);
  }
  return larger(num_word_tiles<Shape>(job.graph.num_words),
                tiles_for(job.graph.num_hub_parts, Shape::tile_hub_parts));
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void expand_level(const first_visit_job<W, Position, Shape>& job, const Visitor& visitor,
                             block_scratch<Position, Shape>& scratch) {
  if (is_complete(job, scratch.cursor)) {
    return;
  }
  if (scratch.cursor.way == direction::pull) {
    pull(job, scratch.cursor, visitor, scratch);
  } else {
    push(job, scratch.cursor, visitor, scratch);
  }
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void record_level(const first_visit_job<W, Position, Shape>& job, const Visitor& visitor,
                             block_scratch<Position, Shape>& scratch) {
  record_marked(job, scratch.cursor, visitor, scratch);
}

}  // namespace tendril::cuda
