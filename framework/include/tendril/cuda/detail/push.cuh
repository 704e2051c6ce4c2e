#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/tile_rows.cuh"

// Push: the edges that leave the frontier, tile by tile. Two forms:
//   claiming  the thread that sets a target's visited bit records the arrival and appends the
//             target to the queue
//   marking   sets bits in a second bitmap without asking which were set; a sweep (sweep.cuh) then
//             records arrivals in vertex order. For large levels and visitors that need no edge.

namespace tendril::cuda {

/// One block, one tile. Shared: the tile's rows, the scan of append.
template <unsigned Items, weight W, class Position, class Shape, class Visitor>
__device__ void push_claiming_tile(const first_visit_job<W, Position, Shape>& job,
                                   const traversal_cursor& cursor, const Visitor& visitor,
                                   const edge_tile<Items, Position, Shape>& tile,
                                   block_scratch<Position, Shape>& scratch) {
  const tile_rows<Position, Shape> rows(job.queue.from(cursor.queue_begin), cursor.frontier,
                                        tile.first_edge, tile.last_edge(), scratch.rows);
  bit_word* const visited = job.visited(cursor);

  // 1 load targets
  std::uint32_t row[Items];
  Position position[Items];
  vertex_id target[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    target[i] = no_vertex;
    if (tile.has(i)) {
      row[i] = rows.row_of(tile.edge(i));
      position[i] = rows.position(row[i], tile.edge(i));
      target[i] = job.graph.out.targets[position[i]];
    }
  }

  new_entries<Position, Items> found;
  if constexpr (Items == 1) {
    if (target[0] != no_vertex) {
      found.first_edges[0] = job.graph.out.offsets[target[0]];
      found.degrees[0] = job.graph.out_degree(target[0]);
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
    if (Items != 1 && found.vertices[i] != no_vertex) {
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
template <unsigned Items, weight W, class Position, class Shape>
__device__ void push_marking_tile(const first_visit_job<W, Position, Shape>& job,
                                  const traversal_cursor& cursor,
                                  const edge_tile<Items, Position, Shape>& tile,
                                  block_scratch<Position, Shape>& scratch) {
  const tile_rows<Position, Shape> rows(job.queue.from(cursor.queue_begin), cursor.frontier,
                                        tile.first_edge, tile.last_edge(), scratch.rows);
  const bit_word* const visited = job.visited(cursor);
  bit_word* const marked = job.behind(cursor);
  vertex_id target[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    target[i] = no_vertex;
    if (tile.has(i)) {
      const std::uint32_t row = rows.row_of(tile.edge(i));
      target[i] = job.graph.out.targets[rows.position(row, tile.edge(i))];
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

/// The edge tiles of the block's share.
template <weight W, class Position, class Shape, class Visitor>
__device__ void push(const first_visit_job<W, Position, Shape>& job, const traversal_cursor& cursor,
                     const Visitor& visitor, block_scratch<Position, Shape>& scratch) {
  if constexpr (!reads_edges<Visitor, W>) {
    if (cursor.marks) {
      for_each_tile_of<Shape::push_items, Position, Shape>(
          cursor.frontier_edges, scratch.share,
          [&](const auto& tile) { push_marking_tile(job, cursor, tile, scratch); });
      return;
    }
  }
  for_each_tile<Position, Shape>(
      cursor.frontier_edges, job.resident_blocks, scratch.share,
      [&](const auto& tile) { push_claiming_tile(job, cursor, visitor, tile, scratch); });
}

}  // namespace tendril::cuda
