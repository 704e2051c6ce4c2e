#pragma once

#include "tendril/cuda/detail/append.cuh"
#include "tendril/cuda/detail/small_level.cuh"

// Between a small traversal and the large kernels: taking a frontier and a bitmap over, and giving
// them back.

namespace tendril::cuda {

/// Turns word i of all spans into word i of all blocks' parts, or back. A vertex's span and its
/// block differ by an exclusive or with turn(local), so bits change places by one bit of it at a
/// time, as planes of all 32 locals of the word.
__device__ inline void exchange_spans(bit_word (&words)[small_shape::max_blocks],
                                      std::uint32_t word, std::uint32_t blocks) {
  bit_word planes[4] = {};
  for (std::uint32_t bit = 0; bit < bits_per_word; ++bit) {
    const std::uint32_t turn = vertex_owner::turn(word * bits_per_word + bit);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      planes[i] |= (turn >> i & 1U) << bit;
    }
  }
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    const bit_word plane = 1U << i < blocks ? planes[i] : 0;
#pragma unroll
    for (unsigned low = 0; low < small_shape::max_blocks; ++low) {
      if ((low >> i & 1U) == 0) {
        const bit_word changed = (words[low] ^ words[low | 1U << i]) & plane;
        words[low] ^= changed;
        words[low | 1U << i] ^= changed;
      }
    }
  }
}

/// Word i of this block's part, from a bitmap in vertex order.
template <class Block>
[[nodiscard]] __device__ bit_word import_word(const Block& block, const bit_word* bits,
                                              std::uint32_t i) {
  const std::uint32_t span_words = block.owner.span / bits_per_word;
  bit_word words[small_shape::max_blocks];
#pragma unroll
  for (unsigned span = 0; span < small_shape::max_blocks; ++span) {
    const std::uint32_t word = span * span_words + i;
    words[span] = span < block.owner.blocks && word < block.job.graph.num_words ? bits[word] : 0;
  }
  exchange_spans(words, i, block.owner.blocks);
  return words[block.rank];
}

/// All blocks' parts, as two bitmaps in vertex order.
template <class Block>
__device__ void export_visited(const Block& block) {
  const auto& job = block.job;
  const std::uint32_t span_words = block.owner.span / bits_per_word;
  const std::uint32_t share = span_words / block.owner.blocks;  // a grain is more than max_blocks
  for (std::uint32_t i = block.rank * share + threadIdx.x; i < (block.rank + 1) * share;
       i += small_shape::threads) {
    bit_word words[small_shape::max_blocks];
#pragma unroll
    for (unsigned of = 0; of < small_shape::max_blocks; ++of) {
      words[of] = of < block.owner.blocks ? *block.at_block(&block.visited[i], of) : 0;
    }
    exchange_spans(words, i, block.owner.blocks);
#pragma unroll
    for (unsigned span = 0; span < small_shape::max_blocks; ++span) {
      const std::uint32_t word = span * span_words + i;
      if (span < block.owner.blocks && word < job.graph.num_words) {
        const bit_word bits = words[span] | __ldg(&job.graph.isolated[word]);
        job.bits[0][word] = bits;
        job.bits[1][word] = bits;
      }
    }
  }
}

/// Empties a block's shared memory, or fills its part of the visited bitmap.
template <class Block>
__device__ void set_up(Block& block, const bit_word* visited) {
  small_control& control = block.control;
  if (threadIdx.x == 0) {
    control.num_alone = 0;
  }
  if (threadIdx.x < small_shape::max_blocks) {
    const std::uint32_t other = threadIdx.x & (block.owner.blocks - 1);
    control.segments[threadIdx.x] =
        reinterpret_cast<std::uint64_t>(block.at_block(block.inboxes + block.rank, other));
  }
  if (threadIdx.x < small_control::num_counts) {
    for (int i = 0; i < 2; ++i) {
      control.counts[i][threadIdx.x] = 0;
      if (threadIdx.x < small_shape::max_blocks) {
        control.headers[i][threadIdx.x] = {};
      }
    }
  }
  for (std::uint32_t i = threadIdx.x; i < 2 * block.inbox_slots; i += small_shape::threads) {
    block.inboxes[i] = {};
  }
  for (std::uint32_t i = threadIdx.x; i < block.owner.span / bits_per_word;
       i += small_shape::threads) {
    block.visited[i] = visited == nullptr ? 0 : import_word(block, visited, i);
  }
}

