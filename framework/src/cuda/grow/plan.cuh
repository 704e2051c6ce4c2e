#pragma once

#include "cuda/grow/growth.cuh"

namespace tendril::cuda {

/// Shared memory for the warps that plan.
struct plan_storage {
  point_id counts[growth_shape::warps][growth_shape::bins];
};

/// A warp decides what becomes of a large cell's descendants: a large one is a cell of the next
/// round, small ones that lie side by side are jobs. All lanes take the same way. It goes over them
/// twice, to count, so that one atomic of each kind is enough, then to write; the root's once,
/// since nobody else counts.
template <class Key>
class cell_plan {
 public:
  __device__ cell_plan(const growth<Key>& g, std::uint32_t round, point_id* counts)
      : g_(g), round_(round), counts_(counts), lane_(threadIdx.x % 32) {}

  __device__ void run(large_cell& cell, int level, point_id first) {
    level_ = level;
    step_ = g_.step_from(level);
    for (unsigned b = lane_; b < growth_shape::bins; b += 32) {
      counts_[b] = __ldcg(&cell.bins[b]);
    }
    __syncwarp();
    num_cells_ = num_tiles_ = num_jobs_ = 0;
    if (round_ == 0) {
      go_over(cell, first);
      publish_counts();
      return;
    }
    is_counting_ = true;
    go_over(cell, first);
    reserve();
    is_counting_ = false;
    go_over(cell, first);
    __syncwarp();
  }

 private:
  __device__ void go_over(large_cell& cell, point_id start) {
    point_id next_count = counts_[0];
    for (unsigned bin = 0; bin < (1U << (2 * step_)); ++bin) {
      const point_id count = next_count;
      next_count = counts_[(bin + 1) % growth_shape::bins];  // ahead of its use
      if (!is_counting_ && lane_ == bin % 32) {
        cell.bins[bin] = start;
      }
      if (count > growth_shape::tile) {
        flush();
        add_large(start, count);
      } else if (count > 0) {
        add_small(start, count, bin);
      }
      start += count;
    }
    flush();
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
      *wanted[kind] = __shfl_sync(0xFFFFFFFF, first, static_cast<int>(kind));
    }
  }

  __device__ void add_small(point_id start, point_id count, unsigned bin) {
    if (job_.count + count > g_.merged_points) {
      flush();
    }
    if (job_.count == 0) {
      job_.first = start;
      first_bin_ = bin;
    }
    job_.count += count;
    last_bin_ = bin;
  }

  /// Publishes the small cells gathered so far as a job.
  __device__ void flush() {
    if (job_.count == 0) {
      return;
    }
    const int differing_bits = 32 - __clz(static_cast<int>(first_bin_ ^ last_bin_));
    job_.bits = 2 * (g_.max_depth - level_ - step_) + differing_bits;
    add_job();
    job_.count = 0;
  }

  __device__ void add_job() {
    job_.buffer = (round_ + 1) % 2;
    if (!is_counting_ && lane_ == 0) {
      g_.jobs[num_jobs_] = job_;
    }
    ++num_jobs_;
  }

  __device__ void add_large(point_id start, point_id count) {
    constexpr point_id tile = growth_shape::tile;
    const point_id num_tiles = (count - 1) / tile + 1;
    if (level_ + step_ == g_.max_depth) {  // nothing tells these points apart: they are in order
      for (point_id t = 0; t < num_tiles; ++t) {
        job_ = {start + t * tile, min(count - t * tile, tile), 0, 0};
        add_job();
      }
      job_.count = 0;
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
  point_id* counts_;
  unsigned lane_;
  int level_ = 0;
  int step_ = 0;
  bool is_counting_ = false;
  std::uint32_t num_cells_ = 0;  ///< how many; when they are written, the number of the next
  std::uint32_t num_tiles_ = 0;
  std::uint32_t num_jobs_ = 0;
  finish_job job_{};
  unsigned first_bin_ = 0;
  unsigned last_bin_ = 0;
};

}  // namespace tendril::cuda
