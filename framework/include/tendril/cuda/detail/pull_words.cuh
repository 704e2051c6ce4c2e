#pragma once

#include "tendril/cuda/detail/guarded.cuh"
#include "tendril/cuda/detail/pull_rows.cuh"
#include "tendril/cuda/detail/short_rows.cuh"

// The part of a pull that takes words of the bitmap as they are, a lane per bit, several words at a
// time, so that their reads are on the way together.

namespace tendril::cuda {

/// Words of a bitmap that a warp takes: groups of neighbours, far from each other.
struct pulled_words {
  static constexpr unsigned group = kernel_shape::dense_words;

  std::uint32_t first;
  std::uint32_t stride;  ///< from group to group

  [[nodiscard]] __device__ std::uint32_t word(unsigned i) const {
    return first + i / group * stride + i % group;
  }
  /// @param k  a bit, counted over the warp's words
  [[nodiscard]] __device__ vertex_id vertex(unsigned k) const {
    return word(k / bits_per_word) * bits_per_word + k % bits_per_word;
  }
};

/// The word with a neighbour's bit; for no_vertex one that says nothing. Of many neighbours all
/// words are read first, then all bits tested.
[[nodiscard]] __device__ inline bit_word load_word_of(vertex_id neighbour, const bit_word* visited,
                                                      std::uint32_t num_words) {
  return load_word(visited + min(neighbour / bits_per_word, num_words - 1));
}
[[nodiscard]] __device__ inline bool is_seen(vertex_id neighbour, bit_word word) {
  const bool has_bit = (word & bit_of(neighbour)) != 0;
  const bool is_vertex = neighbour != no_vertex;
  return (static_cast<unsigned>(has_bit) & static_cast<unsigned>(is_vertex)) != 0;  // no branch
}

/// What a lane reads of a group of words: of its vertex in each.
struct dense_group {
  vertex_id first[pulled_words::group];       ///< in-neighbour
  std::uint32_t degree[pulled_words::group];  ///< or many_edges
};

/// @param v  the lane's vertex in the group's first word
template <weight W, class Position>
[[nodiscard]] __device__ dense_group load_group(const kernel_graph<W, Position>& graph,
                                                vertex_id v) {
  dense_group group;
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
    group.first[j] = load(graph.first_in + v + j * bits_per_word);
    group.degree[j] = load(graph.degrees + v + j * bits_per_word);
  }
  return group;
}

/// Tries the first in-neighbours of a group.
/// @param i  its first word's number
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_group(const first_visit_job<W, Position, Shape>& job,
                           const traversal_cursor& cursor, const Visitor& visitor, unsigned i,
                           vertex_id v, dense_group group, bit_word& word, tally& mine) {
  bit_word seen[pulled_words::group];
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
    const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
    group.first[j] = (known & bit_of(lane_id())) == 0 ? group.first[j] : no_vertex;
    seen[j] = load_word_of(group.first[j], job.visited(cursor), job.graph.num_words);
  }
  std::uint32_t edges = 0;
  std::uint32_t most = 0;
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
    const vertex_id target = v + j * bits_per_word;
    const auto arriving = [&] {
      return edge_at(job.graph.in, job.graph.in.offsets[target], group.first[j], target);
    };
    const bool is_found =
        is_seen(group.first[j], seen[j]) && ::tendril::detail::admits(visitor, arriving());
    if (is_found) {
      ::tendril::detail::arrive(visitor, arriving(), cursor.level + 1);
    }
    group.degree[j] = is_found ? group.degree[j] : 0;
    edges += group.degree[j];
    most = max(most, group.degree[j]);
    const bit_word found = __ballot_sync(~0U, is_found);
    word |= lane_id() == i + j ? found : 0;
  }
  mine.edges += edges;
  if (most == many_edges) {
#pragma unroll
    for (unsigned j = 0; j < pulled_words::group; ++j) {
      if (group.degree[j] == many_edges) {
        mine.edges += job.graph.out.degree(v + j * bits_per_word) - many_edges;
      }
    }
  }
}

/// Tries the first in-neighbours of groups that are mostly unvisited.
/// @param word  lane i < warp_words: the warp's i-th word; what is found is added
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_dense_words(const first_visit_job<W, Position, Shape>& job,
                                 const traversal_cursor& cursor, const Visitor& visitor,
                                 const pulled_words& words, bit_word& word, tally& mine) {
  constexpr unsigned size = pulled_words::group;
  auto open = static_cast<unsigned>(__popc(~word));
  for (unsigned lanes = 1; lanes < size; lanes *= 2) {
    open += __shfl_xor_sync(~0U, open, static_cast<int>(lanes));
  }
  // All vertices of a group are read, so the graph must have them.
  const bool is_whole = words.word(lane_id() | (size - 1)) < job.graph.num_vertices / bits_per_word;
  const unsigned dense = __ballot_sync(~0U, is_whole && open >= size * Shape::dense_bits);
  for (unsigned i = 0; i < Shape::warp_words; i += size) {
    if (((dense >> i) & 1U) != 0) {
      const vertex_id v = words.word(i) * bits_per_word + lane_id();
      pull_group(job, cursor, visitor, i, v, load_group(job.graph, v), word, mine);
    }
  }
}

