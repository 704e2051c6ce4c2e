#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/guarded.cuh"
#include "tendril/cuda/detail/short_rows.cuh"

// Push over packed rows: a thread per vertex, which finds its targets with one read, where a tile
// of edges would first look for the rows that it touches. The queue holds vertices alone.

namespace tendril::cuda {

/// Vertices of a tile: few where the frontier is small, so that it reaches all multiprocessors.
template <class Shape>
[[nodiscard]] TENDRIL_HD inline std::uint32_t rows_per_tile(std::uint32_t frontier,
                                                            std::uint32_t resident_blocks) {
  const std::uint32_t warps = frontier / resident_blocks / 32 + 1;
  return warps < Shape::warps ? 32 * warps : Shape::threads;
}

/// What a lane needs to claim together with lanes beside it.
struct claim_run {
  unsigned first;    ///< lane that names the same word, and so do all up to the last
  unsigned last;     ///< which sets all bits
  bit_word through;  ///< bits of the run's lanes up to this one
};

/// @param word  of the lane's bit, or a number that is none's
[[nodiscard]] __device__ inline claim_run join_run(std::uint32_t word, bit_word bit) {
  const std::uint32_t left = __shfl_up_sync(~0U, word, 1);
  const unsigned firsts = __ballot_sync(~0U, lane_id() == 0 || left != word);
  const unsigned up_to_own = ~0U >> (31 - lane_id());
  const unsigned above = firsts & ~up_to_own;
  claim_run run{31U - static_cast<unsigned>(__clz(static_cast<int>(firsts & up_to_own))),
                above == 0 ? 31U : static_cast<unsigned>(__ffs(static_cast<int>(above))) - 2, bit};
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const bit_word below = __shfl_up_sync(~0U, run.through, offset);
    run.through |= lane_id() >= run.first + offset ? below : 0;
  }
  return run;
}

/// Sets the visited bits of four targets of each lane. Neighbours' targets often lie in the same
/// word, where atomics wait for each other: lanes side by side that name the same set theirs with
/// one. Called by whole warps.
/// @param target  no_vertex: none. What was visited is replaced by it
__device__ inline void claim_by_warp(bit_word* visited, vertex_id (&target)[4]) {
  claim_run run[4];
  bit_word before[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const bool claims = target[i] != no_vertex;
    run[i] = join_run(claims ? target[i] / bits_per_word : ~0U, claims ? bit_of(target[i]) : 0);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    before[i] = set_bits_if(lane_id() == run[i].last && target[i] != no_vertex,
                            visited + target[i] / bits_per_word, run[i].through);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    before[i] = __shfl_sync(~0U, before[i], static_cast<int>(run[i].last));
    const bit_word earlier = __shfl_up_sync(~0U, run[i].through, 1);
    before[i] |= lane_id() == run[i].first ? 0 : earlier;
    target[i] = (before[i] & bit_of(target[i])) == 0 ? target[i] : no_vertex;
  }
}

/// Enters the targets of up to four edges of v. Called by whole warps.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ new_entries<Position, 4> enter_targets(
    const first_visit_job<W, Position, Shape>& job, const traversal_cursor& cursor,
    const Visitor& visitor, vertex_id v, const short_row& row) {
  bit_word* const visited = job.visited(cursor);
  new_entries<Position, 4> found;
  bit_word seen[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = row.targets[i];
    seen[i] = ~bit_word{0};
    found.first_edges[i] = 0;
    std::uint32_t degree = 0;
    load_word_if(target != no_vertex, seen[i], visited + target / bits_per_word);
    load_if(target != no_vertex, degree, job.graph.degrees + target);
    found.degrees[i] = degree;
  }
  bool has_open = false;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = row.targets[i];
    const bool is_open = (seen[i] & bit_of(target)) == 0 &&
                         ::tendril::detail::admits(visitor, edge<W>{v, target, {}});
    found.vertices[i] = is_open ? target : no_vertex;
    has_open |= is_open;
  }
  if (!__any_sync(~0U, has_open)) {
    return found;
  }
  claim_by_warp(visited, found.vertices);
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = found.vertices[i];
    if (target != no_vertex) {
      ::tendril::detail::arrive(visitor, edge<W>{v, target, {}}, cursor.level + 1);
    }
  }
  return found;
}

/// The vertices of the block's share.
template <weight W, class Position, class Shape, class Visitor>
__device__ void push_rows(const first_visit_job<W, Position, Shape>& job,
                          const traversal_cursor& cursor, const Visitor& visitor,
                          block_scratch<Position, Shape>& scratch) {
  const std::uint32_t size = rows_per_tile<Shape>(cursor.frontier, job.resident_blocks);
  const vertex_id* const frontier = job.queue.vertices + cursor.queue_begin;
  for (std::uint64_t first = std::uint64_t{scratch.share.index} * size; first < cursor.frontier;
       first += std::uint64_t{scratch.share.count} * size) {
    const bool has_row = threadIdx.x < size && first + threadIdx.x < cursor.frontier;
    const vertex_id v = has_row ? frontier[first + threadIdx.x] : no_vertex;
    short_row row = no_row();
    load_if(has_row, row, job.graph.short_rows + v);
    short_row part = is_long(row) ? part_of_long(job.graph.out, row, 0) : row;
    bool is_left = true;
    for (std::uint32_t done = 4; is_left; done += 4) {
      append(enter_targets(job, cursor, visitor, v, part), job.queue.from(cursor.queue_end),
             job.counts, next_total(*job.state, cursor), scratch);
      const bool goes_on = is_long(row) && done < row.targets[1];
      is_left = __syncthreads_or(goes_on ? 1 : 0) != 0;
      part = part_of_long(job.graph.out, row, goes_on ? done : row.targets[1]);
    }
  }
}

}  // namespace tendril::cuda
