#pragma once

#include "cuda/lanes/level.cuh"

// Levels that go over the vertices which some search still misses, and look at their in-neighbours
// until all of those searches have come. Long rows are shared by a block or a warp; of the others a
// group of threads takes each, a part of the mask per thread. Blocks take tickets: long rows first,
// then groups by degree, descending.

namespace tendril::cuda {

/// A block's pull of one level.
template <unsigned Words>
class lane_pull {
 public:
  using shape = lane_shape<Words>;
  using bits = lane_bits<shape::vector_words>;

  __device__ lane_pull(const lane_job& job, lane_scratch<Words>& scratch)
      : job_(job),
        scratch_(scratch),
        from_(reinterpret_cast<const bits*>(job.masks[scratch.cursor.now])),
        to_(reinterpret_cast<bits*>(job.masks[scratch.cursor.now ^ 1U])),
        fresh_(job.fresh[slot_of(scratch.cursor.level)]),
        next_fresh_(job.fresh[slot_of(scratch.cursor.level + 1)]),
        part_(threadIdx.x % shape::parts) {
    const volatile lane_state& state = *job.state;
#pragma unroll
    for (unsigned w = 0; w < shape::vector_words; ++w) {
      alive_.word[w] = state.alive[slot_of(scratch.cursor.level)][part_ * shape::vector_words + w];
    }
    for (auto& plane : scratch.counters) {
      plane[threadIdx.x] = bits{};
    }
  }

  __device__ void run() {
    const std::uint32_t* const starts = job_.order_starts;
    const std::uint32_t for_blocks = starts[degree_bucket(lane_limits::block_degree) + 1];
    const std::uint32_t warp_degree =
        scratch_.cursor.is_sparse ? lane_limits::scan_degree : lane_limits::warp_degree;
    const std::uint32_t for_warps = starts[degree_bucket(warp_degree) + 1];
    const std::uint32_t end = starts[num_degree_buckets - 1];
    constexpr std::uint32_t warps = shape::warps;
    constexpr std::uint32_t chunk = shape::groups * shape::rounds;
    const std::uint32_t warp_tickets = (for_warps - for_blocks + warps - 1) / warps;
    const std::uint32_t tickets = for_blocks + warp_tickets + (end - for_warps + chunk - 1) / chunk;
    for (std::uint32_t ticket = take(); ticket < tickets; ticket = take()) {
      if (added_ + shape::rounds > most_added) {
        count_added();
      }
      if (ticket < for_blocks) {
        block_row(job_.order[ticket]);
      } else if (ticket < for_blocks + warp_tickets) {
        const std::uint32_t place = for_blocks + (ticket - for_blocks) * warps + warp_id();
        if (place < for_warps) {
          warp_row(job_.order[place]);
        }
      } else {
        const std::uint32_t first = for_warps + (ticket - for_blocks - warp_tickets) * chunk;
        for (unsigned round = 0; round < shape::rounds; ++round) {
          const std::uint32_t place = first + round * shape::groups + threadIdx.x / shape::parts;
          note_fresh(place < end && group_row(place), place < end ? job_.order[place] : 0);
        }
      }
    }
    count_added();
    finish();
  }

 private:
  static constexpr unsigned most_added = (1U << 6) - 1;

  /// The block's next ticket.
  [[nodiscard]] __device__ std::uint32_t take() {
    __syncthreads();
    if (threadIdx.x == 0) {
      scratch_.ticket = atomicAdd(
          &job_.state->tickets[static_cast<std::uint32_t>(scratch_.cursor.level) % 2], 1U);
    }
    __syncthreads();
    return scratch_.ticket;
  }

  [[nodiscard]] __device__ std::size_t place_of(vertex_id v) const {
    return std::size_t{v} * shape::parts + part_;
  }
  /// Lanes that neighbour number `position` has seen.
  [[nodiscard]] __device__ bits seen_by(edge_offset position) const {
    return from_[place_of(job_.in.targets[position])];
  }

