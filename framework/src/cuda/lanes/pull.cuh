#pragma once

#include "cuda/lanes/level.cuh"

// Levels that go over the vertices which some search still misses, and look at their in-neighbours
// until all of those searches have come. The longest rows are shared by a block, long ones by a
// warp; of the others a group of threads takes each, a part of the mask per thread. Blocks take
// their rows in turn, then warps take tickets, by degree, descending, and wait for nobody.

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
    const std::uint32_t for_blocks = rows_of(lane_limits::block_degree);
    for (std::uint32_t place = blockIdx.x; place < for_blocks; place += gridDim.x) {
      make_room();
      scratch_.cursor.is_sparse ? block_row<true>(job_.order[place])
                                : block_row<false>(job_.order[place]);
    }
    scratch_.cursor.is_sparse ? run_warp<true>(for_blocks) : run_warp<false>(for_blocks);
    count_added();
    finish();
  }

 private:
  static constexpr unsigned most_added = (1U << 6) - 1;  ///< that the counters hold
  static constexpr unsigned rows_per_ticket = 4;         ///< of those that are not long

  /// How many vertices have such a degree or a larger one.
  [[nodiscard]] __device__ std::uint32_t rows_of(std::uint32_t degree) const {
    return job_.order_starts[degree_bucket(degree) + 1];
  }

  /// @param LooksUp  reads the masks of neighbours in the frontier alone
  template <bool LooksUp>
  __device__ void run_warp(std::uint32_t for_blocks) {
    constexpr std::uint32_t chunk = shape::warp_groups * shape::rounds;
    const std::uint32_t long_rows = rows_of(lane_limits::long_degree);
    const std::uint32_t for_warps =
        rows_of(LooksUp ? lane_limits::scan_degree : lane_limits::warp_degree);
    const std::uint32_t end = job_.order_starts[num_degree_buckets - 1];
    const std::uint32_t long_tickets = long_rows - for_blocks;
    const std::uint32_t row_tickets =
        long_tickets + (for_warps - long_rows + rows_per_ticket - 1) / rows_per_ticket;
    const std::uint32_t tickets = row_tickets + (end - for_warps + 2 * chunk - 1) / (2 * chunk);
    std::uint32_t next = take();
    for (std::uint32_t ticket = __shfl_sync(~0U, next, 0); ticket < tickets;
         ticket = __shfl_sync(~0U, next, 0)) {
      next = take();  // comes while this one is worked on
      make_room();
      if (ticket < long_tickets) {
        warp_row<LooksUp>(job_.order[for_blocks + ticket]);
      } else if (ticket < row_tickets) {
        const std::uint32_t first = long_rows + (ticket - long_tickets) * rows_per_ticket;
        for (std::uint32_t i = first; i < first + rows_per_ticket && i < for_warps; ++i) {
          warp_row<LooksUp>(job_.order[i]);
        }
      } else {
        const std::uint32_t first = for_warps + (ticket - row_tickets) * 2 * chunk;
        group_rows(first, end);
        group_rows(first + chunk, end);
      }
    }
  }

  /// The warp's next ticket, in its first lane.
  [[nodiscard]] __device__ std::uint32_t take() const {
    std::uint32_t* const tickets = job_.state->tickets;
    return lane_id() == 0
               ? atomicAdd(&tickets[static_cast<std::uint32_t>(scratch_.cursor.level) % 2], 1U)
               : 0;
  }

  /// Makes room in the counters for what a ticket, or a row of the block, adds.
  __device__ void make_room() {
    constexpr unsigned by_groups = 2 * shape::rounds;
    if (added_ + (by_groups > rows_per_ticket ? by_groups : rows_per_ticket) > most_added) {
      count_added();
    }
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
      const unsigned lanes = __ballot_sync(~0U, is_fresh[i]);
      if (is_fresh[i]) {
        found[count + static_cast<unsigned>(__popc(lanes & ((1U << lane_id()) - 1)))] =
            neighbours[i];
      }
      count += static_cast<unsigned>(__popc(lanes));
    }
    __syncwarp();
    bits around{};
