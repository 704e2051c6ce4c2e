#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/small_level.cuh"

// Between a small traversal and the large kernels: taking a frontier and a bitmap over, and giving
// them back.

namespace tendril::cuda {

/// Word i of this block's part, from a bitmap in vertex order.
template <class Block>
[[nodiscard]] __device__ bit_word import_word(const Block& block, const bit_word* bits,
                                              std::uint32_t i) {
  bit_word word = 0;
  for (std::uint32_t bit = 0; bit < bits_per_word; ++bit) {
    const vertex_id v = block.owner.vertex(i * bits_per_word + bit, block.rank);
    if (v / bits_per_word < block.job.graph.num_words && test_bit(bits, v)) {
      word |= bit_of(bit);
    }
  }
  return word;
}

/// A word in vertex order, from all blocks' parts: each block has some neighbouring bits of it.
template <class Block>
[[nodiscard]] __device__ bit_word export_word(const Block& block, std::uint32_t word) {
  const std::uint32_t num_locals = bits_per_word >> block.owner.block_bits;
  const std::uint32_t first_local = word * num_locals;
  bit_word bits = block.job.graph.isolated[word];
  for (std::uint32_t of = 0; of < block.owner.blocks; ++of) {
    const bit_word part = *block.at_block(&block.visited[first_local / bits_per_word], of);
    for (std::uint32_t local = first_local; local < first_local + num_locals; ++local) {
      bits |= (part & bit_of(local)) != 0 ? bit_of(block.owner.vertex(local, of)) : 0;
    }
  }
  return bits;
}

/// Empties a block's shared memory, or fills its part of the visited bitmap.
template <weight W, class Position, class Visitor>
__device__ void set_up(small_block<W, Position, Visitor>& block, const bit_word* visited) {
  using candidate = typename small_block<W, Position, Visitor>::candidate;
  for (std::uint32_t i = threadIdx.x; i < sizeof(small_control) / sizeof(std::uint32_t);
       i += small_shape::threads) {
    reinterpret_cast<std::uint32_t*>(&block.control)[i] = 0;
  }
  for (std::uint32_t i = threadIdx.x; i < small_shape::inboxes * block.inbox_slots;
       i += small_shape::threads) {
    block.inboxes[i] = candidate::of(no_vertex, no_vertex);
  }
  const std::uint32_t num_words = block.local_words(block.job.graph.num_words, block.owner.blocks);
  for (std::uint32_t i = threadIdx.x; i < num_words; i += small_shape::threads) {
    block.visited[i] = visited == nullptr ? 0 : import_word(block, visited, i);
  }
}

/// Takes the traversal over and sends the frontier to its owners.
template <class Block>
__device__ void take_over(Block& block, const kernel_entry& entry) {
  const auto& job = block.job;
  const traversal_cursor before =
      entry.fresh ? traversal_cursor{} : job.state->cursors[entry.parity];
  block.first_level = before.level;
  block.silent = !entry.fresh;
  std::uint32_t frontier = job.num_sources;
  const vertex_id* vertices = job.sources;
  if (!entry.fresh) {
    frontier = job.counts.vertices(
        __ldcg(&job.state->totals[static_cast<std::uint32_t>(before.level) % 3]));
    vertices = job.queue.vertices + before.queue_end;
  }
  set_up(block, entry.fresh ? nullptr : job.bits[before.visited]);
  block.cluster.sync();
  if (threadIdx.x == 0) {
    traversal_cursor& cursor = block.control.cursor;
    cursor = before;
    if (entry.drained) {
      cursor.num_logged = 0;
    }
    if (!entry.fresh) {
      cursor.queue_end += frontier;
    }
    block.start_ns = nanoseconds();
  }
  // Each block sends its share; on going on, a vertex that was claimed is made claimable again.
  for (std::uint32_t i = block.rank * small_shape::threads + threadIdx.x; i < frontier;
       i += block.owner.blocks * small_shape::threads) {
    if (entry.fresh) {
      block.send(block.first_level - 1, vertices[i], vertices[i]);
    } else {
      block.send_back(block.first_level, vertices[i]);
    }
  }
  block.cluster.sync();
  if (block.rank == 0 && threadIdx.x < 4) {
    job.state->totals[threadIdx.x] = 0;
  }
}

/// Expands the level again, into the queue and the bitmaps of the large kernels.
template <class Block>
__device__ void hand_over(Block& block, std::int32_t level) {
  const auto& job = block.job;
  const traversal_cursor& cursor = *block.at_block(&block.control.cursor, 0);
  const auto slots = job.queue.from(cursor.queue_end);
  unsigned long long* const total = &job.state->totals[(static_cast<std::uint32_t>(level) + 1) % 3];
  const auto* const kept = block.segment(level, warp_id());
  for (unsigned round = 0; round < block.rounds; ++round) {
    const vertex_id v = kept[round * 32 + lane_id()].target;
    short_row row{};
    std::uint32_t degree = 0;
    if (v != no_vertex) {
      row = block.row_of(v);
      degree = block.degree_of(row);
    }
    const std::uint32_t most = __reduce_max_sync(~0U, degree);
    for (std::uint32_t i = 0; i < most; ++i) {
      const vertex_id target = i < degree ? block.target_of(v, row, i) : no_vertex;
      const bool is_new = target != no_vertex && block.claim(target);
      if (is_new) {
        block.arrive(Block::candidate::of(v, target), level + 1);
      }
      append_by_warp(job.graph, is_new, target, slots, job.counts, total);
    }
  }
  block.cluster.sync();
  for (std::uint32_t word = block.rank * small_shape::threads + threadIdx.x;
       word < job.graph.num_words; word += block.owner.blocks * small_shape::threads) {
    const bit_word bits = export_word(block, word);
    job.bits[0][word] = bits;
    job.bits[1][word] = bits;
  }
}

/// Leaves the traversal to the large kernels, or to the end.
template <class Block>
__device__ void leave(const Block& block, const kernel_entry& entry, small_verdict verdict) {
  if (block.rank == 0 && threadIdx.x == 0) {
    traversal_state& state = *block.job.state;
    traversal_cursor cursor = block.control.cursor;
    switch (verdict) {
      case small_verdict::exhausted:
        cursor.status = traversal_status::exhausted;
        break;
      case small_verdict::depth_limit:
        cursor.status = traversal_status::depth_limit;
        break;
      case small_verdict::go_on:
      case small_verdict::solo:
      case small_verdict::hand_over:
        ++cursor.level;
        break;
    }
    cursor.step = traversal_step::choose;
    cursor.in_bitmap = false;
    cursor.visited = 0;
    state.stop = false;
    state.cursors[entry.parity ^ 1U] = cursor;
    state.end_ns = nanoseconds();
  }
  block.cluster.sync();
}

}  // namespace tendril::cuda