  /// Lanes that up to scan_edges neighbours have seen, as far as they are in the frontier: others
  /// have nothing new to give. By a warp: its lanes look them up, then its groups read their masks.
  [[nodiscard]] __device__ bits seen_by_fresh(edge_offset begin, edge_offset end) {
    constexpr unsigned rounds = shape::scan_edges / 32;
    vertex_id* const found = scratch_.found[warp_id()];
    vertex_id neighbours[rounds];
    bool is_fresh[rounds];
#pragma unroll
    for (unsigned i = 0; i < rounds; ++i) {
      const edge_offset position = begin + i * 32 + lane_id();
      neighbours[i] = position < end ? __ldcs(job_.in.targets + position) : no_vertex;
    }
#pragma unroll
    for (unsigned i = 0; i < rounds; ++i) {
      is_fresh[i] = neighbours[i] != no_vertex && test_bit(fresh_, neighbours[i]);
    }
    unsigned count = 0;
#pragma unroll
    for (unsigned i = 0; i < rounds; ++i) {
      const unsigned all = __ballot_sync(~0U, is_fresh[i]);
      if (is_fresh[i]) {
        found[count + static_cast<unsigned>(__popc(all & ((1U << lane_id()) - 1)))] = neighbours[i];
      }
      count += static_cast<unsigned>(__popc(all));
    }
    __syncwarp();
    constexpr unsigned groups = 32 / shape::parts;
    bits around{};
#pragma unroll 4
    for (unsigned i = lane_id() / shape::parts; i < count; i += groups) {
      around |= from_[place_of(found[i])];
    }
    __syncwarp();
    return around;
  }

  /// Marks v as one of the next frontier where a part of its mask changed. Called by whole warps, a
  /// thread per part.
  __device__ void note_fresh(bool changed, vertex_id v) {
    const unsigned all = __ballot_sync(~0U, changed);
    constexpr unsigned of_group = (1U << shape::parts) - 1;
    if (part_ == 0 && (all >> lane_id() & of_group) != 0) {
      atomicOr(&next_fresh_[v / bits_per_word], bit_of(v));
      ++changed_;
    }
  }

  __device__ void block_row(vertex_id v) {
    scratch_.cursor.is_sparse ? block_row<true>(v) : block_row<false>(v);
  }
  __device__ void warp_row(vertex_id v) {
    scratch_.cursor.is_sparse ? warp_row<true>(v) : warp_row<false>(v);
  }

  template <bool LooksUp>
  __device__ void block_row(vertex_id v) {
    const bits before = from_[place_of(v)];
    const bits wanted = without(alive_, before);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    bits around{};
    bool goes_on = __syncthreads_or(wanted.any()) != 0;
    constexpr unsigned edges = LooksUp ? shape::warps * shape::scan_edges : 4 * shape::groups;
    for (edge_offset begin = job_.in.first_edge(v); goes_on && begin < end; begin += edges) {
      if constexpr (LooksUp) {
        around |= seen_by_fresh(begin + warp_id() * shape::scan_edges, end);
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          const edge_offset position = begin + i * shape::groups + threadIdx.x / shape::parts;
          if (position < end) {
            around |= seen_by(position);
          }
        }
      }
      around = joined_by_warp<shape>(around);
      if (lane_id() < shape::parts) {
        scratch_.row[warp_id()][part_] = around;
      }
      __syncthreads();
#pragma unroll
      for (auto& of_warp : scratch_.row) {
        around |= of_warp[part_];
      }
      goes_on = __syncthreads_or(without(wanted, around).any()) != 0;
    }
    if (warp_id() == 0) {
      note_fresh(lane_id() < shape::parts && commit(v, before, around & wanted), v);
    }
  }

