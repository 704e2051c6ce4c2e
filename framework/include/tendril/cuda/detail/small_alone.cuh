#pragma once

#include "tendril/cuda/detail/small_level.cuh"

// A handful of vertices (a path) needs no cluster: one warp of the first block goes on alone, a
// lane per vertex, claiming in the owners' shared memory, while the others wait.

namespace tendril::cuda {

/// Whether all blocks let one warp go on with what was sent for the level. Called by whole warps.
template <class Block>
[[nodiscard]] __device__ bool may_go_alone(const Block& block, std::int32_t level,
                                           const small_turn& turn) {
  return level != block.first_level && turn.vertices <= small_shape::alone_vertices &&
         level % small_shape::alone_look == 0 &&
         level + small_shape::alone_look < block.stop_level &&
         __reduce_add_sync(~0U, turn.edges) <= 32;
}

/// Claims what lies in the inboxes, lists it in the first block, and empties everything that names
/// levels: who goes alone goes far.
template <weight W, class Position, class Visitor>
__device__ void collect(const small_block<W, Position, Visitor>& block, std::int32_t level) {
  small_control* const first = block.at_block(&block.control, 0);
  small_candidate* const inbox = block.inbox(level);
  for (std::uint32_t i = threadIdx.x; i < block.inbox_slots; i += small_shape::threads) {
    const small_candidate got = inbox[i];
    if (got.is_for(level)) {
      const bit_word bit = bit_of(got.local());
      if ((block.claim_own(got.local(), bit) & bit) == 0) {
        const vertex_id v = block.owner.vertex(got.local(), block.rank);
        block.arrive(got.source(), v, level);
        first->alone[atomicAdd(&first->num_alone, 1U)] = {no_row(), v, got.source()};
      }
    }
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < 2 * block.inbox_slots; i += small_shape::threads) {
    block.inboxes[i] = {};
  }
  if (threadIdx.x < small_shape::max_blocks) {
    block.control.headers[0][threadIdx.x] = {};
    block.control.headers[1][threadIdx.x] = {};
  }
}

/// Claims the neighbours of a lane's vertex and fetches their rows; the warp keeps what is new, a
/// lane per vertex. Called by a whole warp.
/// @return false: they are more than lanes, and were left as they were
template <weight W, class Position, class Visitor>
[[nodiscard]] __device__ bool step_alone(const small_block<W, Position, Visitor>& block,
                                         std::int32_t level, alone_entry& mine) {
  alone_entry found[4];
  bool is_new[4];
  unsigned lanes[4];
  std::uint32_t size = 0;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const vertex_id target = mine.row.targets[i];
    is_new[i] = target != no_vertex && target != mine.source && block.admits(mine.v, target);
    found[i] = {no_row(), target, mine.v};
    load_if(is_new[i], found[i].row, block.job.graph.short_rows + target);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    is_new[i] = block.claim_if(is_new[i], found[i].v);
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    lanes[i] = __ballot_sync(~0U, is_new[i]);
    size += static_cast<std::uint32_t>(__popc(lanes[i]));
  }
  std::uint32_t place = 0;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (is_new[i] && size > 32) {
      block.unclaim(found[i].v);
    } else if (is_new[i]) {
      block.arrive(mine.v, found[i].v, level + 1);
      const unsigned before = lanes[i] & ((1U << lane_id()) - 1);
      block.control.alone[place + static_cast<std::uint32_t>(__popc(before))] = found[i];
    }
    place += static_cast<std::uint32_t>(__popc(lanes[i]));
  }
  if (size > 32) {
    return false;
  }
  __syncwarp();
  mine = lane_id() < size ? block.control.alone[lane_id()]
                          : alone_entry{no_row(), no_vertex, no_vertex};
  __syncwarp();
  return true;
}

/// Levels from `level` on, by the first warp of the first block, until there are none, too many
/// vertices or a long row. @return the level whose vertices have arrived and are not expanded
template <class Block>
[[nodiscard]] __device__ std::int32_t run_alone(const Block& block, std::int32_t level) {
  traversal_cursor& cursor = block.control.cursor;
  const auto& job = block.job;
  alone_entry mine{no_row(), no_vertex, no_vertex};
  if (lane_id() < block.control.num_alone) {
    mine = block.control.alone[lane_id()];
    load_if(true, mine.row, job.graph.short_rows + mine.v);
  }
  __syncwarp();
  std::uint32_t logged = cursor.num_logged;
  std::uint64_t entered = 0;
  std::uint64_t explored = 0;
  for (; level + 1 < block.stop_level; ++level) {
    const std::uint64_t now = nanoseconds();
    const auto vertices =
        static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, mine.v != no_vertex)));
    const std::uint32_t edges = __reduce_add_sync(~0U, degree_of(mine.row));
    if (vertices == 0 || __any_sync(~0U, is_long(mine.row)) || !step_alone(block, level, mine)) {
      break;
    }
    if (lane_id() == 0) {
      job.log[logged] = {now, edges, vertices, direction::push};
    }
    ++logged;
    entered += vertices;
    explored += edges;
  }
  if (lane_id() == 0) {
    cursor.num_logged = logged;
    cursor.entered += entered;
    cursor.explored_edges += explored;
    block.control.num_alone = 0;
  }
  if (mine.v != no_vertex) {
    block.unclaim(mine.v);
    block.send_to_owner(level - 1, mine.v);
  }
  return level;
}

/// Levels from `level` on by one warp; then the vertices go back to their owners, to be claimed
/// again without arriving again. Called by all threads.
/// @return the level that comes next
template <class Block>
[[nodiscard]] __device__ std::int32_t go_alone(Block& block, std::int32_t level) {
  block.cluster.sync();  // what was sent for the level has come
  collect(block, level);
  block.cluster.sync();
  if (block.rank == 0 && warp_id() == 0) {
    level = run_alone(block, level);
    if (lane_id() < block.owner.blocks) {
      block.at_block(&block.control, lane_id())->level = level;
    }
    if (lane_id() == 0) {
      block.control.counts[block.parity(level - 1)][small_control::found] = 1;  // not empty
    }
  }
  block.cluster.sync();
  level = block.control.level;
  block.first_level = level;
  block.silent_level = level;
  tell_first(block);
  return level;
}

}  // namespace tendril::cuda
