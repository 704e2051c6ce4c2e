#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/kernel_entry.cuh"
#include "tendril/cuda/detail/tile_rows.cuh"

// A relaxing traversal in steps, as first_visit_steps.cuh: clear, start, choose, expand, finish.
// Two queues take turns; a bitmap per queue keeps a vertex from entering it twice in one level.

namespace tendril::cuda {

/// Everything a relaxing kernel is told, by value.
template <weight W, class Position>
struct relaxing_job {
  kernel_graph<W, Position> graph;
  frontier_queue<Position> queues[2];  ///< num_vertices entries each
  bit_word* queued[2];                 ///< [num_words]; all zero for the queue of this level
  traversal_state* state;
  level_record* log;
  const vertex_id* sources;
  std::uint32_t num_sources;
  std::uint32_t log_capacity;
  std::int32_t depth_limit;
  packed_counts counts;
};

template <weight W, class Position>
__device__ void clear_queued(const relaxing_job<W, Position>& job, bit_word* queued) {
  for (std::uint32_t w = blockIdx.x * kernel_shape::threads + threadIdx.x; w < job.graph.num_words;
       w += gridDim.x * kernel_shape::threads) {
    queued[w] = 0;
  }
}

template <weight W, class Position, class Visitor>
__device__ void start_sources(const relaxing_job<W, Position>& job, const Visitor& visitor,
                              block_scratch<Position>& scratch) {
  for (std::uint32_t first = blockIdx.x * kernel_shape::threads; first < job.num_sources;
       first += gridDim.x * kernel_shape::threads) {
    new_entries<Position, 1> entry;
    entry.vertices[0] = no_vertex;
    if (threadIdx.x < job.num_sources - first) {
      const vertex_id v = job.sources[first + threadIdx.x];
      visitor.start(v);
      entry.vertices[0] = v;
      entry.first_edges[0] = job.graph.out.offsets[v];
      entry.degrees[0] = job.graph.out_degree(v);
    }
    append(entry, job.queues[0], job.counts, &job.state->totals[0], scratch);
  }
}

template <weight W, class Position, class Visitor>
__device__ void begin_level(const relaxing_job<W, Position>& job, traversal_cursor& cursor) {
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
  cursor.way = direction::push;
  log_level(job.log, cursor);
  ++cursor.num_logged;
}

/// One block, one tile of edges. Shared: the tile's rows, the scan of append.
template <unsigned Items, weight W, class Position, class Visitor>
__device__ void relax_tile(const relaxing_job<W, Position>& job, const traversal_cursor& cursor,
                           const Visitor& visitor, std::uint64_t tile,
                           block_scratch<Position>& scratch) {
  constexpr unsigned tile_edges = Items * kernel_shape::threads;
  const auto turn = static_cast<std::uint32_t>(cursor.level) & 1U;
  const std::uint64_t first = tile * tile_edges;
  const std::uint64_t rest = cursor.frontier_edges - first;
  const auto size = static_cast<unsigned>(rest < tile_edges ? rest : tile_edges);
  const auto first_edge = static_cast<Position>(first);
  const tile_rows<Position> rows(job.queues[turn], cursor.frontier, first_edge,
                                 static_cast<Position>(first + size - 1), scratch.rows);
  bit_word* const queued = job.queued[turn ^ 1U];
  new_entries<Position, Items> improved;
#pragma unroll
  for (unsigned i = 0; i < Items; ++i) {
    const unsigned k = i * kernel_shape::threads + threadIdx.x;
    improved.vertices[i] = no_vertex;
    if (k >= size) {
      continue;
    }
    const std::uint32_t row = rows.row_of(first_edge + k);
    const Position position = rows.position(row, first_edge + k);
    const edge<W> e =
        edge_at(job.graph.out, position, rows.source(row), job.graph.out.targets[position]);
    if (!::tendril::detail::admits(visitor, e) || !visitor.visit(e)) {
      continue;
    }
    const bit_word before = atomicOr(&queued[e.target / bits_per_word], bit_of(e.target));
    if ((before & bit_of(e.target)) == 0) {
      improved.vertices[i] = e.target;
      improved.first_edges[i] = job.graph.out.offsets[e.target];
      improved.degrees[i] = job.graph.out_degree(e.target);
    }
  }
  append(improved, job.queues[turn ^ 1U], job.counts, next_total(*job.state, cursor), scratch);
}

template <weight W, class Position, class Visitor>
__device__ void expand_level(const relaxing_job<W, Position>& job, const Visitor& visitor,
                             block_scratch<Position>& scratch) {
  const traversal_cursor& cursor = scratch.cursor;
  if (is_first_thread()) {
    job.state->totals[(static_cast<std::uint32_t>(cursor.level) + 2) % 3] = 0;
  }
  clear_queued(job, job.queued[static_cast<std::uint32_t>(cursor.level) & 1U]);
  constexpr unsigned large = kernel_shape::push_items;
  const bool is_small = cursor.frontier_edges <= std::uint64_t{gridDim.x} * kernel_shape::threads;
  const std::uint64_t tile_edges = (is_small ? 1 : large) * kernel_shape::threads;
  const std::uint64_t num_tiles = (cursor.frontier_edges + tile_edges - 1) / tile_edges;
  for (std::uint64_t tile = blockIdx.x; tile < num_tiles; tile += gridDim.x) {
    if (is_small) {
      relax_tile<1>(job, cursor, visitor, tile, scratch);
    } else {
      relax_tile<large>(job, cursor, visitor, tile, scratch);
    }
  }
}

template <class Visitor>
__device__ void move_on_relaxing(traversal_cursor& cursor, traversal_step done) {
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
      if (sees_levels_end<Visitor>) {
        cursor.step = traversal_step::finish;
        return;
      }
      break;
    case traversal_step::finish:
      break;
  }
  ++cursor.level;
  cursor.step = traversal_step::choose;
}

/// Takes the step that the block's cursor names. Called by every thread, after a barrier.
/// @return false: the kernel ends here, without waiting for the other blocks
template <weight W, class Position, class Visitor>
__device__ bool take_step(const relaxing_job<W, Position>& job, const Visitor& visitor,
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
    if constexpr (::tendril::detail::has_level_begins<Visitor>) {
      if (is_first_thread()) {
        visitor.level_begins(cursor.level);
      }
    } else {
      step = traversal_step::expand;
    }
  }
  switch (step) {
    case traversal_step::clear:
      clear_queued(job, job.queued[0]);
      clear_queued(job, job.queued[1]);
      clear_totals(*job.state);
      break;
    case traversal_step::start:
      start_sources(job, visitor, scratch);
      break;
    case traversal_step::choose:
    case traversal_step::record:
      break;
    case traversal_step::expand:
      expand_level(job, visitor, scratch);
      break;
    case traversal_step::finish:
      finish_level(*job.state, visitor, cursor.level);
      break;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    move_on_relaxing<Visitor>(cursor, step);
  }
  return true;
}

}  // namespace tendril::cuda
