#pragma once

#include "tendril/cuda/detail/small_level.cuh"

// A handful of vertices (a path) needs no cluster: one warp of the first block goes on alone, a
// lane per vertex, claiming in the owners' shared memory, while the others wait.

namespace tendril::cuda {

/// Claims what lies in the inboxes and lists it in the first block; empties everything.
template <weight W, class Position, class Visitor>
__device__ void collect(small_block<W, Position, Visitor>& block, std::int32_t level) {
  using candidate = typename small_block<W, Position, Visitor>::candidate;
  forget(block, level - 1);
  small_control* const first = block.at_block(&block.control, 0);
  candidate* const inbox = block.segment(level, warp_id());
  for (unsigned slot = lane_id(); slot < small_shape::segment; slot += 32) {
    const candidate got = inbox[slot];
    inbox[slot] = candidate::of(no_vertex, no_vertex);
    if (got.target != no_vertex && block.claim_own(got.target)) {
      block.arrive(got, level);
      first->solo_vertices[atomicAdd(&first->solo_size, 1U)] = got.target;
    }
  }
  if (threadIdx.x < small_shape::max_blocks) {
    block.control.sent[0][threadIdx.x] = 0;
    block.control.sent[1][threadIdx.x] = 0;
  }
}

/// The row of v, or nothing for no_vertex.
template <class Block>
[[nodiscard]] __device__ short_row row_or_none(const Block& block, vertex_id v) {
  return v == no_vertex ? short_row{{no_vertex, no_vertex, no_vertex, no_vertex}} : block.row_of(v);
}

/// One level of a lane per vertex. @return false: too many vertices, which were sent back
template <weight W, class Position, class Visitor>
__device__ bool step_alone(small_block<W, Position, Visitor>& block, std::int32_t level,
                           vertex_id& v, short_row& row) {
  using candidate = typename small_block<W, Position, Visitor>::candidate;
  vertex_id found[4];
  short_row next_row[4];
  unsigned lanes[4];
  std::uint32_t size = 0;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    found[i] = block.admitted_or_none(v, row.targets[i]);
    next_row[i] = row_or_none(block, found[i]);  // on its way while the vertex is claimed
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (found[i] != no_vertex && !block.claim(found[i])) {
      found[i] = no_vertex;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (found[i] != no_vertex) {
      block.arrive(candidate::of(v, found[i]), level + 1);
    }
    lanes[i] = __ballot_sync(~0U, found[i] != no_vertex);
    size += static_cast<std::uint32_t>(__popc(lanes[i]));
  }
  if (size > 32) {
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      block.send_back(level + 1, found[i]);
    }
    return false;
  }
  small_control& control = block.control;
  std::uint32_t place = 0;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (found[i] != no_vertex) {
      const auto mine =
          place + static_cast<std::uint32_t>(__popc(lanes[i] & ((1U << lane_id()) - 1)));
      control.solo_vertices[mine] = found[i];
      control.solo_rows[mine] = next_row[i];
    }
    place += static_cast<std::uint32_t>(__popc(lanes[i]));
  }
  __syncwarp();
  v = lane_id() < size ? control.solo_vertices[lane_id()] : no_vertex;
  row = lane_id() < size ? control.solo_rows[lane_id()] : row_or_none(block, no_vertex);
  __syncwarp();
  return true;
}

/// Levels from `level` on, by the first warp of the first block.
template <class Block>
__device__ void run_alone(Block& block, std::int32_t level) {
  traversal_cursor& cursor = block.control.cursor;
  const auto& job = block.job;
  vertex_id v =
      lane_id() < block.control.solo_size ? block.control.solo_vertices[lane_id()] : no_vertex;
  short_row row = row_or_none(block, v);
  std::uint32_t logged = cursor.num_logged;
  std::uint64_t entered = cursor.entered;
  std::uint64_t explored = cursor.explored_edges;
  std::uint64_t now = nanoseconds();
  small_verdict verdict = small_verdict::go_on;
  for (bool goes_on = true; goes_on; ++level) {
    const auto vertices = static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, v != no_vertex)));
    if (vertices == 0 || level == job.depth_limit) {
      entered += vertices;
      verdict = vertices == 0 ? small_verdict::exhausted : small_verdict::depth_limit;
      break;
    }
    const bool is_long = v != no_vertex && block.is_long(row);
    if (__any_sync(~0U, is_long) || logged + 2 * small_shape::batch > job.log_capacity) {
      block.send_back(level, v);
      break;
    }
    const std::uint32_t edges = __reduce_add_sync(~0U, v == no_vertex ? 0 : block.degree_of(row));
    if (lane_id() == 0) {
      job.log[logged] = {now, edges, vertices, direction::push};
    }
    ++logged;
    entered += vertices;
    explored += edges;
    if (logged % 32 == 0) {
      now = nanoseconds();
    }
    goes_on = step_alone(block, level, v, row);
  }
  if (lane_id() == 0) {
    cursor.num_logged = logged;
    cursor.entered = entered;
    cursor.explored_edges = explored;
    cursor.level = level;
    block.control.solo_size = 0;
    block.start_ns = nanoseconds();
  }
  if (lane_id() < block.owner.blocks) {
    small_control* const other = block.at_block(&block.control, lane_id());
    other->verdict = verdict;
    other->level = level;
  }
}

/// Levels from `level` on by one warp, until there are more than 32 vertices or a long row; then
/// the vertices go back to their owners, to be claimed again without arriving again.
/// @post control.level is the level that comes next
template <class Block>
__device__ small_verdict go_alone(Block& block, std::int32_t level) {
  collect(block, level);
  block.cluster.sync();
  if (block.rank == 0 && warp_id() == 0) {
    run_alone(block, level);
  }
  block.cluster.sync();
  block.silent = true;
  return block.control.verdict;
}

}  // namespace tendril::cuda