/// Takes the traversal over and sends the frontier to its owners.
template <class Block>
__device__ void take_over(Block& block, const kernel_entry& entry) {
  const auto& job = block.job;
  traversal_cursor cursor = entry.fresh ? traversal_cursor{} : job.state->cursors[entry.parity];
  if (entry.drained) {
    cursor.num_logged = 0;
  }
  block.first_level = cursor.level;
  block.silent_level = entry.fresh ? -1 : cursor.level;
  // The level before it is the first that cannot be logged, or expanded.
  const std::int64_t log_ends = std::int64_t{cursor.level} + job.log_capacity - cursor.num_logged;
  block.stop_level = static_cast<std::int32_t>(
      (log_ends < job.depth_limit ? log_ends : std::int64_t{job.depth_limit}) + 1);
  std::uint32_t frontier = job.num_sources;
  const vertex_id* vertices = job.sources.data();
  if (!entry.fresh) {
    frontier = job.counts.vertices(
        __ldcg(&job.state->totals[static_cast<std::uint32_t>(cursor.level) % 3]));
    vertices = job.queue.vertices + cursor.queue_end;  // these slots may be written again
  }
  set_up(block, entry.fresh ? nullptr : job.bits[cursor.visited]);
  block.cluster.sync();
  if (block.rank == 0 && threadIdx.x == 0) {
    block.control.cursor = cursor;
    block.control.counts[block.parity(block.first_level - 1)][small_control::found] = 1;
  }
  // Each block sends its share; on going on, a vertex that was claimed is made claimable again.
  for (std::uint32_t i = block.rank * small_shape::threads + threadIdx.x; i < frontier;
       i += block.owner.blocks * small_shape::threads) {
    if (!entry.fresh) {
      block.unclaim(vertices[i]);
    }
    block.send_to_owner(block.first_level - 1, vertices[i]);
  }
  block.cluster.sync();
  if (block.rank == 0 && threadIdx.x < 4) {
    job.state->totals[threadIdx.x] = 0;
  }
  tell_first(block);
}

/// Queues the vertices of a level, for the large kernels to expand, and fills their bitmaps.
template <weight W, class Position, class Visitor>
__device__ void hand_over(const small_block<W, Position, Visitor>& block, std::int32_t level) {
  const auto& job = block.job;
  if (!block.is_teller()) {
    constexpr unsigned items = block.inbox_slots / small_shape::readers;
    new_entries<Position, items> entries;
#pragma unroll
    for (unsigned i = 0; i < items; ++i) {
      const small_candidate got = block.inbox(level)[i * small_shape::readers + threadIdx.x];
      entries.vertices[i] =
          got.is_for(level) ? block.owner.vertex(got.local(), block.rank) : no_vertex;
    }
#pragma unroll
    for (unsigned i = 0; i < items; ++i) {
      if (entries.vertices[i] != no_vertex) {
        entries.first_edges[i] = job.graph.out.offsets[entries.vertices[i]];
        entries.degrees[i] = job.graph.out.degree(entries.vertices[i]);
      }
    }
    const traversal_cursor& cursor = *block.at_block(&block.control.cursor, 0);
    append_by_warp(entries, job.queue.from(cursor.queue_end), job.counts,
                   &job.state->totals[static_cast<std::uint32_t>(level) % 3]);
  }
  export_visited(block);
}

/// Leaves the traversal to the large kernels, or at its end.
template <class Block>
__device__ void leave(const Block& block, const kernel_entry& entry, traversal_status status) {
  if (block.rank == 0 && threadIdx.x == 0) {
    traversal_state& state = *block.job.state;
    traversal_cursor cursor = block.control.cursor;
    cursor.status = status;
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
