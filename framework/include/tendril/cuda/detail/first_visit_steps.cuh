#pragma once

#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/cuda/detail/pull.cuh"
#include "tendril/cuda/detail/push.cuh"
#include "tendril/cuda/detail/sweep.cuh"

// A first-visit traversal as a sequence of steps. All blocks take a step together and then wait for
// each other, in one resident kernel or between two launches; every block computes the next place
// from the same numbers, so none has to be told. The place lies in shared memory: registers are
// what bounds the number of threads.
//
//   clear   bitmaps: isolated vertices count as visited            once
//   start   the sources arrive and are queued                      once
//   choose  the level's direction; a frontier in the bitmaps that is to be pushed is queued
//   expand  push or pull
//   record  after a marking push
//   finish  where the visitor wants to see levels end, or may stop

namespace tendril::cuda {

template <weight W, class Position>
__device__ void clear_bitmaps(const first_visit_job<W, Position>& job) {
  for (std::uint32_t w = blockIdx.x * kernel_shape::threads + threadIdx.x; w < job.graph.num_words;
       w += gridDim.x * kernel_shape::threads) {
    const bit_word isolated = job.graph.isolated[w];
    job.bits[0][w] = isolated;
    job.bits[1][w] = isolated;
  }
  clear_totals(*job.state);
}

template <weight W, class Position, class Visitor>
__device__ void start_sources(const first_visit_job<W, Position>& job, const Visitor& visitor,
                              block_scratch<Position>& scratch) {
  for (std::uint32_t first = blockIdx.x * kernel_shape::threads; first < job.num_sources;
       first += gridDim.x * kernel_shape::threads) {
    new_entries<Position, 1> entry;
    entry.vertices[0] = no_vertex;
    if (threadIdx.x < job.num_sources - first) {
      const vertex_id v = job.sources[first + threadIdx.x];
      atomicOr(&job.bits[0][v / bits_per_word], bit_of(v));
      visitor.arrive(v, 0);
      entry.vertices[0] = v;
      entry.first_edges[0] = job.graph.out.offsets[v];
      entry.degrees[0] = job.graph.out_degree(v);
    }
    append(entry, job.queue, job.counts, &job.state->totals[0], scratch);
  }
}

/// Whether a pull of this level looks at fewer edges than a push: an edge comes from the frontier
/// with the chance p = frontier edges / unexplored edges, so an unvisited vertex looks at 1 / p
/// edges before it finds one.
template <weight W, class Position, class Visitor>
[[nodiscard]] __device__ direction choose_direction(const first_visit_job<W, Position>& job,
                                                    const traversal_cursor& cursor) {
  if (job.wanted != direction::automatic) {
    return job.wanted;
  }
  if (job.graph.first_in == nullptr || cursor.frontier_edges < job.graph.num_words) {
    return direction::push;
  }
  const auto edges = static_cast<float>(cursor.frontier_edges);
  const auto unexplored = static_cast<float>(job.graph.num_edges - cursor.explored_edges);
  const float unvisited =
      static_cast<float>(job.graph.num_enterable) - static_cast<float>(cursor.entered);
  const float bias = reads_edges<Visitor, W> ? job.edge_pull_bias : job.pull_bias;
  return bias * edges * edges > unvisited * unexplored ? direction::pull : direction::push;
}

/// Reads the level's frontier and decides: one thread of each block.
template <weight W, class Position, class Visitor>
__device__ void begin_level(const first_visit_job<W, Position>& job, traversal_cursor& cursor) {
  cursor.pauses = cursor.num_logged == job.log_capacity;
  if (cursor.pauses) {
    return;
  }
  const unsigned long long total =
      __ldcg(&job.state->totals[static_cast<std::uint32_t>(cursor.level) % 3]);
  cursor.frontier = job.counts.vertices(total);
  cursor.frontier_edges = job.counts.edges(total);
  cursor.entered += cursor.frontier;
  if (::tendril::detail::has_stops<Visitor> && job.state->stop) {
    cursor.status = traversal_status::stopped;
  } else if (cursor.frontier == 0) {
    cursor.status = traversal_status::exhausted;
  } else if (cursor.level == job.depth_limit) {
    cursor.status = traversal_status::depth_limit;
  }
  if (cursor.status != traversal_status::running) {
    return;
  }
  cursor.way = choose_direction<W, Position, Visitor>(job, cursor);
  cursor.marks = !reads_edges<Visitor, W> && cursor.way == direction::push &&
                 cursor.frontier_edges * job.dense_push > job.graph.num_vertices;
  cursor.queue_begin = cursor.queue_end;
  if (!cursor.in_bitmap || cursor.way == direction::push) {
    cursor.queue_end += cursor.frontier;
  }
  log_level(job.log, cursor);
  ++cursor.num_logged;
}

/// First part of a level. @return true: the blocks have to wait before it is expanded
template <weight W, class Position, class Visitor>
__device__ bool prepare_level(const first_visit_job<W, Position>& job, const Visitor& visitor,
                              block_scratch<Position>& scratch) {
  const traversal_cursor& cursor = scratch.cursor;
  const bool queues = cursor.in_bitmap && cursor.way == direction::push;
  if (queues) {
    queue_frontier(job, cursor, &job.state->totals[3]);
  }
  if constexpr (::tendril::detail::has_level_begins<Visitor>) {
    if (is_first_thread()) {
      visitor.level_begins(cursor.level);
    }
    return true;
  } else {
    return queues;
  }
}

template <weight W, class Position, class Visitor>
__device__ void expand_level(const first_visit_job<W, Position>& job, const Visitor& visitor,
                             block_scratch<Position>& scratch) {
  const traversal_cursor& cursor = scratch.cursor;
  if (is_first_thread()) {
    job.state->totals[(static_cast<std::uint32_t>(cursor.level) + 2) % 3] = 0;
    job.state->totals[3] = 0;
  }
  if (cursor.way == direction::pull) {
    pull(job, cursor, visitor, scratch);
  } else {
    push(job, cursor, visitor, scratch);
  }
}

/// The place after a step: one thread of each block.
template <class Visitor>
__device__ void move_on(traversal_cursor& cursor, traversal_step done) {
  const bool to_record =
      done == traversal_step::expand && cursor.way == direction::push && cursor.marks;
  switch (done) {
    case traversal_step::clear:
      cursor.step = traversal_step::start;
      return;
    case traversal_step::start:
      cursor.step = traversal_step::choose;
      return;
    case traversal_step::choose:
      cursor.step = traversal_step::expand;
      return;
    case traversal_step::expand:
    case traversal_step::record:
      if (to_record) {
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

/// Takes the step that the block's cursor names. Called by every thread, after a barrier.
/// @return false: the kernel ends here, without waiting for the other blocks
template <weight W, class Position, class Visitor>
__device__ bool take_step(const first_visit_job<W, Position>& job, const Visitor& visitor,
                          block_scratch<Position>& scratch) {
  traversal_cursor& cursor = scratch.cursor;
  traversal_step step = cursor.step;
  if (step == traversal_step::choose) {
    if (threadIdx.x == 0) {
      begin_level<W, Position, Visitor>(job, cursor);
    }
    __syncthreads();
    if (cursor.pauses || cursor.status != traversal_status::running) {
      return false;
    }
    if (!prepare_level(job, visitor, scratch)) {
      step = traversal_step::expand;
    }
  }
  switch (step) {
    case traversal_step::clear:
      clear_bitmaps(job);
      break;
    case traversal_step::start:
      start_sources(job, visitor, scratch);
      break;
    case traversal_step::choose:
      break;
    case traversal_step::expand:
      expand_level(job, visitor, scratch);
      break;
    case traversal_step::record:
      record_marked(job, cursor, visitor, scratch);
      break;
    case traversal_step::finish:
      finish_level(*job.state, visitor, cursor.level);
      break;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    move_on<Visitor>(cursor, step);
  }
  return true;
}

}  // namespace tendril::cuda
