#pragma once

#include "tendril/cuda/detail/pull_words.cuh"

// Pull: unvisited vertices look for a visited in-neighbour and stop at the first. A vertex that was
// visited before the frontier would have reached v earlier, so "visited" is as good as "in the
// frontier", and one bitmap serves for both.
//
// A warp takes 16 words of the bitmap, four side by side and these far from each other: what is
// unvisited often lies together, and all warps share it then. Where most of four words' vertices
// are unvisited, it tries their first in-neighbours (laid out apart, by vertex), a lane per bit;
// where short rows are packed, all of such a row. What is left it gathers in shared memory and
// works on 32 vertices at a time, so lanes stay busy when few are left: a lane tries its vertex's
// first in-neighbour, then the next edges of the row four at a time; what is longer the warp
// finishes together, row after row. Rows longer than hub_part_edges are cut into parts that blocks
// take. Results leave as one atomic per word.

namespace tendril::cuda {

/// The unvisited vertices of a warp's words, numbered within them.
/// @param word  lane i < warp_words: the warp's i-th word; other lanes: all ones
template <class Shape>
[[nodiscard]] __device__ inline unsigned gather_unvisited(bit_word word, std::uint16_t* todo) {
  unsigned size = 0;
#pragma unroll
  for (unsigned i = 0; i < Shape::warp_words; ++i) {
    const bit_word unvisited = ~__shfl_sync(~0U, word, static_cast<int>(i));
    if (((unvisited >> lane_id()) & 1U) != 0) {
      todo[size + static_cast<unsigned>(__popc(unvisited & ((1U << lane_id()) - 1)))] =
          static_cast<std::uint16_t>(i * bits_per_word + lane_id());
    }
    size += static_cast<unsigned>(__popc(unvisited));
  }
  __syncwarp();
  return size;
}

/// The lane's word of a warp's; all ones where it has none.
template <class Shape>
[[nodiscard]] __device__ inline bit_word own_word(const bit_word* bits, const pulled_words& words,
                                                  std::uint32_t num_words) {
  const std::uint32_t word = words.word(lane_id());
  return lane_id() < Shape::warp_words && word < num_words ? bits[word] : ~bit_word{0};
}

/// An unvisited vertex, with what a pull reads of it first.
template <class Position>
struct pull_candidate {
  unsigned k = 0;  ///< its number within the warp's words
  vertex_id first = no_vertex;
  Position begin = 0;
  Position end = 0;
};

/// The lane's candidate, or none past the end.
template <weight W, class Position, class Shape>
[[nodiscard]] __device__ pull_candidate<Position> load_candidate(
    const first_visit_job<W, Position, Shape>& job, const pulled_words& words,
    const std::uint16_t* todo, unsigned done, unsigned size) {
  pull_candidate<Position> candidate;
  if (done + lane_id() < size) {
    candidate.k = todo[done + lane_id()];
    const vertex_id v = words.vertex(candidate.k);
    candidate.first = job.graph.first_in[v];
    candidate.begin = job.graph.in.offsets[v];
    candidate.end = job.graph.in.offsets[v + std::size_t{1}];
  }
  return candidate;
}

/// Sets the bits of the vertices that the warp's lanes found. Candidates are in order, so 32 of
/// them mostly lie in a few words: an atomic each would be one after the other.
__device__ inline void note_found(bool is_found, unsigned k, bit_word* found) {
  const unsigned hits = __ballot_sync(~0U, is_found);
  if (hits == 0) {
    return;
  }
  const unsigned word = k / bits_per_word;
  const unsigned first = __shfl_sync(~0U, word, __ffs(static_cast<int>(hits)) - 1);
  const unsigned last = __shfl_sync(~0U, word, 31 - __clz(static_cast<int>(hits)));
  constexpr unsigned few = 4;
  if (last - first >= few) {
    if (is_found) {
      atomicOr(&found[word], bit_of(k));
    }
    __syncwarp();
    return;
  }
  for (unsigned w = first; w <= last; ++w) {
    const bit_word bits = __reduce_or_sync(~0U, is_found && word == w ? bit_of(k) : 0U);
    if (lane_id() == 0) {
      found[w] |= bits;
    }
  }
  __syncwarp();
}

/// The words of a warp.
/// @param before  own_word of them
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_words_of_warp(const first_visit_job<W, Position, Shape>& job,
                                   const traversal_cursor& cursor, const Visitor& visitor,
                                   const pulled_words& words, bit_word before, tally& mine,
                                   block_scratch<Position, Shape>& scratch) {
  const bit_word* const visited = job.visited(cursor);
  bit_word* const found = scratch.words.found[warp_id()];
  std::uint16_t* const todo = scratch.words.todo[warp_id()];

  // 1 what is found at once; the rest is gathered
  bit_word word = before;
  bit_word rest;
  if (pulls_short_rows<W, Position, Shape, Visitor>(job)) {
    rest = pull_short_words(job, cursor, visitor, words, word, mine);
  } else {
    pull_dense_words(job, cursor, visitor, words, word, mine);
    rest = word;
  }
  if (lane_id() < Shape::warp_words) {
    found[lane_id()] = 0;
  }
  const bool same_degrees = job.graph.in.offsets == job.graph.out.offsets;
  const unsigned size =
      __any_sync(~0U, rest != ~bit_word{0}) ? gather_unvisited<Shape>(rest, todo) : 0;

  pull_candidate<Position> next = load_candidate(job, words, todo, 0, size);
  for (unsigned done = 0; done < size; done += 32) {
    // 2 first in-neighbour; the next 32 vertices' numbers are on their way meanwhile
    const pull_candidate<Position> candidate = next;
    next = load_candidate(job, words, todo, done + 32, size);
    const unsigned k = candidate.k;
    const vertex_id v = words.vertex(k);
    Position begin = candidate.begin;
    Position end = candidate.end;
    pull_hit<Position> hit;
    if (end - begin > hub_part_edges) {
      end = begin;
    }
    if (is_parent(job, visited, visitor, candidate.first, v, begin)) {
      hit = {true, begin, candidate.first};
    }
    const Position degree = end - begin;

    // 3 the rest of the row
    if (begin != end) {
      ++begin;
    }
    pull_serial(job, visited, visitor, v, begin, end, hit);
    const unsigned unfinished = __ballot_sync(~0U, !hit.found && begin < end);
    pull_together(job, visited, visitor, unfinished, v, begin, end, hit);

    // 4 record
    if (hit.found) {
      ::tendril::detail::arrive(visitor, edge_at(job.graph.in, hit.position, hit.source, v),
                                cursor.level + 1);
      mine.edges += same_degrees ? degree : job.graph.out_degree(v);
    }
    note_found(hit.found, k, found);
  }
  __syncwarp();
  if (lane_id() < Shape::warp_words && words.word(lane_id()) < job.graph.num_words) {
    word |= found[lane_id()];
    mine.vertices += static_cast<std::uint32_t>(__popc(word & ~before));
    atomicOr(&job.behind(cursor)[words.word(lane_id())], word);
  }
  __syncwarp();
}

/// One block, one part of a long row.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_hub_part(const first_visit_job<W, Position, Shape>& job,
                              const traversal_cursor& cursor, const Visitor& visitor,
                              const hub_part& hub, tally& mine) {
  const bit_word* const visited = job.visited(cursor);
  const vertex_id v = hub.vertex;
  if (test_bit(visited, v)) {
    return;
  }
  bit_word* const word = &job.behind(cursor)[v / bits_per_word];
  const Position begin = job.graph.in.offsets[v] + static_cast<Position>(hub.part) * hub_part_edges;
  const Position rest = job.graph.in.offsets[v + std::size_t{1}] - begin;
  const auto size = static_cast<unsigned>(rest < hub_part_edges ? rest : hub_part_edges);
  for (unsigned k = threadIdx.x; k < size && (__ldcg(word) & bit_of(v)) == 0; k += Shape::threads) {
    const Position position = begin + k;
    const vertex_id source = job.graph.in.targets[position];
    if (is_parent(job, visited, visitor, source, v, position)) {
      if ((atomicOr(word, bit_of(v)) & bit_of(v)) == 0) {
        ::tendril::detail::arrive(visitor, edge_at(job.graph.in, position, source, v),
                                  cursor.level + 1);
        ++mine.vertices;
        mine.edges += job.graph.out_degree(v);
      }
      return;
    }
  }
}

