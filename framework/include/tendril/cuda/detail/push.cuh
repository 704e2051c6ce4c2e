#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/tile_rows.cuh"

// Push: the edges that leave the frontier in tiles of exactly Items edges per thread, whatever the
// degrees. Two forms:
//   claiming  the thread that sets a target's visited bit records the arrival and appends the
//             target to the queue
//   marking   sets bits in a second bitmap without asking which were set; a sweep (sweep.cuh) then
//             records arrivals in vertex order. For large levels and visitors that need no edge.

namespace tendril::cuda {

/// One block, one tile. Shared: the tile's rows, the scan of append.
template <unsigned Items, weight W, class Position, class Visitor>
__device__ void push_claiming_tile(const first_visit_job<W, Position>& job,
                                   const traversal_cursor& cursor, const Visitor& visitor,
                                   std::uint64_t tile, block_scratch<Position>& scratch) {
  constexpr unsigned tile_edges = Items * kernel_shape::threads;
  const std::uint64_t first = tile * tile_edges;
  const std::uint64_t rest = cursor.frontier_edges - first;
  const auto size = static_cast<unsigned>(rest < tile_edges ? rest : tile_edges);
  const auto first_edge = static_cast<Position>(first);
  const tile_rows<Position> rows(job.queue.from(cursor.queue_begin), cursor.frontier, first_edge,
                                 static_cast<Position>(first + size - 1), scratch.rows);
  bit_word* const visited = job.visited(cursor);

  // 1 load targets
  std::uint32_t row[Items];
  Position position[Items];
  vertex_id target[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    const unsigned k = i * kernel_shape::threads + threadIdx.x;
    target[i] = no_vertex;
    if (k < size) {
      row[i] = rows.row_of(first_edge + k);
      position[i] = rows.position(row[i], first_edge + k);
      target[i] = job.graph.out.targets[position[i]];
    }
  }

  // 2 leave out what was visited: cheaper to ask than to claim
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (target[i] != no_vertex &&
        (__ldcg(&visited[target[i] / bits_per_word]) & bit_of(target[i])) != 0) {
      target[i] = no_vertex;
    }
  }

  // 3 claim, record the arrival
  new_entries<Position, Items> found;
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    found.vertices[i] = no_vertex;
    if (target[i] == no_vertex) {
      continue;
    }
    edge<W> e{no_vertex, target[i], {}};
    if constexpr (reads_edges<Visitor, W>) {
      e = edge_at(job.graph.out, position[i], rows.source(row[i]), target[i]);
      if (!::tendril::detail::admits(visitor, e)) {
        continue;
      }
    }
    const bit_word before = atomicOr(&visited[target[i] / bits_per_word], bit_of(target[i]));
    if ((before & bit_of(target[i])) == 0) {
      found.vertices[i] = target[i];
      ::tendril::detail::arrive(visitor, e, cursor.level + 1);
    }
  }

  // 4 append
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (found.vertices[i] != no_vertex) {
      found.first_edges[i] = job.graph.out.offsets[found.vertices[i]];
      found.degrees[i] =
          job.graph.out.offsets[found.vertices[i] + std::size_t{1}] - found.first_edges[i];
    }
  }
  append(found, job.queue.from(cursor.queue_end), job.counts, next_total(*job.state, cursor),
         scratch);
}

/// One block, one tile. Shared: the tile's rows.
/// @pre the visitor reads no edges
template <unsigned Items, weight W, class Position>
__device__ void push_marking_tile(const first_visit_job<W, Position>& job,
                                  const traversal_cursor& cursor, std::uint64_t tile,
                                  block_scratch<Position>& scratch) {
  constexpr unsigned tile_edges = Items * kernel_shape::threads;
  const std::uint64_t first = tile * tile_edges;
  const std::uint64_t rest = cursor.frontier_edges - first;
  const auto size = static_cast<unsigned>(rest < tile_edges ? rest : tile_edges);
  const auto first_edge = static_cast<Position>(first);
  const tile_rows<Position> rows(job.queue.from(cursor.queue_begin), cursor.frontier, first_edge,
                                 static_cast<Position>(first + size - 1), scratch.rows);
  const bit_word* const visited = job.visited(cursor);
  bit_word* const marked = job.behind(cursor);
  vertex_id target[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    const unsigned k = i * kernel_shape::threads + threadIdx.x;
    target[i] = no_vertex;
    if (k < size) {
      target[i] = job.graph.out.targets[rows.position(rows.row_of(first_edge + k), first_edge + k)];
    }
  }
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (target[i] != no_vertex && !test_bit(visited, target[i])) {
      atomicOr(&marked[target[i] / bits_per_word], bit_of(target[i]));
    }
  }
  __syncthreads();
}

/// Tiles of a push of the whole frontier, dealt round. Small levels take small tiles, so that they
/// reach more multiprocessors.
template <weight W, class Position, class Visitor>
__device__ void push(const first_visit_job<W, Position>& job, const traversal_cursor& cursor,
                     const Visitor& visitor, block_scratch<Position>& scratch) {
  constexpr unsigned large = kernel_shape::push_items;
  const auto num_tiles = [&](unsigned items) {
    const std::uint64_t tile_edges = items * kernel_shape::threads;
    return (cursor.frontier_edges + tile_edges - 1) / tile_edges;
  };
  if constexpr (!reads_edges<Visitor, W>) {
    if (cursor.marks) {
      for (std::uint64_t tile = blockIdx.x; tile < num_tiles(large); tile += gridDim.x) {
        push_marking_tile<large>(job, cursor, tile, scratch);
      }
      return;
    }
  }
  if (cursor.frontier_edges > std::uint64_t{gridDim.x} * kernel_shape::threads) {
    for (std::uint64_t tile = blockIdx.x; tile < num_tiles(large); tile += gridDim.x) {
      push_claiming_tile<large>(job, cursor, visitor, tile, scratch);
    }
  } else {
    for (std::uint64_t tile = blockIdx.x; tile < num_tiles(1); tile += gridDim.x) {
      push_claiming_tile<1>(job, cursor, visitor, tile, scratch);
    }
  }
}

}  // namespace tendril::cuda
