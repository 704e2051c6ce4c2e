#pragma once

#include "tendril/cuda/detail/small_block.cuh"

// One level of a small traversal: what the readers do, what the teller does.

namespace tendril::cuda {

/// What the headers of a level say.
struct small_turn {
  static constexpr std::uint32_t overflow = 1U << small_header::overflow_bit;

  std::uint32_t sent;      ///< by the block whose candidates the lane reads
  std::uint32_t vertices;  ///< of the level before; overflow and more: not all targets were sent
  std::uint32_t edges;     ///< of these, as one block told; a lane per block

  [[nodiscard]] __device__ std::uint32_t num_vertices() const { return vertices % overflow; }
};

/// A vertex that was claimed, and has not arrived yet.
struct small_arrival {
  bool is_new = false;
  vertex_id source = no_vertex;
  vertex_id v = no_vertex;
};

/// Waits until all blocks have told what they sent for the level. Called by whole warps.
template <weight W, class Position, class Visitor>
[[nodiscard]] __device__ small_turn wait_for(const small_block<W, Position, Visitor>& block,
                                             std::int32_t level) {
  const std::uint32_t from = lane_id() & (block.owner.blocks - 1);
  const shared_address at =
      block.headers_at + (block.parity(level) * small_shape::max_blocks + from) *
                             static_cast<shared_address>(sizeof(small_header));
  small_header header{};
  do {
    header.word = load_shared(at);
  } while (__any_sync(~0U, !header.is_for(level)));
  if constexpr (reads_edges<Visitor, W>) {
    fence_cluster();
  }
  const bool counts = lane_id() < block.owner.blocks;
  return {header.sent(), __reduce_add_sync(~0U, counts ? header.vertices() : 0),
          counts ? header.edges() : 0};
}

/// Claims the candidate of a lane, if it has one, and sends its row on. A candidate that was
/// visited is taken out of the inbox, where the others stay until the next level is agreed on.
template <weight W, class Position, class Visitor>
[[nodiscard]] __device__ small_arrival take(const small_block<W, Position, Visitor>& block,
                                            std::int32_t level, bool expands, bool has_candidate,
                                            shared_address slot) {
  small_candidate got{};
  do {
    got.word = load_shared(slot);
  } while (__any_sync(~0U, has_candidate && !got.is_for(level)));
  const bit_word bit = has_candidate ? bit_of(got.local()) : 0;
  const bool is_new = (bit & ~block.claim_own(got.local(), bit)) != 0;
  const vertex_id v = block.owner.vertex(got.local(), block.rank);
  const short_row* const rows = block.job.graph.short_rows;
  short_row row = no_row();
  load_if(is_new, row, rows + v);
  // Ids near each other are often near in the graph: the lines beside this one come next.
  constexpr vertex_id line = 128 / sizeof(short_row);
  prefetch_if(is_new && v >= line, rows + v - line);
  prefetch_if(is_new && v + line < block.job.graph.num_vertices, rows + v + line);
  const std::uint32_t found = __reduce_add_sync(~0U, is_new ? small_count::of(degree_of(row)) : 0);
  if (expands) {
    block.for_each_part(row,
                        [&](const short_row& part) { block.send(level, v, got.source(), part); });
  }
  if (lane_id() == 0) {
    static_cast<void>(add_shared(block.count_at(level, small_control::found), found));
  }
  if (has_candidate && !is_new) {
    store_shared(slot, 0);
  }
  return {is_new, got.source(), v};
}

/// Claims what the inbox holds and sends its targets on.
template <weight W, class Position, class Visitor>
__device__ void read_inbox(const small_block<W, Position, Visitor>& block, std::int32_t level,
                           std::uint32_t sent, bool expands) {
  constexpr auto candidate_bytes = static_cast<shared_address>(sizeof(small_candidate));
  const std::uint32_t step = small_shape::readers >> block.owner.block_bits;
  shared_address slot =
      block.inboxes_at + (block.parity(level) * block.inbox_slots + threadIdx.x) * candidate_bytes;
  small_arrival last;
  for (std::uint32_t place = threadIdx.x >> block.owner.block_bits; __any_sync(~0U, place < sent);
       place += step, slot += small_shape::readers * candidate_bytes) {
    const small_arrival next = take(block, level, expands, place < sent, slot);
    if (last.is_new) {
      block.arrive(last.source, last.v, level);
    }
    last = next;
  }
  // Who sees no edges cannot ask for what the arrival at another vertex wrote: it may come late.
  if constexpr (!reads_edges<Visitor, W>) {
    arrive_at_barrier<small_shape::threads>();
  }
  if (last.is_new) {
    block.arrive(last.source, last.v, level);
  }
  if constexpr (reads_edges<Visitor, W>) {
    __syncwarp();
    arrive_at_barrier<small_shape::threads>();
  }
}

/// Tells all blocks what this one sent in the level, when it has. One warp.
template <weight W, class Position, class Visitor>
__device__ void tell(const small_block<W, Position, Visitor>& block, std::int32_t level) {
  const bool is_told = lane_id() < block.owner.blocks;
  auto header = reinterpret_cast<std::uint64_t>(block.at_block(
      &block.control.headers[block.parity(level + 1)][block.rank], is_told ? lane_id() : 0));
  wait_at_barrier<small_shape::threads>();
  if constexpr (reads_edges<Visitor, W>) {
    fence_cluster();
  }
  const std::uint32_t count = exchange_shared(block.count_at(level, lane_id()), 0);
  const std::uint32_t found = __shfl_sync(~0U, count, small_control::found);
  const bool overflow = __any_sync(~0U, is_told && count > small_shape::segment);
  store_if(is_told, header, small_header::of(level + 1, count, found, overflow).word);
}

/// Tells what was sent before the first level, by all threads, after a barrier of the cluster.
template <class Block>
__device__ void tell_first(const Block& block) {
  if (block.is_teller()) {
    tell(block, block.first_level - 1);
  } else {
    arrive_at_barrier<small_shape::threads>();
  }
}

/// Empties the inbox of the next level where marks of levels are about to come again. Called by
/// all threads.
template <class Block>
__device__ void empty_next_inbox(const Block& block, std::int32_t level) {
  small_candidate* const inbox = block.inbox(level + 1);
  for (std::uint32_t i = threadIdx.x; i < block.inbox_slots; i += small_shape::threads) {
    inbox[i] = {};
  }
  block.cluster.sync();
}

}  // namespace tendril::cuda