/// True if packed rows hold all that a pull asks of a row.
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bool pulls_short_rows(const first_visit_job<W, Position, Shape>& job) {
  return takes_short_rows<Visitor, W> && job.graph.short_rows != nullptr &&
         job.graph.in.offsets == job.graph.out.offsets;
}

/// The packed rows of a lane's vertices in a group of words.
struct row_group {
  short_row rows[pulled_words::group];
};

/// @param v  the lane's vertex in the group's first word, i: the word's number
/// @return no_row() for what was visited
[[nodiscard]] __device__ inline row_group load_rows(const short_row* rows, vertex_id v,
                                                    bit_word word, unsigned i) {
  row_group group;
  bool is_open[pulled_words::group];
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
    const bit_word known = __shfl_sync(~0U, word, static_cast<int>(i + j));
    is_open[j] = (known & bit_of(lane_id())) == 0;
    group.rows[j] = load(rows + (is_open[j] ? v + j * bits_per_word : 0));
  }
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
#pragma unroll
    for (vertex_id& target : group.rows[j].targets) {
      target = is_open[j] ? target : no_vertex;
    }
  }
  return group;
}

/// Replaces longer rows by no_row(), and takes their vertices out of `rest`. The branch has all
/// rows read before any neighbour is looked up.
__device__ inline void leave_out_long(row_group& group, unsigned i, bit_word& rest) {
  bool has_long = false;
#pragma unroll
  for (const short_row& row : group.rows) {
    has_long |= is_long(row);
  }
  if (!__any_sync(~0U, has_long)) {
    return;
  }
#pragma unroll
  for (unsigned j = 0; j < pulled_words::group; ++j) {
    const bool has_more = is_long(group.rows[j]);
    const bit_word longer = __ballot_sync(~0U, has_more);
    rest &= lane_id() == i + j ? ~longer : ~bit_word{0};
    group.rows[j] = has_more ? no_row() : group.rows[j];
  }
}

/// Looks at all that two rows hold, of the vertices v and v + 32 of words i and i + 1.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_two_rows(const first_visit_job<W, Position, Shape>& job,
                              const traversal_cursor& cursor, const Visitor& visitor, unsigned i,
                              vertex_id v, const short_row* rows, bit_word& word, tally& mine) {
  bit_word seen[2][4];
#pragma unroll
  for (unsigned j = 0; j < 2; ++j) {
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) {
      seen[j][n] = load_word_of(rows[j].targets[n], job.visited(cursor), job.graph.num_words);
    }
  }
#pragma unroll
  for (unsigned j = 0; j < 2; ++j) {
    const vertex_id target = v + j * bits_per_word;
    vertex_id source = no_vertex;
#pragma unroll
    for (unsigned n = 0; n < 4; ++n) {
      const vertex_id neighbour = rows[j].targets[n];
      if (is_seen(neighbour, seen[j][n]) &&
          ::tendril::detail::admits(visitor, edge<W>{neighbour, target, {}})) {
        source = neighbour;
      }
    }
    if (source != no_vertex) {
      ::tendril::detail::arrive(visitor, edge<W>{source, target, {}}, cursor.level + 1);
      mine.edges += degree_of(rows[j]);
    }
    const bit_word found = __ballot_sync(~0U, source != no_vertex);
    word |= lane_id() == i + j ? found : 0;
  }
}

/// Looks at the packed rows of all unvisited vertices.
/// @param word  as in pull_dense_words
/// @return lane i < warp_words: the i-th word without its vertices of longer rows, for
/// gather_unvisited; other lanes: all ones
template <weight W, class Position, class Shape, class Visitor>
[[nodiscard]] __device__ bit_word pull_short_words(const first_visit_job<W, Position, Shape>& job,
                                                   const traversal_cursor& cursor,
                                                   const Visitor& visitor,
                                                   const pulled_words& words, bit_word& word,
                                                   tally& mine) {
  constexpr unsigned size = pulled_words::group;
  const unsigned open = __ballot_sync(~0U, word != ~bit_word{0});
  bit_word rest = ~bit_word{0};
  for (unsigned i = 0; i < Shape::warp_words; i += size) {
    if (((open >> i) & ((1U << size) - 1)) == 0) {
      continue;
    }
    const vertex_id v = words.word(i) * bits_per_word + lane_id();
    row_group group = load_rows(job.graph.short_rows, v, word, i);
    leave_out_long(group, i, rest);
#pragma unroll
    for (unsigned j = 0; j < size; j += 2) {
      pull_two_rows(job, cursor, visitor, i + j, v + j * bits_per_word, group.rows + j, word, mine);
    }
  }
  return rest;
}

}  // namespace tendril::cuda
