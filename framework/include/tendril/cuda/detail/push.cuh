#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/push_rows.cuh"
#include "tendril/cuda/detail/tile_rows.cuh"

// Push: the edges that leave the frontier, tile by tile. Two forms, beside that over packed rows:
//   claiming  the thread that sets a target's visited bit records the arrival and appends the
//             target to the queue
//   marking   sets bits in a second bitmap without asking which were set; a sweep (sweep.cuh) then
//             records arrivals in vertex order. For large levels and visitors that need no edge.

namespace tendril::cuda {

/// Replaces targets that were visited by no_vertex.
template <unsigned Items>
__device__ void leave_out_visited(const bit_word* visited, vertex_id (&target)[Items]) {
  bit_word word[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    word[i] = ~bit_word{0};
    load_word_if(target[i] != no_vertex, word[i], visited + target[i] / bits_per_word);
  }
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    target[i] = (word[i] & bit_of(target[i])) == 0 ? target[i] : no_vertex;
  }
}

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
      load_if(true, target[i], job.graph.out.targets + position[i]);
    }
  }

  new_entries<Position, Items> found;
  if constexpr (Items == 1) {
    if (target[0] != no_vertex) {
      found.first_edges[0] = job.graph.out.offsets[target[0]];
      found.degrees[0] = job.graph.out.degree(target[0]);
    }
  }

  // 2 leave out what was visited: cheaper to ask than to claim
  leave_out_visited(visited, target);

  // 3 claim
  edge<W> e[Items];
  bit_word before[Items];
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    e[i] = {no_vertex, target[i], {}};
    if constexpr (reads_edges<Visitor, W>) {
      if (target[i] != no_vertex) {
        e[i] = edge_at(job.graph.out, position[i], rows.source(row[i]), target[i]);
        target[i] = ::tendril::detail::admits(visitor, e[i]) ? target[i] : no_vertex;
      }
    }
  }
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    before[i] =
        set_bits_if(target[i] != no_vertex, &visited[target[i] / bits_per_word], bit_of(target[i]));
  }

  // 4 record the arrival
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    found.vertices[i] = no_vertex;
    if ((before[i] & bit_of(target[i])) == 0) {
      found.vertices[i] = target[i];
      ::tendril::detail::arrive(visitor, e[i], cursor.level + 1);
    }
  }

  // 5 append
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (Items != 1 && found.vertices[i] != no_vertex) {
      found.first_edges[i] = job.graph.out.offsets[found.vertices[i]];
      found.degrees[i] = job.graph.out.degree(found.vertices[i]);
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
      load_if(true, target[i], job.graph.out.targets + rows.position(row, tile.edge(i)));
    }
  }
  leave_out_visited(visited, target);
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    if (target[i] != no_vertex) {
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
  if constexpr (takes_short_rows<Visitor, W>) {
    if (!job.queue.has_edges()) {
      push_rows(job, cursor, visitor, scratch);
      return;
    }
  }
  for_each_tile<Position, Shape>(
      cursor.frontier_edges, job.resident_blocks, scratch.share,
      [&](const auto& tile) { push_claiming_tile(job, cursor, visitor, tile, scratch); });
}

}  // namespace tendril::cuda
