#pragma once

#include "tendril/cuda/detail/steps.cuh"
#include "tendril/cuda/detail/tile_rows.cuh"

// What a relaxing traversal does in each step (steps.cuh). Two queues take turns; a bitmap per
// queue keeps a vertex from entering it twice in one level.

namespace tendril::cuda {

/// Everything a relaxing kernel is told, by value.
template <weight W, class Position, class Shape>
struct relaxing_job : level_job<W, Position, Shape> {
  frontier_queue<Position> queues[2];  ///< num_vertices entries each
  bit_word* queued[2];                 ///< [num_words]; all zero for the queue of this level
};

template <weight W, class Position, class Shape>
__device__ void clear_bits(const relaxing_job<W, Position, Shape>& job, std::uint32_t word) {
  job.queued[0][word] = 0;
  job.queued[1][word] = 0;
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void enter_source(const relaxing_job<W, Position, Shape>& /*job*/,
                             const Visitor& visitor, vertex_id v) {
  visitor.start(v);
}

template <weight W, class Position, class Shape>
[[nodiscard]] __device__ const frontier_queue<Position>& source_queue(
    const relaxing_job<W, Position, Shape>& job) {
  return job.queues[0];
}

template <weight W, class Position, class Shape, class Visitor>
TENDRIL_HD void decide(const relaxing_job<W, Position, Shape>& /*job*/, const Visitor& /*visitor*/,
                       traversal_cursor& cursor) {
  cursor.way = direction::push;
}

/// Its frontiers are always queues.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD bool has_to_prepare(const relaxing_job<W, Position, Shape>& /*job*/,
                                             const traversal_cursor& /*cursor*/) {
  return false;
}
template <weight W, class Position, class Shape>
__device__ void prepare_level(const relaxing_job<W, Position, Shape>& /*job*/,
                              const block_scratch<Position, Shape>& /*scratch*/) {}

/// At least the bitmap has to be cleared.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD bool has_to_expand(const relaxing_job<W, Position, Shape>& /*job*/,
                                            const traversal_cursor& /*cursor*/) {
  return true;
}

/// Tiles of the level's edges, as many at least as clear the bitmap.
template <weight W, class Position, class Shape>
[[nodiscard]] TENDRIL_HD std::uint64_t num_expand_tiles(const relaxing_job<W, Position, Shape>& job,
                                                        const traversal_cursor& cursor) {
  return larger(num_edge_tiles<Shape>(cursor.frontier_edges, job.resident_blocks),
                tiles_for(job.graph.num_words, Shape::tile_clears));
}

/// One block, one tile of edges. Shared: the tile's rows, the scan of append.
template <unsigned Items, weight W, class Position, class Shape, class Visitor>
__device__ void relax_tile(const relaxing_job<W, Position, Shape>& job,
                           const traversal_cursor& cursor, const Visitor& visitor,
                           const edge_tile<Items, Position, Shape>& tile,
                           block_scratch<Position, Shape>& scratch) {
  const auto turn = static_cast<std::uint32_t>(cursor.level) & 1U;
  const tile_rows<Position, Shape> rows(job.queues[turn], cursor.frontier, tile.first_edge,
                                        tile.last_edge(), scratch.rows);
  bit_word* const queued = job.queued[turn ^ 1U];
  new_entries<Position, Items> improved;
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    improved.vertices[i] = no_vertex;
    if (!tile.has(i)) {
      continue;
    }
    const std::uint32_t row = rows.row_of(tile.edge(i));
    const Position position = rows.position(row, tile.edge(i));
    const edge<W> e =
        edge_at(job.graph.out, position, rows.source(row), job.graph.out.targets[position]);
    if (!::tendril::detail::admits(visitor, e) || !visitor.visit(e)) {
      continue;
    }
    const bit_word before = atomicOr(&queued[e.target / bits_per_word], bit_of(e.target));
    if ((before & bit_of(e.target)) == 0) {
      improved.vertices[i] = e.target;
      improved.first_edges[i] = job.graph.out.offsets[e.target];
      improved.degrees[i] = job.graph.out.degree(e.target);
    }
  }
  append(improved, job.queues[turn ^ 1U], job.counts, next_total(*job.state, cursor), scratch);
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void expand_level(const relaxing_job<W, Position, Shape>& job, const Visitor& visitor,
                             block_scratch<Position, Shape>& scratch) {
  const traversal_cursor& cursor = scratch.cursor;
  bit_word* const queued = job.queued[static_cast<std::uint32_t>(cursor.level) & 1U];
  for_each_item<Shape>(job.graph.num_words, scratch.share, [&](std::uint32_t w) { queued[w] = 0; });
  for_each_tile<Position, Shape>(
      cursor.frontier_edges, job.resident_blocks, scratch.share,
      [&](const auto& tile) { relax_tile(job, cursor, visitor, tile, scratch); });
}

/// A relaxing traversal never marks.
template <weight W, class Position, class Shape, class Visitor>
__device__ void record_level(const relaxing_job<W, Position, Shape>& /*job*/,
                             const Visitor& /*visitor*/,
                             block_scratch<Position, Shape>& /*scratch*/) {}

}  // namespace tendril::cuda
