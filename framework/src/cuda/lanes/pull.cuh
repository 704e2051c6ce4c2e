#pragma once

#include "cuda/lanes/counters.cuh"
#include "cuda/lanes/neighbours.cuh"

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
        neighbours_(job, scratch.cursor),
        to_(reinterpret_cast<bits*>(job.masks[scratch.cursor.now ^ 1U])),
        next_fresh_(job.fresh[slot_of(scratch.cursor.level + 1)]),
        counters_(scratch) {
    const volatile lane_state& state = *job.state;
    if (threadIdx.x < shape::parts) {
#pragma unroll
      for (unsigned w = 0; w < shape::vector_words; ++w) {
        scratch.alive[threadIdx.x].word[w] =
            state.alive[slot_of(scratch.cursor.level)][threadIdx.x * shape::vector_words + w];
      }
    }
  }

  __device__ void run() {
    constexpr std::uint32_t warp_chunk = shape::warps * shape::warp_rows;
    constexpr unsigned most_tickets = lane_counters<Words>::most_added / shape::most_rows;
    const std::uint32_t for_blocks = rows_of(lane_limits::block_degree);
    const std::uint32_t for_warps = rows_of(lane_limits::warp_degree);
    const std::uint32_t end = job_.order_starts[num_degree_buckets - 1];
    const std::uint32_t row_tickets =
        for_blocks + (for_warps - for_blocks + warp_chunk - 1) / warp_chunk;
    const std::uint32_t tickets =
        row_tickets + (end - for_warps + shape::threads - 1) / shape::threads;
    std::uint32_t next = draw();
    for (unsigned taken = 0;; ++taken) {
      if (threadIdx.x == 0) {
        scratch_.tickets[taken % 2] = next;
      }
      __syncthreads();
      const std::uint32_t ticket = scratch_.tickets[taken % 2];
      if (ticket >= tickets || (taken != 0 && taken % most_tickets == 0)) {
        counters_.give_to_block();  // before a count overflows
      }
      if (ticket >= tickets) {
        break;
      }
      next = draw();  // comes while the block works
      if (ticket < for_blocks) {
        block_row(job_.order[ticket]);
      } else if (ticket < row_tickets) {
        warp_rows(for_blocks + (ticket - for_blocks) * warp_chunk, for_warps);
      } else {
        group_rows(for_warps + (ticket - row_tickets) * shape::threads, end);
      }
    }
    const unsigned changed = __reduce_add_sync(~0U, changed_);
    if (lane_id() == 0) {
      atomicAdd(&scratch_.changed, changed);
    }
  }

 private:
  /// A row that a lane of a warp knows.
  struct known_row {
    vertex_id v;
    std::uint32_t degree;  ///< 0: there is none, or nothing will ever come to it
    edge_offset begin;
    std::uint32_t finished;  ///< a bit for each part to which nothing will come
  };

  /// How many vertices have such a degree or a larger one.
  [[nodiscard]] __device__ std::uint32_t rows_of(std::uint32_t degree) const {
    return job_.order_starts[degree_bucket(degree) + 1];
  }

  /// The next ticket, in thread 0.
  [[nodiscard]] __device__ std::uint32_t draw() const {
    std::uint32_t* const tickets = job_.state->tickets;
    return threadIdx.x == 0
               ? atomicAdd(&tickets[static_cast<std::uint32_t>(scratch_.cursor.level) % 2], 1U)
               : 0;
  }

  /// Lanes that are alive and not among these.
  [[nodiscard]] __device__ bits missing(const bits& before) const {
    return without(scratch_.alive[shape::part()], before);
  }

  /// The longest rows, by all warps: row_edges each between two barriers.
  __device__ void block_row(vertex_id v) {
    const bits before = neighbours_.seen_by(v);
    const bits wanted = missing(before);
    const edge_offset end = job_.in.first_edge(v + std::size_t{1});
    bits around{};
    bool goes_on = __syncthreads_or(wanted.any()) != 0;
    for (edge_offset begin = job_.in.first_edge(v); goes_on && begin < end;
         begin += shape::warps * shape::row_edges) {
      around |= neighbours_.seen_by_many(begin + warp_id() * shape::row_edges, end, v);
      around = joined_by_warp<shape>(around);
      if (lane_id() < shape::parts) {
        scratch_.row[warp_id()][shape::part()] = around;
      }
      __syncthreads();
#pragma unroll
      for (auto& of_warp : scratch_.row) {
        around |= of_warp[shape::part()];
      }
      goes_on = __syncthreads_or(without(wanted, around).any()) != 0;
    }
    if (warp_id() == 0) {
      note_fresh(lane_id() < shape::parts && commit(v, before, around & wanted), v);
    }
  }

  /// The row in a place of the order, for a lane of a warp.
  [[nodiscard]] __device__ known_row row_in(std::uint32_t place, bool is_there) const {
    known_row row{};
    if (is_there) {
      row.v = job_.order[place];
      row.finished = job_.finished[place];
      if (row.finished != all_parts) {
        row.begin = job_.in.first_edge(row.v);
        row.degree =
            static_cast<std::uint32_t>(job_.in.first_edge(row.v + std::size_t{1}) - row.begin);
      }
    }
    return row;
  }
  /// What another lane knows.
  [[nodiscard]] __device__ static known_row row_of(const known_row& row, unsigned lane) {
    const auto from = static_cast<int>(lane);
    return {__shfl_sync(~0U, row.v, from), __shfl_sync(~0U, row.degree, from),
            __shfl_sync(~0U, row.begin, from), __shfl_sync(~0U, row.finished, from)};
  }

  /// Long rows, warp_rows to each warp.
  __device__ void warp_rows(std::uint32_t first, std::uint32_t end) {
    first += warp_id() * shape::warp_rows;
    const std::uint32_t mine = first + lane_id();
    const known_row known = row_in(mine, lane_id() < shape::warp_rows && mine < end);
    for (unsigned i = 0; i < shape::warp_rows; ++i) {
      const known_row row = row_of(known, i);
      if (row.degree != 0) {
        warp_row(row, first + i);
      }
    }
  }

  __device__ void warp_row(const known_row& row, std::uint32_t place) {
    const edge_offset end = row.begin + row.degree;
    const bits before = neighbours_.seen_by(row.v);
    const bits wanted = missing(before);
    bits around{};
    bool goes_on = __any_sync(~0U, wanted.any());
    if (!goes_on) {
      job_.finished[place] = all_parts;
    }
    using some = typename lane_neighbours<Words>::some;
    some next = neighbours_.read(row.begin, end, row.v);
    for (edge_offset begin = row.begin; goes_on && begin < end; begin += some::size) {
      const some now = next;
      next = neighbours_.read(begin + some::size, end, row.v);
      around |= neighbours_.seen_by(now);
      around = joined_by_warp<shape>(around);
      goes_on = __any_sync(~0U, without(wanted, around).any());
    }
    note_fresh(lane_id() < shape::parts && commit(row.v, before, around & wanted), row.v);
  }

  /// Short rows, 32 to each warp, a group of threads to each.
  __device__ void group_rows(std::uint32_t first, std::uint32_t end) {
    first += warp_id() * 32;
    const known_row known = row_in(first + lane_id(), first + lane_id() < end);
    if (!__any_sync(~0U, known.degree != 0)) {
      return;
    }
    for (unsigned round = 0; round < shape::parts; ++round) {
      const unsigned owner = round * shape::warp_groups + lane_id() / shape::parts;
      const known_row row = row_of(known, owner);
      const bool is_open = row.degree != 0 && (row.finished >> shape::part() & 1U) == 0;
      const group_end found = is_open ? group_row(row) : group_end{};
      note_fresh(found.changed, row.v);
      const unsigned closed =
          __ballot_sync(~0U, found.is_last) >> (lane_id() - shape::part()) & all_parts;
      if (shape::part() == 0 && closed != 0) {
        job_.finished[first + owner] = static_cast<std::uint8_t>(row.finished | closed);
      }
    }
  }

  struct group_end {
    bool changed = false;
    bool is_last = false;  ///< nothing will ever come
  };

  [[nodiscard]] __device__ group_end group_row(const known_row& row) {
    const bits before = neighbours_.seen_by(row.v);
    const bits wanted = missing(before);
    if (!wanted.any()) {  // lanes die and stay dead
      to_[shape::place_of(row.v)] = before;
      return {false, true};
    }
    return {commit(row.v, before, neighbours_.seen_around(row.begin, row.degree, wanted) & wanted),
            false};
  }

  /// Marks v as one of the next frontier where a part of its mask changed. Called by whole warps, a
  /// thread per part.
  __device__ void note_fresh(bool changed, vertex_id v) {
    const unsigned all = __ballot_sync(~0U, changed);
    if (shape::part() == 0 && (all >> lane_id() & all_parts) != 0) {
      atomicOr(&next_fresh_[v / bits_per_word], bit_of(v));
      ++changed_;
    }
  }

  /// Writes a part of v's mask, counts what is new in it and notes its depth.
  /// @return true where something is
  [[nodiscard]] __device__ bool commit(vertex_id v, const bits& before, const bits& found) {
    bits after = before;
    after |= found;
    to_[shape::place_of(v)] = after;
    if (!found.any()) {
      return false;
    }
    const auto depth = static_cast<std::uint32_t>(scratch_.cursor.level + 1);
    for (std::uint32_t k = 0; k < job_.num_planes; ++k) {
      if ((depth >> k & 1U) != 0) {
        reinterpret_cast<bits*>(job_.planes[k])[shape::place_of(v)] |= found;
      }
    }
    counters_.add(found);
    return true;
  }

  static constexpr unsigned all_parts = (1U << shape::parts) - 1;

  const lane_job& job_;
  lane_scratch<Words>& scratch_;
  lane_neighbours<Words> neighbours_;
  bits* to_;
  bit_word* next_fresh_;
  lane_counters<Words> counters_;
  unsigned changed_ = 0;
};

}  // namespace tendril::cuda