#pragma unroll 4
    for (unsigned i = lane_id() / shape::parts; i < count; i += shape::warp_groups) {
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

  template <bool LooksUp>
  __device__ void block_row(vertex_id v) {
    constexpr unsigned fetched = 8;  // rows are long: few looks at what is still wanted
    constexpr unsigned edges =
        LooksUp ? shape::warps * shape::scan_edges : 2 * fetched * shape::groups;
    const bits before = from_[place_of(v)];
    const bits wanted = without(alive_, before);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    bits around{};
    bool goes_on = __syncthreads_or(wanted.any()) != 0;
    for (edge_offset begin = job_.in.first_edge(v); goes_on && begin < end; begin += edges) {
      if constexpr (LooksUp) {
        around |= seen_by_fresh(begin + warp_id() * shape::scan_edges, end);
      } else {
        const edge_offset mine = begin + threadIdx.x / shape::parts;
        around |= seen_around<fetched, shape::groups>(mine, end);
        around |= seen_around<fetched, shape::groups>(mine + fetched * shape::groups, end);
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
    constexpr unsigned fetched = 4;
    const bits before = from_[place_of(v)];
    const bits wanted = without(alive_, before);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    bits around{};
    bool goes_on = __any_sync(~0U, wanted.any());
    for (edge_offset begin = job_.in.first_edge(v); goes_on && begin < end;
         begin += LooksUp ? shape::scan_edges : fetched * shape::warp_groups) {
      if constexpr (LooksUp) {
        around |= seen_by_fresh(begin, end);
      } else {
        around |= seen_around<fetched, shape::warp_groups>(begin + lane_id() / shape::parts, end);
      }
      around = joined_by_warp<shape>(around);
      goes_on = __any_sync(~0U, without(wanted, around).any());
    }
    note_fresh(lane_id() < shape::parts && commit(v, before, around & wanted), v);
  }

  /// Lanes that every Stride-th neighbour has seen, Count of them; the last one again where there
  /// are fewer. @pre the row is not empty
  template <unsigned Count, unsigned Stride>
  [[nodiscard]] __device__ bits seen_around(edge_offset position, edge_offset end) const {
    bits seen[Count];
#pragma unroll
    for (unsigned i = 0; i < Count; ++i) {
      const edge_offset next = position + i * Stride;
      seen[i] = seen_by(next < end ? next : end - 1);
    }
    bits around{};
#pragma unroll
    for (const bits& each : seen) {
      around |= each;
    }
    return around;
  }

  /// Short rows, a group of threads to each, from a place in the order on. What does not depend on
  /// other rows is fetched for all rounds together.
  __device__ void group_rows(std::uint32_t first, std::uint32_t end) {
    vertex_id rows[shape::rounds];
    bool goes_on[shape::rounds];
    bits before[shape::rounds];
    edge_offset begins[shape::rounds];
    std::uint32_t degrees[shape::rounds];
    const auto place_in = [&](unsigned round) {
      return first + round * shape::warp_groups + lane_id() / shape::parts;
    };
#pragma unroll
    for (unsigned round = 0; round < shape::rounds; ++round) {
      const std::uint32_t place = place_in(round);
      rows[round] = place < end ? job_.order[place] : 0;
      goes_on[round] = place < end && job_.finished[std::size_t{place} * shape::parts + part_] == 0;
    }
#pragma unroll
    for (unsigned round = 0; round < shape::rounds; ++round) {
      if (goes_on[round]) {
        before[round] = from_[place_of(rows[round])];
        begins[round] = job_.in.first_edge(rows[round]);
        degrees[round] = static_cast<std::uint32_t>(job_.in.degree(rows[round]));
      }
    }
#pragma unroll
    for (unsigned round = 0; round < shape::rounds; ++round) {
      bool changed = false;
      if (goes_on[round]) {
        const bits wanted = without(alive_, before[round]);
        if (wanted.any()) {
          const bits around = look_around(begins[round], begins[round] + degrees[round], wanted);
          changed = commit(rows[round], before[round], around & wanted);
        } else {  // lanes die and stay dead: nothing will ever come
          to_[place_of(rows[round])] = before[round];
          job_.finished[std::size_t{place_in(round)} * shape::parts + part_] = 1;
        }
      }
      note_fresh(changed, rows[round]);
    }
  }

  /// Lanes that a row's neighbours have seen, until there are all that are wanted.
  [[nodiscard]] __device__ bits look_around(edge_offset begin, edge_offset end,
                                            const bits& wanted) const {
    constexpr unsigned fetched = 4;
    bits around{};
    for (edge_offset position = begin; position < end; position += fetched) {
      around |= seen_around<fetched, 1>(position, end);
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
