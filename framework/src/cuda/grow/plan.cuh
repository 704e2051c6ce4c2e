#pragma once

#include "cuda/grow/growth.cuh"

namespace tendril::cuda {

/// Shared memory for the warps that plan.
struct plan_storage {
  point_id starts[growth_shape::warps][growth_shape::bins + 1];
};

/// A warp decides what becomes of a large cell's descendants: a large one is a cell of the next
/// round, small ones that lie side by side are jobs. A lane has a bin of each half.
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
    find_jobs();
    reserve();
    write_jobs();
    for (std::uint64_t left = large_; left != 0; left &= left - 1) {
      const unsigned bin = static_cast<unsigned>(__ffsll(static_cast<long long>(left))) - 1;
      add_large(starts_[bin], starts_[bin + 1] - starts_[bin]);
    }
    __syncwarp();
  }

 private:
  static constexpr unsigned all_lanes = 0xFFFFFFFF;
  static constexpr unsigned halves = growth_shape::bins / 32;
  static_assert(halves == 2);

  [[nodiscard]] static __device__ point_id tiles_of(point_id count) {
    return (count - 1) / growth_shape::tile + 1;
  }
  [[nodiscard]] static __device__ std::uint64_t bins_below(unsigned bin) {
    return bin == growth_shape::bins ? ~std::uint64_t{0} : (std::uint64_t{1} << bin) - 1;
  }
  /// Nothing tells the points of a descendant apart.
  [[nodiscard]] __device__ bool is_bottom() const { return level_ + step_ == g_.max_depth; }

  /// Turns the descendants' counts into where their points begin.
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

  /// Finds the bins with which jobs begin. A job takes as many as fit.
  __device__ void find_jobs() {
    const std::uint64_t small = filled_ & ~large_;
    bool takes_more = false;
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const unsigned bin = half * 32 + lane_;
      const std::uint64_t large_after = large_ & ~bins_below(bin + 1);
      const unsigned most =
          large_after == 0
              ? growth_shape::bins
              : static_cast<unsigned>(__ffsll(static_cast<long long>(large_after))) - 1;
      unsigned end = bin + 1;
#pragma unroll
      for (unsigned more = growth_shape::bins / 2; more != 0; more /= 2) {
        if (end + more <= most && starts_[end + more] - starts_[bin] <= g_.merged_points) {
          end += more;
        }
      }
      job_end_[half] = end;
      takes_more |=
          (small >> bin & 1) != 0 && (small & bins_below(end) & ~bins_below(bin + 1)) != 0;
    }
    begins_ = small;
    if (!__any_sync(all_lanes, takes_more)) {
      return;
    }
    begins_ = 0;
    for (std::uint64_t left = small; left != 0;) {
      const unsigned bin = static_cast<unsigned>(__ffsll(static_cast<long long>(left))) - 1;
      begins_ |= std::uint64_t{1} << bin;
      const unsigned ends[halves] = {
          __shfl_sync(all_lanes, job_end_[0], static_cast<int>(bin % 32)),
          __shfl_sync(all_lanes, job_end_[1], static_cast<int>(bin % 32))};
      left &= ~bins_below(bin < 32 ? ends[0] : ends[1]);
    }
  }

  /// Takes numbers for all that is to be written: one atomic of each kind.
  __device__ void reserve() {
    point_id tiles = 0;
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const unsigned bin = half * 32 + lane_;
      tiles += (large_ >> bin & 1) != 0 ? tiles_of(starts_[bin + 1] - starts_[bin]) : 0;
    }
    tiles = __reduce_add_sync(all_lanes, tiles);
    const auto jobs = static_cast<std::uint32_t>(__popcll(begins_));
    const auto cells = static_cast<std::uint32_t>(__popcll(large_));
    const std::uint32_t parity = (round_ + 1) % 2;
    std::uint32_t first = 0;
    if (lane_ == 0) {
      first = atomicAdd(&g_.state->num_jobs, jobs + (is_bottom() ? tiles : 0));
    } else if (lane_ == 1 && cells != 0 && !is_bottom()) {
      first = atomicAdd(&g_.state->num_cells[parity], cells);
    } else if (lane_ == 2 && cells != 0 && !is_bottom()) {
      first = atomicAdd(&g_.state->num_tiles[parity], tiles);
    }
    num_jobs_ = __shfl_sync(all_lanes, first, 0);
    num_cells_ = __shfl_sync(all_lanes, first, 1);
    num_tiles_ = __shfl_sync(all_lanes, first, 2);
  }

  /// A lane writes the jobs that begin with its bins.
  __device__ void write_jobs() {
#pragma unroll
    for (unsigned half = 0; half < halves; ++half) {
      const unsigned bin = half * 32 + lane_;
      if ((begins_ >> bin & 1) != 0) {
        const std::uint64_t up_to_last = filled_ & bins_below(job_end_[half]);
        const auto last = 63U - static_cast<unsigned>(__clzll(static_cast<long long>(up_to_last)));
        const int differing_bits = 32 - __clz(static_cast<int>(bin ^ last));
        g_.jobs[num_jobs_ + __popcll(begins_ & bins_below(bin))] = {
            starts_[bin], starts_[last + 1] - starts_[bin],
            2 * (g_.max_depth - level_ - step_) + differing_bits, (round_ + 1) % 2};
      }
    }
    num_jobs_ += static_cast<std::uint32_t>(__popcll(begins_));
  }

  __device__ void add_large(point_id start, point_id count) {
    constexpr point_id tile = growth_shape::tile;
    const point_id num_tiles = tiles_of(count);
    const std::uint32_t parity = (round_ + 1) % 2;
    if (is_bottom()) {  // in order already
      for (point_id t = lane_; t < num_tiles; t += 32) {
        g_.jobs[num_jobs_ + t] = {start + t * tile, min(count - t * tile, tile), 0, parity};
      }
      num_jobs_ += num_tiles;
      return;
    }
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
    ++num_cells_;
    num_tiles_ += num_tiles;
  }

  const growth<Key>& g_;
  std::uint32_t round_;
  point_id* starts_;
  unsigned lane_;
  int level_ = 0;
  int step_ = 0;
  std::uint64_t filled_ = 0;       ///< a bit for each bin that has points
  std::uint64_t large_ = 0;        ///< more than a block holds
  std::uint64_t begins_ = 0;       ///< with which a job begins
  unsigned job_end_[halves] = {};  ///< the bin after a job that begins with the lane's
  std::uint32_t num_cells_ = 0;    ///< the number of the next
  std::uint32_t num_tiles_ = 0;
  std::uint32_t num_jobs_ = 0;
};

}  // namespace tendril::cuda