/// The words of a share. The next words are on their way while some are worked on.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_words(const first_visit_job<W, Position, Shape>& job,
                           const traversal_cursor& cursor, const Visitor& visitor, tally& mine,
                           block_scratch<Position, Shape>& scratch) {
  const work_share& share = scratch.share;
  const bit_word* const visited = job.visited(cursor);
  pulled_words words{(share.index * Shape::warps + warp_id()) * pulled_words::group,
                     share.count * Shape::warps * pulled_words::group};
  bit_word word = own_word<Shape>(visited, words, job.graph.num_words);
  while (words.first < job.graph.num_words) {
    const pulled_words next{words.word(Shape::warp_words), words.stride};
    const bit_word next_word = own_word<Shape>(visited, next, job.graph.num_words);
    pull_words_of_warp(job, cursor, visitor, words, word, mine, scratch);
    words = next;
    word = next_word;
  }
}

/// The parts of long rows of a share, dealt round. Most rows are found early, so a block first
/// looks which of its parts are left, a thread each.
template <weight W, class Position, class Shape, class Visitor>
__device__ void pull_hub_parts(const first_visit_job<W, Position, Shape>& job,
                               const traversal_cursor& cursor, const Visitor& visitor,
                               const work_share& share, tally& mine) {
  const std::uint64_t round = std::uint64_t{share.count} * Shape::threads;
  for (std::uint64_t first = share.index; first < job.graph.num_hub_parts; first += round) {
    const std::uint64_t own = first + std::uint64_t{threadIdx.x} * share.count;
    const bool is_left = own < job.graph.num_hub_parts &&
                         !test_bit(job.visited(cursor), job.graph.hub_parts[own].vertex);
    if (__syncthreads_or(is_left ? 1 : 0) == 0) {
      continue;
    }
    for (std::uint64_t part = first; part < first + round && part < job.graph.num_hub_parts;
         part += share.count) {
      pull_hub_part(job, cursor, visitor, job.graph.hub_parts[part], mine);
    }
  }
}

template <weight W, class Position, class Shape, class Visitor>
__device__ void pull(const first_visit_job<W, Position, Shape>& job, const traversal_cursor& cursor,
                     const Visitor& visitor, block_scratch<Position, Shape>& scratch) {
  tally mine;
  pull_words(job, cursor, visitor, mine, scratch);
  pull_hub_parts(job, cursor, visitor, scratch.share, mine);
  add_tally(mine, job.counts, next_total(*job.state, cursor), scratch);
}

}  // namespace tendril::cuda
