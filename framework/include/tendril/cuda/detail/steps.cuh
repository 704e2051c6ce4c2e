#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"

// A traversal as a sequence of steps. All blocks take a step together and then wait for each other,
// in one resident kernel or between two launches; every block computes the next place from the same
// numbers, so none has to be told. The place lies in shared memory: registers are what bounds the
// number of threads.
//
//   clear   the bitmaps                                            once
//   start   the sources enter and are queued                       once
//   choose  the level's direction; what has to be done before it can be expanded
//   expand  its edges
//   record  after a marking push
//   finish  where the visitor wants to see levels end, or may stop
//
// What a step does is up to the job, by overloads that first_visit_steps.cuh and relaxing_steps.cuh
// define: clear_bits, enter_source, source_queue, decide, prepare_level, expand_level,
// record_level.

namespace tendril::cuda {

template <class Job>
__device__ void clear(const Job& job) {
  for (std::uint32_t w = blockIdx.x * kernel_shape::threads + threadIdx.x; w < job.graph.num_words;
       w += gridDim.x * kernel_shape::threads) {
    clear_bits(job, w);
  }
  if (is_first_thread()) {
    for (unsigned long long& total : job.state->totals) {
      total = 0;
    }
    job.state->stop = false;
  }
}

template <class Job, class Visitor, class Position>
__device__ void start_sources(const Job& job, const Visitor& visitor,
                              block_scratch<Position>& scratch) {
  for (std::uint32_t first = blockIdx.x * kernel_shape::threads; first < job.num_sources;
       first += gridDim.x * kernel_shape::threads) {
    new_entries<Position, 1> entry;
    entry.vertices[0] = no_vertex;
    if (threadIdx.x < job.num_sources - first) {
      const vertex_id v = job.sources[first + threadIdx.x];
      enter_source(job, visitor, v);
      entry.vertices[0] = v;
      entry.first_edges[0] = job.graph.out.offsets[v];
      entry.degrees[0] = job.graph.out_degree(v);
    }
    append(entry, source_queue(job), job.counts, &job.state->totals[0], scratch);
  }
}

/// Reads the level's frontier and decides: one thread of each block.
template <class Job, class Visitor>
__device__ void begin_level(const Job& job, const Visitor& visitor, traversal_cursor& cursor) {
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
  decide(job, visitor, cursor);
  if (blockIdx.x == 0) {
    job.log[cursor.num_logged] = {nanoseconds(), cursor.frontier_edges, cursor.frontier,
                                  cursor.way};
  }
  ++cursor.num_logged;
}

template <class Visitor>
__device__ void finish_level(traversal_state& state, const Visitor& visitor, std::int32_t level) {
  if (is_first_thread()) {
    ::tendril::detail::level_ends(visitor, level);
    state.stop = ::tendril::detail::stops(visitor, level);
  }
}

/// The place after a step: one thread of each block.
template <class Visitor>
__device__ void move_on(traversal_cursor& cursor, traversal_step done) {
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

/// Takes the step that the block's cursor names. Called by every thread, after a barrier.
/// @return false: the kernel ends here, without waiting for the other blocks
template <class Job, class Visitor, class Position>
__device__ bool take_step(const Job& job, const Visitor& visitor,
                          block_scratch<Position>& scratch) {
  traversal_cursor& cursor = scratch.cursor;
  traversal_step step = cursor.step;
  if (step == traversal_step::choose) {
    if (threadIdx.x == 0) {
      begin_level(job, visitor, cursor);
    }
    __syncthreads();
    if (cursor.pauses || cursor.status != traversal_status::running) {
      return false;
    }
    bool has_to_wait = prepare_level(job, scratch);
    if constexpr (::tendril::detail::has_level_begins<Visitor>) {
      if (is_first_thread()) {
        visitor.level_begins(cursor.level);
      }
      has_to_wait = true;
    }
    step = has_to_wait ? traversal_step::choose : traversal_step::expand;
  }
  switch (step) {
    case traversal_step::clear:
      clear(job);
      break;
    case traversal_step::start:
      start_sources(job, visitor, scratch);
      break;
    case traversal_step::choose:
      break;
    case traversal_step::expand:
      if (is_first_thread()) {
        job.state->totals[(static_cast<std::uint32_t>(cursor.level) + 2) % 3] = 0;
        job.state->totals[3] = 0;
      }
      expand_level(job, visitor, scratch);
      break;
    case traversal_step::record:
      record_level(job, visitor, scratch);
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
