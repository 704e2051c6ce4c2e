#pragma once

#include "tendril/cuda/detail/small_alone.cuh"
#include "tendril/cuda/detail/small_exchange.cuh"

// Graphs of many narrow levels (roads, meshes, paths): a level costs latency, not bandwidth, so one
// cluster of up to 16 blocks does them all, in shared memory, without a barrier of the cluster.
//
// Each block owns a part of the vertices and their visited bits. A candidate for the next level is
// sent to its owner's inbox by a store to the owner's shared memory; each sending block has a
// segment of its own there and counts its slots locally, so nothing travels back. When a block's
// readers have sent what they had, one warp, the teller, tells each other block, in one word, how
// many candidates it was sent and how many vertices the level had. Who has heard that from all
// blocks goes on: a candidate names the level that it is for, so a reader sees by itself whether it
// has come, and no fence has to make the words arrive in order. All blocks hear the same and decide
// the same.
//
// A level is given to the large kernels when it is too large, a segment ran full or the log is
// full. They expand it again: its vertices are still in the inbox that they came by, because nobody
// sends into it before all have decided to go on, and its targets have been sent but not claimed.

namespace tendril::cuda {

/// Logs a level that was expanded: the teller of the first block.
template <class Block>
__device__ void note_level(const Block& block, const small_turn& turn, std::uint64_t start_ns) {
  const std::uint32_t edges = __reduce_add_sync(~0U, turn.edges);
  if (lane_id() == 0) {
    traversal_cursor& cursor = block.control.cursor;
    cursor.entered += turn.num_vertices();
    cursor.explored_edges += edges;
    block.job.log[cursor.num_logged++] = {start_ns, edges, turn.num_vertices(), direction::push};
  }
}

/// Whether the levels end here, and how: running: the large kernels go on with the level.
[[nodiscard]] __device__ inline traversal_status status_at(const small_turn& turn, bool is_last) {
  if (turn.vertices == 0) {
    return traversal_status::exhausted;
  }
  return is_last ? traversal_status::depth_limit : traversal_status::running;
}

/// Levels from the first on, until one is not to be expanded here.
/// @return that level, which has been claimed
template <class Block>
[[nodiscard]] __device__ std::int32_t run_levels(Block& block, small_turn& turn) {
  const std::uint32_t limit = max(1U, min(block.job.small_limit, small_turn::overflow - 1));
  const bool notes = block.rank == 0 && block.is_teller();
  std::uint64_t start_ns = 0;
  std::int32_t level = block.first_level;
  while (true) {
    turn = wait_for(block, level);
    if (turn.vertices - 1 >= limit || level == block.stop_level) {
      return level - 1;
    }
    if (notes) {
      if (level != block.first_level) {
        note_level(block, turn, start_ns);
      }
      start_ns = nanoseconds();
    }
    if (may_go_alone(block, level, turn)) {
      level = go_alone(block, level);
      continue;
    }
    if (static_cast<std::uint32_t>(level + 1) % small_shape::turns < 2) {
      empty_next_inbox(block, level);
    }
    if (block.is_teller()) {
      tell(block, level);
    } else {
      read_inbox(block, level, turn.sent, level != block.job.depth_limit);
    }
    ++level;
  }
}

/// All of a small traversal, by one block of the cluster.
template <class Block>
__device__ void run_small(Block& block, const kernel_entry& entry) {
  take_over(block, entry);
  small_turn turn{};
  const std::int32_t level = run_levels(block, turn);
  block.cluster.sync();
  const traversal_status status = status_at(turn, level == block.job.depth_limit);
  if (block.rank == 0 && threadIdx.x == 0) {
    traversal_cursor& cursor = block.control.cursor;
    cursor.level = level;
    cursor.entered += status == traversal_status::depth_limit ? turn.num_vertices() : 0;
  }
  if (status == traversal_status::running) {
    hand_over(block, level);
  }
  leave(block, entry, status);
}

/// One cluster. Dynamic shared memory: small_block::shared_bytes.
template <class Position, weight W, class Visitor>
__global__ void __launch_bounds__(small_shape::threads, 1)
    small_kernel(const __grid_constant__ first_visit_job<W, Position, host_shape> job,
                 const __grid_constant__ Visitor visitor, kernel_entry entry) {
  extern __shared__ __align__(256) std::byte small_memory[];
  small_block<W, Position, Visitor> block(job, visitor, small_memory);
  run_small(block, entry);
}

}  // namespace tendril::cuda
