#pragma once

#include "tendril/cuda/detail/small_block.cuh"

// One level of a small traversal, and what the first block decides after some of them.

namespace tendril::cuda {

/// Empties the slots that kept what the warp claimed in the level.
template <weight W, class Position, class Visitor>
__device__ void forget(small_block<W, Position, Visitor>& block, std::int32_t level) {
  using candidate = typename small_block<W, Position, Visitor>::candidate;
  candidate* const kept = block.segment(level + std::int32_t{small_shape::inboxes}, warp_id());
  for (unsigned round = 0; round < block.rounds; ++round) {
    kept[round * 32 + lane_id()] = candidate::of(no_vertex, no_vertex);
  }
  block.rounds = 0;
}

/// Claims what the warp's segment of the inbox holds and sends its targets on. What was claimed
/// stays there, so that the level can be expanded a second time.
template <weight W, class Position, class Visitor>
__device__ void read_inbox(small_block<W, Position, Visitor>& block, std::int32_t level,
                           bool expands) {
  using candidate = typename small_block<W, Position, Visitor>::candidate;
  forget(block, level - 1);
  if (threadIdx.x < small_shape::max_blocks) {
    block.control.sent[static_cast<std::uint32_t>(level + 1) & 1U][threadIdx.x] = 0;
  }
  candidate* const inbox = block.segment(level, warp_id());
  const unsigned place = static_cast<std::uint32_t>(level - block.first_level) % small_shape::batch;
  while (block.rounds * 32 < small_shape::segment) {
    candidate& slot = inbox[block.rounds * 32 + lane_id()];
    const candidate got = slot;
    const bool is_there = got.target != no_vertex;
    const unsigned there = __ballot_sync(~0U, is_there);
    if (there == 0) {
      break;
    }
    ++block.rounds;
    std::uint32_t degree = 0;
    bool is_new = false;
    if (is_there) {
      const short_row row = block.row_of(got.target);  // before it is known to be needed
      is_new = block.claim_own(got.target);
      if (is_new) {
        block.arrive(got, level);
        degree = block.degree_of(row);
        if (expands) {
          block.send_row(level, got.target, row);
        }
      } else {
        slot = candidate::of(no_vertex, no_vertex);
      }
    }
    const auto vertices = static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, is_new)));
    const std::uint32_t edges = __reduce_add_sync(~0U, degree);
    if (lane_id() == 0 && vertices != 0) {
      atomicAdd(&block.control.found[block.batch_parity][place], vertices);
      atomicAdd(&block.control.found_edges[block.batch_parity][place], edges);
    }
    if (there != ~0U) {
      break;
    }
  }
  block.silent = false;
}

/// Sums of all blocks, by one warp: lane b < 16 reads block b's vertices, lane 16 + b its edges.
template <class Block>
__device__ void add_up(Block& block) {
  const unsigned of = lane_id() % small_shape::max_blocks;
  const bool sums_edges = lane_id() >= small_shape::max_blocks;
  std::uint32_t counts[small_shape::batch] = {};
  if (of < block.owner.blocks) {
    const small_control* const other = block.at_block(&block.control, of);
    const std::uint32_t* const from =
        sums_edges ? other->found_edges[block.batch_parity] : other->found[block.batch_parity];
#pragma unroll
    for (unsigned i = 0; i < small_shape::batch; ++i) {
      counts[i] = from[i];
    }
  }
#pragma unroll
  for (unsigned i = 0; i < small_shape::batch; ++i) {
    for (unsigned offset = small_shape::max_blocks / 2; offset != 0; offset /= 2) {
      counts[i] += __shfl_xor_sync(~0U, counts[i], static_cast<int>(offset));
    }
    if (of == 0) {
      block.control.sums[sums_edges ? 1 : 0][i] = counts[i];
    }
  }
  __syncwarp();
}

/// Logs the batch's levels and decides: one thread of the first block.
template <class Block>
__device__ small_verdict judge(Block& block, std::int32_t batch_begin, std::int32_t last,
                               bool overflow) {
  traversal_cursor& cursor = block.control.cursor;
  const std::uint64_t now = nanoseconds();
  const auto num_levels = static_cast<std::uint32_t>(last - batch_begin + 1);
  const std::uint64_t level_ns = (now - block.start_ns) / num_levels;
  std::uint32_t vertices = 0;
  std::uint32_t edges = 0;
  for (std::uint32_t i = 0; i < num_levels; ++i) {
    const std::uint32_t place =
        (static_cast<std::uint32_t>(batch_begin - block.first_level) + i) % small_shape::batch;
    vertices = block.control.sums[0][place];
    edges = block.control.sums[1][place];
    cursor.level = batch_begin + static_cast<std::int32_t>(i);
    cursor.entered += vertices;
    if (vertices == 0) {
      return small_verdict::exhausted;
    }
    if (cursor.level == block.job.depth_limit) {
      return small_verdict::depth_limit;
    }
    cursor.explored_edges += edges;
    block.job.log[cursor.num_logged++] = {block.start_ns + level_ns * i, edges, vertices,
                                          direction::push};
  }
  block.start_ns = now;
  cursor.pauses = cursor.num_logged + small_shape::batch > block.job.log_capacity;
  if (overflow || cursor.pauses || vertices > block.job.small_limit) {
    return small_verdict::hand_over;
  }
  return vertices <= small_shape::solo_vertices && edges <= 32 ? small_verdict::solo
                                                               : small_verdict::go_on;
}

/// The first block adds up the batch, logs it and decides for all.
template <class Block>
__device__ small_verdict look(Block& block, std::int32_t batch_begin, std::int32_t level,
                              bool overflow) {
  if (block.rank == 0 && warp_id() == 0) {
    add_up(block);
    auto verdict = static_cast<std::uint32_t>(small_verdict::go_on);
    if (lane_id() == 0) {
      verdict = static_cast<std::uint32_t>(judge(block, batch_begin, level, overflow));
    }
    verdict = __shfl_sync(~0U, verdict, 0);
    if (lane_id() < block.owner.blocks) {
      block.at_block(&block.control, lane_id())->verdict = static_cast<small_verdict>(verdict);
    }
  }
  if (threadIdx.x < small_shape::batch) {
    block.control.found[block.batch_parity ^ 1U][threadIdx.x] = 0;
    block.control.found_edges[block.batch_parity ^ 1U][threadIdx.x] = 0;
  }
  block.batch_parity ^= 1U;
  block.cluster.sync();
  return block.control.verdict;
}

}  // namespace tendril::cuda
