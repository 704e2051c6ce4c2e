#pragma once

#include "tendril/cuda/detail/pull_rows.cuh"

// The part of a pull that takes words of the bitmap as they are, a lane per bit, four words at a
// time, so that their reads are on the way together.

namespace tendril::cuda {

/// Tries the first in-neighbours of words that are mostly unvisited.
/// @param word  lane i < warp_words: the warp's i-th word; what is found is added
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_dense_words(const first_visit_job<W, Position, Shape>& job,
                                 const traversal_cursor& cursor, const Visitor& visitor,
                                 std::uint32_t first_word, bit_word& word, tally& mine) {
  constexpr unsigned batch = Shape::dense_words;
  const bit_word* const visited = job.visited(cursor);
  const bool same_degrees = job.graph.in.offsets == job.graph.out.offsets;
  const unsigned dense = __ballot_sync(~0U, __popc(~word) >= Shape::dense_bits);
  for (unsigned i = 0; i < Shape::warp_words; i += batch) {
    if (((dense >> i) & ((1U << batch) - 1)) == 0) {
      continue;
    }
    const vertex_id v = (first_word + i) * bits_per_word + lane_id();
    vertex_id first[batch];
    Position begin[batch];
    Position end[batch];
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
      first[j] = no_vertex;
      if (((known >> lane_id()) & 1U) == 0) {
        first[j] = job.graph.first_in[v + j * bits_per_word];
        begin[j] = job.graph.in.offsets[v + j * bits_per_word];
        end[j] = job.graph.in.offsets[v + j * bits_per_word + std::size_t{1}];
      }
    }
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const vertex_id target = v + j * bits_per_word;
      const bool is_found = first[j] != no_vertex && end[j] - begin[j] <= hub_part_edges &&
                            is_parent(job, visited, visitor, first[j], target, begin[j]);
      if (is_found) {
        ::tendril::detail::arrive(visitor, edge_at(job.graph.in, begin[j], first[j], target),
                                  cursor.level + 1);
        ++mine.vertices;
        mine.edges += same_degrees ? end[j] - begin[j] : job.graph.out_degree(target);
      }
      const bit_word bits = __ballot_sync(~0U, is_found);
      word |= lane_id() == i + j ? bits : 0;
    }
  }
}

/// True if packed rows hold all that a pull asks of a row.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bool pulls_short_rows(const first_visit_job<W, Position, Shape>& job) {
  constexpr bool needs_no_weights = std::is_same_v<W, none> || !reads_edges<Visitor, W>;
  return needs_no_weights && job.graph.short_rows != nullptr &&
         job.graph.in.offsets == job.graph.out.offsets;
}

/// Looks at the packed rows of all unvisited vertices, four words at a time.
/// @param word  as in pull_dense_words
/// @return lane i < warp_words: the i-th word without its vertices of longer rows, for
/// gather_unvisited; other lanes: all ones
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bit_word pull_short_words(const first_visit_job<W, Position, Shape>& job,
                                                   const traversal_cursor& cursor,
                                                   const Visitor& visitor, std::uint32_t first_word,
                                                   bit_word& word, tally& mine) {
  constexpr unsigned batch = Shape::dense_words;
  const bit_word* const visited = job.visited(cursor);
  const unsigned open = __ballot_sync(~0U, word != ~bit_word{0});
  bit_word rest = ~bit_word{0};
  for (unsigned i = 0; i < Shape::warp_words; i += batch) {
    if (((open >> i) & ((1U << batch) - 1)) == 0) {
      continue;
    }
    const vertex_id v = (first_word + i) * bits_per_word + lane_id();
    short_row row[batch];
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
      row[j] = {{no_vertex, no_vertex, no_vertex, no_vertex}};
      if (((known >> lane_id()) & 1U) == 0) {
        row[j] = job.graph.short_rows[v + j * bits_per_word];
      }
    }
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const vertex_id target = v + j * bits_per_word;
      const bool is_long = row[j].targets[3] == long_row;
      vertex_id source = no_vertex;
      unsigned degree = 0;
#pragma unroll
      for (const vertex_id neighbour : row[j].targets) {
        degree += neighbour != no_vertex ? 1U : 0U;
        if (!is_long && is_parent(job, visited, visitor, neighbour, target, Position{0})) {
          source = neighbour;
        }
      }
      if (source != no_vertex) {
        ::tendril::detail::arrive(visitor, edge_at(job.graph.in, Position{0}, source, target),
                                  cursor.level + 1);
        ++mine.vertices;
        mine.edges += degree;
      }
      const bit_word found = __ballot_sync(~0U, source != no_vertex);
      const bit_word longer = __ballot_sync(~0U, is_long);
      word |= lane_id() == i + j ? found : 0;
      rest &= lane_id() == i + j ? ~longer : ~bit_word{0};
    }
  }
  return rest;
}

}  // namespace tendril::cuda
