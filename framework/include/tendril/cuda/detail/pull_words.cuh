#pragma once

#include "tendril/cuda/detail/guarded.cuh"
#include "tendril/cuda/detail/pull_rows.cuh"
#include "tendril/cuda/detail/short_rows.cuh"

// The part of a pull that takes words of the bitmap as they are, a lane per bit, four words at a
// time, so that their reads are on the way together.

namespace tendril::cuda {

/// Words of a bitmap that a warp takes: words first, first + stride, ..
struct pulled_words {
  std::uint32_t first;
  std::uint32_t stride;

  [[nodiscard]] __device__ std::uint32_t word(unsigned i) const { return first + i * stride; }
  /// @param k  a bit, counted over the warp's words
  [[nodiscard]] __device__ vertex_id vertex(unsigned k) const {
    return word(k / bits_per_word) * bits_per_word + k % bits_per_word;
  }
};

/// Tries the first in-neighbours of words that are mostly unvisited.
/// @param word  lane i < warp_words: the warp's i-th word; what is found is added
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_dense_words(const first_visit_job<W, Position, Shape>& job,
                                 const traversal_cursor& cursor, const Visitor& visitor,
                                 const pulled_words& words, bit_word& word, tally& mine) {
  constexpr unsigned batch = Shape::dense_words;
  const bit_word* const visited = job.visited(cursor);
  const std::int32_t next_level = cursor.level + 1;
  const unsigned dense = __ballot_sync(~0U, __popc(~word) >= Shape::dense_bits);
  for (unsigned i = 0; i < Shape::warp_words; i += batch) {
    if (((dense >> i) & ((1U << batch) - 1)) == 0) {
      continue;
    }
    const unsigned k = i * bits_per_word + lane_id();
    vertex_id first[batch];
    std::uint32_t degree[batch];
    bit_word seen[batch];
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
      const bool is_open = ((known >> lane_id()) & 1U) == 0;
      const vertex_id v = words.vertex(k + j * bits_per_word);
      first[j] = no_vertex;
      degree[j] = 0;
      load_if(is_open, first[j], job.graph.first_in + v);
      load_if(is_open, degree[j], job.graph.degrees + v);
    }
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      seen[j] = 0;
      load_word_if(first[j] != no_vertex, seen[j], visited + first[j] / bits_per_word);
    }
    unsigned has_many = 0;
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const vertex_id v = words.vertex(k + j * bits_per_word);
      bool is_found = (seen[j] & bit_of(first[j])) != 0;
      if (is_found) {
        const edge<W> e = edge_at(job.graph.in, job.graph.in.offsets[v], first[j], v);
        is_found = ::tendril::detail::admits(visitor, e);
        if (is_found) {
          ::tendril::detail::arrive(visitor, e, next_level);
        }
      }
      mine.edges += is_found ? degree[j] : 0;
      has_many |= (is_found && degree[j] == many_edges ? 1U : 0U) << j;
      const bit_word bits = __ballot_sync(~0U, is_found);
      word |= lane_id() == i + j ? bits : 0;
    }
    for (; has_many != 0; has_many &= has_many - 1) {
      const auto j = static_cast<unsigned>(__ffs(static_cast<int>(has_many))) - 1;
      mine.edges += job.graph.out.degree(words.vertex(k + j * bits_per_word)) - many_edges;
    }
  }
}

/// True if packed rows hold all that a pull asks of a row.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bool pulls_short_rows(const first_visit_job<W, Position, Shape>& job) {
  return takes_short_rows<Visitor, W> && job.graph.short_rows != nullptr &&
         job.graph.in.offsets == job.graph.out.offsets;
}

/// Looks at the packed rows of all unvisited vertices, four words at a time.
/// @param word  as in pull_dense_words
/// @return lane i < warp_words: the i-th word without its vertices of longer rows, for
/// gather_unvisited; other lanes: all ones
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bit_word pull_short_words(const first_visit_job<W, Position, Shape>& job,
                                                   const traversal_cursor& cursor,
                                                   const Visitor& visitor,
                                                   const pulled_words& words, bit_word& word,
                                                   tally& mine) {
  constexpr unsigned batch = Shape::dense_words;
  const bit_word* const visited = job.visited(cursor);
  const unsigned open = __ballot_sync(~0U, word != ~bit_word{0});
  bit_word rest = ~bit_word{0};
  for (unsigned i = 0; i < Shape::warp_words; i += batch) {
    if (((open >> i) & ((1U << batch) - 1)) == 0) {
      continue;
    }
    const unsigned k = i * bits_per_word + lane_id();
    short_row row[batch];
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
      row[j] = no_row();
      load_if(((known >> lane_id()) & 1U) == 0, row[j],
              job.graph.short_rows + words.vertex(k + j * bits_per_word));
    }
#pragma unroll
    for (unsigned j = 0; j < batch; ++j) {
      const vertex_id target = words.vertex(k + j * bits_per_word);
      const bool has_more = is_long(row[j]);
      bit_word seen[4];
#pragma unroll
      for (unsigned n = 0; n < 4; ++n) {
        const vertex_id neighbour = row[j].targets[n];
        seen[n] = 0;
        load_word_if(neighbour != no_vertex && !has_more, seen[n],
                     visited + neighbour / bits_per_word);
      }
      vertex_id source = no_vertex;
#pragma unroll
      for (unsigned n = 0; n < 4; ++n) {
        const vertex_id neighbour = row[j].targets[n];
        if ((seen[n] & bit_of(neighbour)) != 0 &&
            ::tendril::detail::admits(visitor, edge<W>{neighbour, target, {}})) {
          source = neighbour;
        }
      }
      if (source != no_vertex) {
        ::tendril::detail::arrive(visitor, edge<W>{source, target, {}}, cursor.level + 1);
        mine.edges += degree_of(row[j]);
      }
      const bit_word found = __ballot_sync(~0U, source != no_vertex);
      const bit_word longer = __ballot_sync(~0U, has_more);
      word |= lane_id() == i + j ? found : 0;
      rest &= lane_id() == i + j ? ~longer : ~bit_word{0};
    }
  }
  return rest;
}

}  // namespace tendril::cuda
