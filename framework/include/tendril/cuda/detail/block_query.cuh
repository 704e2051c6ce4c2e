#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tendril/cuda/detail/block_query_types.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/query/traverse_each.hpp"

// Many first-visit traversals in one launch, a block to each. For graphs of many narrow levels: a
// level costs a barrier of one block, and queries on different multiprocessors do not wait for each
// other. Blocks take queries by ticket.
//
// The visited bitmap lies in shared memory where it fits, else in global memory. The queues of two
// levels lie in shared memory; entries that they have no room for go to global memory, behind those
// of the level before: a traversal enters each vertex once, so num_vertices entries are enough.

namespace tendril::cuda {

/// One query, by all threads of a block.
template <weight W, class Position, class Visitor>
class block_query {
 public:
  __device__ block_query(const block_query_job<W, Position>& job, const Visitor& visitor,
                         block_query_control& control, vertex_id* queues, bit_word* visited)
      : job_(job),
        visitor_(visitor),
        control_(control),
        queues_{queues, queues + block_query_shape::queue_entries},
        visited_(visited),
        spilled_(job.spilled + std::size_t{blockIdx.x} * job.graph.num_vertices) {}

  __device__ void run(std::uint32_t query) {
    start(job_.sources[query]);
    reach_summary answer;
    vertex_id* const counts = job_.level_counts + std::size_t{query} * job_.counted_levels;
    std::int32_t level = 0;
    for (std::uint32_t size = 1; size != 0; ++level) {
      if (threadIdx.x == 0) {
        control_.sizes[static_cast<std::uint32_t>(level + 2) % 3] = 0;
        count(level, size, answer, counts);
        ::tendril::detail::level_begins(visitor_, level);
      }
      if constexpr (::tendril::detail::has_level_begins<Visitor>) {
        __syncthreads();
      }
      // The barrier itself says whether rows were left: a warp that has passed it may leave the
      // next.
      if (__syncthreads_or(static_cast<int>(expand(level, size))) != 0) {
        expand_long(level, size);
      }
      if constexpr (sees_levels_end<Visitor>) {
        if (threadIdx.x == 0) {
          ::tendril::detail::level_ends(visitor_, level);
          control_.stops = ::tendril::detail::stops(visitor_, level);
        }
        __syncthreads();
        if (control_.stops) {
          count_last(level + 1, answer, counts);
          break;
        }
      }
      spilled_begin_ += spilled_of(size);
      size = control_.sizes[static_cast<std::uint32_t>(level + 1) % 3];
    }
    if (threadIdx.x == 0) {
      job_.answers[query] = answer;
    }
  }

 private:
  /// Adds the vertices of a level. One thread.
  __device__ void count(std::int32_t level, std::uint32_t size, reach_summary& answer,
                        vertex_id* counts) const {
    answer.reached += size;
    answer.depth = level;
    answer.total_depth += static_cast<std::uint64_t>(level) * size;
    if (static_cast<std::uint32_t>(level) < job_.counted_levels) {
      counts[level] = size;
    }
  }

  /// Adds what arrived in the level at whose end the visitor stopped.
  __device__ void count_last(std::int32_t level, reach_summary& answer, vertex_id* counts) const {
    const std::uint32_t size = control_.sizes[static_cast<std::uint32_t>(level) % 3];
    if (threadIdx.x == 0 && size != 0) {
      count(level, size, answer, counts);
    }
  }

