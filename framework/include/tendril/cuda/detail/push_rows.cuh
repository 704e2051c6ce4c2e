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
  const std::uint64_t warps = tiles_for(tiles_for(frontier, resident_blocks), 32);
  return warps < Shape::warps ? static_cast<std::uint32_t>(32 * warps) : Shape::threads;
}

/// Enters the targets of up to four edges of v.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ new_entries<Position, 4> enter_targets(
    const first_visit_job<W, Position, Shape>& job, const traversal_cursor& cursor,
    const Visitor& visitor, vertex_id v, const short_row& row) {
  bit_word* const visited = job.visited(cursor);
  new_entries<Position, 4> found;
  bit_word before[4];
  std::uint32_t degree[4];
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = row.targets[i];
    before[i] = ~bit_word{0};
    degree[i] = 0;
    load_word_if(target != no_vertex, before[i], visited + target / bits_per_word);
    load_if(target != no_vertex, degree[i], job.graph.degrees + target);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = row.targets[i];
    const bool is_open = (before[i] & bit_of(target)) == 0 &&
                         ::tendril::detail::admits(visitor, edge<W>{v, target, {}});
    before[i] = set_bits_if(is_open, visited + target / bits_per_word, bit_of(target));
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = row.targets[i];
    found.vertices[i] = no_vertex;
    found.first_edges[i] = 0;
    found.degrees[i] = degree[i];
    if ((before[i] & bit_of(target)) == 0) {
      found.vertices[i] = target;
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
