#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/edge_tile.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/schedule/ways.hpp"

// A traversal as a sequence of steps. All blocks take a step together, each its shares of it, and
// then wait for each other: in one resident kernel, or between two launches. The place in the
// traversal, a cursor, is moved on by whoever knows the level's total: every block of a resident
// kernel for itself, all alike; the host; or the last block of a launch.
//
//   clear    the bitmaps                                            once
//   start    the sources enter and are queued                       once
//   choose   no work: the level's direction is decided, or that there is no level
//   prepare  where something has to be done before the level can be expanded
//   expand   its edges
//   record   after a marking push
//   finish   where the visitor wants to see levels end, or may stop
//
// What a step does is up to the job, by overloads that first_visit_steps.cuh and relaxing_steps.cuh
// define: clear_bits, enter_source, source_queue, decide, has_to_prepare, prepare_level,
// has_to_expand, num_expand_tiles, expand_level, record_level.

namespace tendril::cuda {

/// Calls act(i) for the items 0 .. size - 1 of a share, a thread each.
template <class Shape, class Act>
__device__ void for_each_item(std::uint32_t size, const work_share& share, const Act& act) {
  const std::uint64_t stride = std::uint64_t{share.count} * Shape::threads;
  for (std::uint64_t i = std::uint64_t{share.index} * Shape::threads + threadIdx.x; i < size;
       i += stride) {
    act(static_cast<std::uint32_t>(i));
  }
}

[[nodiscard]] __device__ inline bool is_first_thread_of(const work_share& share) {
  return share.index == 0 && threadIdx.x == 0;
}

template <class Job>
__device__ void clear(const Job& job, const work_share& share) {
  for_each_item<typename Job::shape>(job.graph.num_words, share,
                                     [&](std::uint32_t w) { clear_bits(job, w); });
  if (is_first_thread_of(share)) {
    for (unsigned long long& total : job.state->totals) {
      total = 0;
    }
    job.state->tiles_done = 0;
    job.state->stop = false;
  }
}

template <class Job, class Visitor, class Position, class Shape>
__device__ void start_sources(const Job& job, const Visitor& visitor,
                              block_scratch<Position, Shape>& scratch) {
  const work_share& share = scratch.share;
  for (std::uint64_t first = std::uint64_t{share.index} * Shape::threads; first < job.num_sources;
       first += std::uint64_t{share.count} * Shape::threads) {
    new_entries<Position, 1> entry;
    entry.vertices[0] = no_vertex;
    if (threadIdx.x < job.num_sources - first) {
      const vertex_id v = job.sources[first + threadIdx.x];
      enter_source(job, visitor, v);
      entry.vertices[0] = v;
      entry.first_edges[0] = job.graph.out.offsets[v];
      entry.degrees[0] = job.graph.out.degree(v);
    }
    append(entry, source_queue(job), job.counts, &job.state->totals[0], scratch);
  }
}

template <class Visitor>
__device__ void finish_level(traversal_state& state, const Visitor& visitor, std::int32_t level) {
  ::tendril::detail::level_ends(visitor, level);
  state.stop = ::tendril::detail::stops(visitor, level);
}

/// Counts a tile of a step. One thread, after a barrier of its block.
/// @return true: it was the step's last, and what the others wrote can be read
[[nodiscard]] __device__ inline bool finishes_step(traversal_state& state,
                                                   std::uint32_t num_tiles) {
  __threadfence();
  if (atomicAdd(&state.tiles_done, 1U) + 1 != num_tiles) {
    return false;
  }
  __threadfence();
  state.tiles_done = 0;
  return true;
}

/// Where a level's total lies.
[[nodiscard]] TENDRIL_HD inline std::uint32_t total_of(std::int32_t level) {
  return static_cast<std::uint32_t>(level) % 3;
}

/// Decides how a level goes on from `choose`. The cursor stays there where there is no level.
/// @param total  of the level
template <class Job, class Visitor>
TENDRIL_HD void begin_level(const Job& job, const Visitor& visitor, traversal_cursor& cursor,
                            unsigned long long total, bool is_stopped) {
  cursor.frontier = job.counts.vertices(total);
  cursor.frontier_edges = job.counts.edges(total);
  cursor.entered += cursor.frontier;
  if (is_stopped) {
    cursor.status = traversal_status::stopped;
  } else if (cursor.frontier == 0) {
    cursor.status = traversal_status::exhausted;
  } else if (cursor.level == job.depth_limit) {
    cursor.status = traversal_status::depth_limit;
  } else {
    decide(job, visitor, cursor);
    const bool prepares =
        has_to_prepare(job, cursor) || ::tendril::detail::has_level_begins<Visitor>;
    cursor.step = prepares ? traversal_step::prepare : traversal_step::expand;
  }
}

/// The place after the cursor's step.
template <class Visitor>
TENDRIL_HD void move_on(traversal_cursor& cursor) {
  const traversal_step done = cursor.step;
  switch (done) {
    case traversal_step::clear:
      cursor.step = traversal_step::start;
      return;
    case traversal_step::start:
      cursor.step = traversal_step::choose;
      return;
    case traversal_step::choose:
      return;
    case traversal_step::prepare:
      cursor.step = traversal_step::expand;
      return;
    case traversal_step::expand:
    case traversal_step::record:
      if (done == traversal_step::expand && cursor.marks) {
        cursor.step = traversal_step::record;
        return;
      }
      cursor.in_bitmap = cursor.way == direction::pull || cursor.marks;
      cursor.visited ^= cursor.in_bitmap ? 1U : 0U;
      if (sees_levels_end<Visitor>) {
        cursor.step = traversal_step::finish;
        return;
      }
      break;
    case traversal_step::finish:
      break;
  }
  cursor.explored_edges += cursor.frontier_edges;
  ++cursor.level;
  cursor.step = traversal_step::choose;
}

/// As begin_level, in a kernel, which keeps a log. The cursor stays at `choose` where the log is
/// full, too. A level whose edges need no look is over at once. One thread.
/// @param logs  this thread writes the log
template <class Job, class Visitor>
__device__ void begin_logged_level(const Job& job, const Visitor& visitor, traversal_cursor& cursor,
                                   bool logs) {
  do {
    cursor.pauses = cursor.num_logged == job.log_capacity;
    if (cursor.pauses) {
      return;
    }
    begin_level(job, visitor, cursor, __ldcg(&job.state->totals[total_of(cursor.level)]),
                ::tendril::detail::has_stops<Visitor> && job.state->stop);
    if (cursor.step == traversal_step::choose) {
      return;
    }
    if (logs) {
      job.log[cursor.num_logged] = {nanoseconds(), cursor.frontier_edges, cursor.frontier,
                                    cursor.way};
    }
    ++cursor.num_logged;
    if (cursor.step == traversal_step::expand && !has_to_expand(job, cursor)) {
      move_on<Visitor>(cursor);
    }
  } while (cursor.step == traversal_step::choose);
}

/// Shares of the cursor's step that fill a block once.
template <class Job>
[[nodiscard]] TENDRIL_HD std::uint64_t num_shares(const Job& job, const traversal_cursor& cursor) {
  using shape = typename Job::shape;
  switch (cursor.step) {
    case traversal_step::clear:
      return larger(1, tiles_for(job.graph.num_words, shape::tile_clears));
    case traversal_step::start:
      return tiles_for(job.num_sources, shape::threads);
    case traversal_step::prepare:
    case traversal_step::record:
      return larger(1, num_word_tiles<shape>(job.graph.num_words));
    case traversal_step::expand:
      return larger(1, num_expand_tiles(job, cursor));
    case traversal_step::choose:
    case traversal_step::finish:
      break;
  }
  return 1;
}

/// The most tiles of a step. A fixed grid deals them out beforehand, so one for each block is as
/// good as many.
template <class Job>
[[nodiscard]] TENDRIL_HD std::uint32_t most_tiles(const Job& job, schedule::supply_way way) {
  return way == schedule::supply_way::fixed_grid
             ? job.resident_blocks
             : job.resident_blocks * kernel_shape::tiles_per_block;
}

/// Tiles of the cursor's step: as many of its shares together as make them few.
template <class Job>
[[nodiscard]] TENDRIL_HD std::uint32_t num_tiles(const Job& job, const traversal_cursor& cursor,
                                                 schedule::supply_way way) {
  const std::uint64_t shares = num_shares(job, cursor);
  return static_cast<std::uint32_t>(tiles_for(shares, tiles_for(shares, most_tiles(job, way))));
}

/// Does a share of the cursor's step. Called by every thread of a block, after a barrier; another
/// has to follow.
template <class Job, class Visitor, class Position, class Shape>
__device__ void run_step(const Job& job, const Visitor& visitor,
                         block_scratch<Position, Shape>& scratch) {
  const traversal_cursor& cursor = scratch.cursor;
  const bool is_first = is_first_thread_of(scratch.share);
  switch (cursor.step) {
    case traversal_step::clear:
      clear(job, scratch.share);
      break;
    case traversal_step::start:
      start_sources(job, visitor, scratch);
      break;
    case traversal_step::choose:
      break;
    case traversal_step::prepare:
      prepare_level(job, scratch);
      if (is_first) {
        ::tendril::detail::level_begins(visitor, cursor.level);
      }
      break;
    case traversal_step::expand:
      if (is_first) {
        job.state->totals[total_of(cursor.level + 2)] = 0;
        job.state->totals[3] = 0;
      }
      expand_level(job, visitor, scratch);
      break;
    case traversal_step::record:
      record_level(job, visitor, scratch);
      break;
    case traversal_step::finish:
      if (is_first) {
        finish_level(*job.state, visitor, cursor.level);
      }
      break;
  }
}

}  // namespace tendril::cuda