  template <bool LooksUp>
  __device__ void warp_row(vertex_id v) {
    constexpr unsigned at_a_time = 32 / shape::parts;
    const bits before = from_[place_of(v)];
    const bits wanted = without(alive_, before);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    bits around{};
    bool goes_on = __any_sync(~0U, wanted.any());
    for (edge_offset begin = job_.in.first_edge(v); goes_on && begin < end;
         begin += LooksUp ? shape::scan_edges : 4 * at_a_time) {
      if constexpr (LooksUp) {
        around |= seen_by_fresh(begin, end);
      } else {
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
          const edge_offset position = begin + i * at_a_time + lane_id() / shape::parts;
          if (position < end) {
            around |= seen_by(position);
          }
        }
      }
      around = joined_by_warp<shape>(around);
      goes_on = __any_sync(~0U, without(wanted, around).any());
    }
    note_fresh(lane_id() < shape::parts && commit(v, before, around & wanted), v);
  }

  /// @param place  of the vertex in the order
  /// @return true where the thread's part of its mask changed
  [[nodiscard]] __device__ bool group_row(std::uint32_t place) {
    std::uint8_t& finished = job_.finished[std::size_t{place} * shape::parts + part_];
    if (finished != 0) {
      return false;
    }
    const vertex_id v = job_.order[place];
    const bits before = from_[place_of(v)];
    const bits wanted = without(alive_, before);
    if (!wanted.any()) {  // lanes die and stay dead: nothing will ever come
      to_[place_of(v)] = before;
      finished = 1;
      return false;
    }
    const edge_offset begin = job_.in.first_edge(v);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    const bits around = look_around(begin, end, wanted);
    return commit(v, before, around & wanted);
  }

  /// Four neighbours at a time; the last one again where there are fewer.
  [[nodiscard]] __device__ bits look_around(edge_offset begin, edge_offset end,
                                            const bits& wanted) const {
    bits around{};
    for (edge_offset position = begin; position < end; position += 4) {
      bits seen[4];
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        seen[i] = seen_by(position + i < end ? position + i : end - 1);
      }
#pragma unroll
      for (const bits& each : seen) {
        around |= each;
      }
      if (!without(wanted, around).any()) {
        break;
      }
    }
    return around;
  }

  /// Writes a part of v's mask, counts what is new in it and notes its depth.
  /// @return true where something is
  [[nodiscard]] __device__ bool commit(vertex_id v, const bits& before, const bits& found) {
    bits after = before;
    after |= found;
    to_[place_of(v)] = after;
    if (!found.any()) {
      return false;
    }
    found_ |= found;
    const auto depth = static_cast<std::uint32_t>(scratch_.cursor.level + 1);
    for (std::uint32_t k = 0; k < job_.num_planes; ++k) {
      if ((depth >> k & 1U) != 0) {
        reinterpret_cast<bits*>(job_.planes[k])[place_of(v)] |= found;
      }
    }
    ++added_;
    bits carry = found;
#pragma unroll
    for (auto& plane : scratch_.counters) {
      bits& counter = plane[threadIdx.x];
      const bits both = counter & carry;
#pragma unroll
      for (unsigned w = 0; w < shape::vector_words; ++w) {
        counter.word[w] ^= carry.word[w];
      }
      carry = both;
      if (!carry.any()) {
        break;
      }
    }
    return true;
  }

  /// Adds the thread's counters to the block's counts. Threads begin at different lanes.
  __device__ void count_added() {
    for (unsigned w = 0; added_ != 0 && w < shape::vector_words; ++w) {
      for (unsigned i = 0; i < 64; ++i) {
        const unsigned bit = (i + lane_id()) % 64;
        std::uint32_t count = 0;
#pragma unroll
        for (unsigned k = 0; k < 6; ++k) {
          count |= static_cast<std::uint32_t>(scratch_.counters[k][threadIdx.x].word[w] >> bit & 1U)
                   << k;
        }
        if (count != 0) {
          atomicAdd(&scratch_.counts[(part_ * shape::vector_words + w) * 64 + bit], count);
        }
      }
    }
    for (auto& plane : scratch_.counters) {
      plane[threadIdx.x] = bits{};
    }
    added_ = 0;
  }

  __device__ void finish() {
    const bits found = joined_by_warp<shape>(found_);
    if (lane_id() < shape::parts) {
#pragma unroll
      for (unsigned w = 0; w < shape::vector_words; ++w) {
        atomicOr(&scratch_.alive[part_ * shape::vector_words + w], found.word[w]);
      }
    }
    const unsigned changed = __reduce_add_sync(~0U, changed_);
    if (lane_id() == 0) {
      atomicAdd(&scratch_.changed, changed);
    }
  }

  const lane_job& job_;
  lane_scratch<Words>& scratch_;
  const bits* from_;
  bits* to_;
  const bit_word* fresh_;
  bit_word* next_fresh_;
  unsigned part_;
  bits alive_;
  bits found_{};
  unsigned changed_ = 0;
  unsigned added_ = 0;
};

}  // namespace tendril::cuda
