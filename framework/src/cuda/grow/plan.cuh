#pragma once

#include "cuda/grow/growth.cuh"

namespace tendril::cuda {

/// Shared memory for the warps that plan.
struct plan_storage {
  point_id starts[growth_shape::warps][growth_shape::bins + 1];
};

/// A warp decides what becomes of a large cell's descendants: a large one is a cell of the next
/// round, small ones that lie side by side are jobs. All lanes take the same way. It goes over them
/// twice, to count, so that one atomic of each kind is enough, then to write; the root's once,
/// since nobody else counts.
template <class Key>
class cell_plan {
 public:
  /// @param starts  [bins + 1], shared memory of the warp
  __device__ cell_plan(const growth<Key>& g, std::uint32_t round, point_id* starts)
      : g_(g), round_(round), starts_(starts), lane_(threadIdx.x % 32) {}

  __device__ void run(large_cell& cell, int level, point_id first) {
    level_ = level;
    step_ = g_.step_from(level);
    lay_out(cell, first);
    num_cells_ = num_tiles_ = num_jobs_ = 0;
    if (round_ == 0) {
      go_over();
      publish_counts();
      return;
    }
    is_counting_ = true;
    go_over();
    reserve();
    is_counting_ = false;
    go_over();
    __syncwarp();
  }

 private:
  static constexpr unsigned all_lanes = 0xFFFFFFFF;
  static constexpr unsigned halves = growth_shape::bins / 32;

  /// Turns the descendants' counts into where their points begin. A lane has a bin of each half.
  __device__ void lay_out(large_cell& cell, point_id first) {
    filled_ = large_ = 0;
    __syncwarp();
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const unsigned bin = half * 32 + lane_;
      const point_id count = __ldcg(&cell.bins[bin]);
      point_id sum = count;
#pragma unroll
      for (unsigned apart = 1; apart < 32; apart *= 2) {
        const point_id below = __shfl_up_sync(all_lanes, sum, apart);
        sum += lane_ >= apart ? below : 0;
      }
      starts_[bin] = first + sum - count;
      cell.bins[bin] = first + sum - count;
      first += __shfl_sync(all_lanes, sum, 31);
      filled_ |= bins_where(half, count > 0);
      large_ |= bins_where(half, count > growth_shape::tile);
    }
    starts_[growth_shape::bins] = first;
    __syncwarp();
  }

  /// A bit for each bin of a half whose lane says so.
  [[nodiscard]] static __device__ std::uint64_t bins_where(unsigned half, bool is_so) {
    return static_cast<std::uint64_t>(__ballot_sync(all_lanes, is_so)) << (half * 32);
  }

  __device__ void go_over() {
    for (std::uint64_t left = filled_; left != 0;) {
      const unsigned bin = static_cast<unsigned>(__ffsll(static_cast<long long>(left))) - 1;
      if ((large_ >> bin & 1) != 0) {
        add_large(starts_[bin], starts_[bin + 1] - starts_[bin]);
        left &= left - 1;
      } else {
        const std::uint64_t rest = bins_after_job(bin);
        add_small(bin, filled_ & ~rest);
        left &= rest;
      }
    }
  }

  /// The bins from the first one on that does not fit the job that begins with a bin.
  [[nodiscard]] __device__ std::uint64_t bins_after_job(unsigned first) const {
    std::uint64_t stops = large_;
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const point_id count = starts_[half * 32 + lane_ + 1] - starts_[first];
      stops |= bins_where(half, half * 32 + lane_ > first && count > g_.merged_points);
    }
    stops &= ~std::uint64_t{1} << first;
    return ~((stops & -stops) - 1) & -static_cast<std::uint64_t>(stops != 0);
  }

  /// The numbers so far are all there are.
  __device__ void publish_counts() {
    if (lane_ == 0) {
      g_.state->num_cells[(round_ + 1) % 2] = num_cells_;
      g_.state->num_tiles[(round_ + 1) % 2] = num_tiles_;
      g_.state->num_jobs = num_jobs_;
    }
  }

  /// From counts to the first number of each kind.
  __device__ void reserve() {
    const std::uint32_t parity = (round_ + 1) % 2;
    std::uint32_t* const counters[] = {&g_.state->num_cells[parity], &g_.state->num_tiles[parity],
                                       &g_.state->num_jobs};
    std::uint32_t* const wanted[] = {&num_cells_, &num_tiles_, &num_jobs_};
    std::uint32_t first = 0;
#pragma unroll
    for (unsigned kind = 0; kind < 3; ++kind) {
      if (lane_ == kind && *wanted[kind] != 0) {
        first = atomicAdd(counters[kind], *wanted[kind]);
      }
    }
#pragma unroll
    for (unsigned kind = 0; kind < 3; ++kind) {
      *wanted[kind] = __shfl_sync(all_lanes, first, static_cast<int>(kind));
    }
  }

  /// A job of the bins from one on.
  /// @param up_to_last  the filled bins that do not lie behind the job
  __device__ void add_small(unsigned first, std::uint64_t up_to_last) {
    const auto last = 63U - static_cast<unsigned>(__clzll(static_cast<long long>(up_to_last)));
    const int differing_bits = 32 - __clz(static_cast<int>(first ^ last));
    const point_id start = starts_[first];
    add_job({start, starts_[last + 1] - start, 2 * (g_.max_depth - level_ - step_) + differing_bits,
             (round_ + 1) % 2});
  }

  __device__ void add_job(const finish_job& job) {
    if (!is_counting_ && lane_ == 0) {
      g_.jobs[num_jobs_] = job;
    }
    ++num_jobs_;
  }

  __device__ void add_large(point_id start, point_id count) {
    constexpr point_id tile = growth_shape::tile;
    const point_id num_tiles = (count - 1) / tile + 1;
    if (level_ + step_ == g_.max_depth) {  // nothing tells these points apart: they are in order
      for (point_id t = 0; t < num_tiles; ++t) {
        add_job({start + t * tile, min(count - t * tile, tile), 0, (round_ + 1) % 2});
      }
      return;
    }
    if (!is_counting_) {
      const std::uint32_t parity = (round_ + 1) % 2;
      large_cell& cell = g_.cells[parity][num_cells_];
      if (lane_ == 0) {
        cell.first = start;
        cell.count = count;
        cell.first_tile = num_tiles_;
        cell.level = level_ + step_;
      }
      for (unsigned b = lane_; b < growth_shape::bins; b += 32) {
        cell.bins[b] = 0;
      }
      for (point_id t = lane_; t < num_tiles; t += 32) {
        g_.tile_cells[parity][num_tiles_ + t] = num_cells_;
      }
    }
    ++num_cells_;
    num_tiles_ += num_tiles;
  }

  const growth<Key>& g_;
  std::uint32_t round_;
  point_id* starts_;
  unsigned lane_;
  int level_ = 0;
  int step_ = 0;
  std::uint64_t filled_ = 0;  ///< a bit for each bin that has points
  std::uint64_t large_ = 0;   ///< more than a block holds
  bool is_counting_ = false;
  std::uint32_t num_cells_ = 0;  ///< how many; when they are written, the number of the next
  std::uint32_t num_tiles_ = 0;
  std::uint32_t num_jobs_ = 0;
};

}  // namespace tendril::cuda