  __device__ void start(vertex_id source) {
    if (threadIdx.x == 0) {
      visitor_.arrive(source, 0);
    }
    for (std::uint32_t word = threadIdx.x; word < job_.graph.num_words;
         word += block_query_shape::threads) {
      visited_[word] = 0;
    }
    if (threadIdx.x < 3) {
      control_.sizes[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0) {
      control_.num_long = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      visited_[source / bits_per_word] = bit_of(source);
      queues_[0][0] = source;
    }
    __syncthreads();
  }

  /// True once a probe has seen enough; the same for all threads of a warp. A level of any other
  /// visitor is run to its end, whatever its members are called.
  [[nodiscard]] __device__ bool has_enough() const {
    if constexpr (std::is_same_v<Visitor, ::tendril::detail::width_probe>) {
      return __any_sync(~0U, static_cast<int>(visitor_.has_enough())) != 0;
    } else {
      return false;
    }
  }

  /// Whole warps take entries of the frontier, a thread each.
  /// @return this thread left a row to the block
  [[nodiscard]] __device__ bool expand(std::int32_t level, std::uint32_t size) {
    bool has_left = false;
    const vertex_id* const queue = queues_[static_cast<std::uint32_t>(level) % 2];
    for (std::uint32_t i = threadIdx.x; i - lane_id() < size && !has_enough();
         i += block_query_shape::threads) {
      vertex_id u = no_vertex;
      if (i < size) {
        u = i < block_query_shape::queue_entries
                ? queue[i]
                : spilled_[spilled_begin_ + (i - block_query_shape::queue_entries)];
      }
      has_left |= expand_warp(level, size, u);
    }
    return has_left;
  }

  /// Rows of up to four edges by a thread each, longer ones by the warp, one after another, and the
  /// longest not yet.
  /// @return this thread's row was left to the block
  [[nodiscard]] __device__ bool expand_warp(std::int32_t level, std::uint32_t size, vertex_id u) {
    short_row row{{no_vertex, no_vertex, no_vertex, no_vertex}};
    Position first = 0;
    Position degree = 0;
    if (u != no_vertex) {
      load_row(u, row, first, degree);
    }
    const bool is_left = degree >= block_query_shape::long_degree && leave_to_block(u);
    for (unsigned longer = __ballot_sync(~0U, degree > 4 && !is_left); longer != 0 && !has_enough();
         longer &= longer - 1) {
      const int lane = __ffs(static_cast<int>(longer)) - 1;
      const vertex_id source = __shfl_sync(~0U, u, lane);
      const Position begin = __shfl_sync(~0U, first, lane);
      const Position edges = __shfl_sync(~0U, degree, lane);
      for (Position i = lane_id(); i - lane_id() < edges; i += 32) {
        const vertex_id v = i < edges ? job_.graph.out.targets[begin + i] : no_vertex;
        queue_found(level, size, {enter(level, source, v, begin + i)}, {v});
      }
    }
    bool found[4];
    enter_row(level, u, row, first, found);
    queue_found(level, size, found, row.targets);
    return is_left;
  }

  /// @return false: there is no room for it
  [[nodiscard]] __device__ bool leave_to_block(vertex_id u) {
    const std::uint32_t place = atomicAdd(&control_.num_long, 1U);
    if (place < block_query_shape::long_rows) {
      control_.long_rows[place] = u;
    }
    return place < block_query_shape::long_rows;
  }

  /// Rows that were left, one after another. Ends with a barrier.
  __device__ void expand_long(std::int32_t level, std::uint32_t size) {
    const std::uint32_t num_rows = control_.num_long < block_query_shape::long_rows
                                       ? control_.num_long
                                       : block_query_shape::long_rows;
    for (std::uint32_t row = 0; row < num_rows; ++row) {
      const vertex_id u = control_.long_rows[row];
      const Position first = job_.graph.out.offsets[u];
      const Position degree = job_.graph.out.degree(u);
      for (Position i = threadIdx.x; i - lane_id() < degree && !has_enough();
           i += block_query_shape::threads) {
        const vertex_id v = i < degree ? job_.graph.out.targets[first + i] : no_vertex;
        queue_found(level, size, {enter(level, u, v, first + i)}, {v});
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      control_.num_long = 0;
    }
    __syncthreads();
  }

  /// @param row     the targets of a row of up to four edges
  /// @param first   position of the first edge where it is known: for weights, and longer rows
  /// @param degree  0 where the row is short and packed
  __device__ void load_row(vertex_id u, short_row& row, Position& first, Position& degree) const {
    if (std::is_same_v<W, none> && job_.graph.short_rows != nullptr) {
      const uint4 raw = __ldg(reinterpret_cast<const uint4*>(&job_.graph.short_rows[u]));
      if (raw.w != long_row) {
        row = {{raw.x, raw.y, raw.z, raw.w}};
        return;
      }
    }
    first = job_.graph.out.offsets[u];
    degree = job_.graph.out.degree(u);
    for (unsigned i = 0; degree <= 4 && i < degree; ++i) {
      row.targets[i] = job_.graph.out.targets[first + i];
    }
  }

  /// Enters v over an edge. @return true if this call did; false for no_vertex
  [[nodiscard]] __device__ bool enter(std::int32_t level, vertex_id u, vertex_id v,
                                      Position position) {
    if (v == no_vertex || test_bit(visited_, v) || !admits(u, v, position)) {
      return false;
    }
    if ((atomicOr(&visited_[v / bits_per_word], bit_of(v)) & bit_of(v)) != 0) {
      return false;
    }
    ::tendril::detail::arrive(visitor_, edge_at(job_.graph.out, position, u, v), level + 1);
    return true;
  }

  /// The same for up to four edges: their claims do not wait for each other. One that is not there
  /// claims nothing, in a word of the thread's own lane.
  __device__ void enter_row(std::int32_t level, vertex_id u, const short_row& row, Position first,
                            bool (&found)[4]) {
    bit_word bits[4];
    bit_word before[4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const vertex_id v = row.targets[i];
      const bool is_there = v != no_vertex && admits(u, v, first + i);
      bits[i] = is_there ? bit_of(v) : 0;
      before[i] = atomicOr(&visited_[is_there ? v / bits_per_word : lane_word()], bits[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      found[i] = (bits[i] & ~before[i]) != 0;
      if (found[i]) {
        ::tendril::detail::arrive(visitor_, edge_at(job_.graph.out, first + i, u, row.targets[i]),
                                  level + 1);
      }
    }
  }

  [[nodiscard]] __device__ bool admits(vertex_id u, vertex_id v, Position position) const {
    return ::tendril::detail::admits(visitor_, edge_at(job_.graph.out, position, u, v));
  }
  /// A word of the bitmap that differs from lane to lane as far as there are enough.
  [[nodiscard]] __device__ std::uint32_t lane_word() const {
    return lane_id() < job_.graph.num_words ? lane_id() : 0;
  }

  /// Appends what the warp's threads found; the warp reserves once.
  template <unsigned Count>
  __device__ void queue_found(std::int32_t level, std::uint32_t size, const bool (&found)[Count],
                              const vertex_id (&vertices)[Count]) {
    unsigned lanes[Count];
    std::uint32_t total = 0;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      lanes[i] = __ballot_sync(~0U, found[i]);
      total += static_cast<std::uint32_t>(__popc(lanes[i]));
    }
    if (total == 0) {
      return;
    }
    std::uint32_t slot = 0;
    if (lane_id() == 0) {
      slot = atomicAdd(&control_.sizes[static_cast<std::uint32_t>(level + 1) % 3], total);
    }
    slot = __shfl_sync(~0U, slot, 0);
    const unsigned before = (1U << lane_id()) - 1;
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      if (found[i]) {
        put(level, size, slot + static_cast<std::uint32_t>(__popc(lanes[i] & before)), vertices[i]);
      }
      slot += static_cast<std::uint32_t>(__popc(lanes[i]));
    }
  }

  /// @param size  of the level that is expanded: what it spilled lies before
  __device__ void put(std::int32_t level, std::uint32_t size, std::uint32_t slot, vertex_id v) {
    if (slot < block_query_shape::queue_entries) {
      queues_[static_cast<std::uint32_t>(level + 1) % 2][slot] = v;
      return;
    }
    spilled_[spilled_begin_ + spilled_of(size) + (slot - block_query_shape::queue_entries)] = v;
  }

  /// Vertices of a level that are not in shared memory.
  [[nodiscard]] static __device__ std::uint32_t spilled_of(std::uint32_t size) {
    return size > block_query_shape::queue_entries ? size - block_query_shape::queue_entries : 0;
  }

  const block_query_job<W, Position>& job_;
  const Visitor& visitor_;
  block_query_control& control_;
  vertex_id* queues_[2];  // of level % 2
  bit_word* visited_;
  vertex_id* spilled_;
  std::uint32_t spilled_begin_ = 0;  // of the level that is expanded
};

}  // namespace tendril::cuda
