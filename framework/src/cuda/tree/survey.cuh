#pragma once

#include <cstring>
#include <optional>

#include "cuda/tree/kernels.cuh"

// What is found out about points before they have keys: the bounding box, and rows that cannot be
// in the tree.

namespace tendril::cuda {

/// Bits of a number that compare as the number does; 0 only for a NaN.
[[nodiscard]] TENDRIL_HD inline std::uint64_t ordered_bits(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

/// The number that has those bits.
[[nodiscard]] TENDRIL_HD inline double number_of(std::uint64_t ordered) {
  const std::uint64_t bits = (ordered >> 63) != 0 ? ordered & ~(std::uint64_t{1} << 63) : ~ordered;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/// Bounds that the caller gave, as kernels are told.
struct given_bounds {
  bool exist;
  box<double> bounds;

  explicit given_bounds(const std::optional<box<double>>& wanted)
      : exist(wanted.has_value()), bounds(wanted.value_or(box<double>{})) {}

  template <coordinate Real>
  [[nodiscard]] __device__ bool exclude(const point<Real>& p) const {
    return exist &&
           !contains(bounds, point<double>{static_cast<double>(p.x), static_cast<double>(p.y)});
  }
  /// The grid over them, or else over the points' own box.
  template <coordinate Real>
  [[nodiscard]] TENDRIL_HD cell_grid grid(const box<Real>& extent) const {
    return exist ? grid_over(bounds) : square_grid_over(extent);
  }
};

/// What a thread, a warp or a block has seen.
template <coordinate Real>
struct seen_points {
  box<Real> extent;
  std::uint32_t not_first_bad;
  std::uint32_t not_first_outside;
  std::uint32_t num_outside;

  [[nodiscard]] static __device__ seen_points none() { return {empty_box<Real>(), 0, 0, 0}; }

  /// Looks at every `step`-th point from `first` on, `AtOnce` at a time.
  template <unsigned AtOnce>
  __device__ void look(const points_view<Real>& from, const given_bounds& bounds,
                       std::uint64_t first, std::uint64_t step) {
    const std::uint64_t end = from.num_points();
    for (; first < end; first += AtOnce * step) {
      point<Real> p[AtOnce];
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        p[k] = load_point(from.positions + min(first + k * step, end - 1));
      }
#pragma unroll
      for (unsigned k = 0; k < AtOnce; ++k) {
        if (first + k * step < end) {
          look_at(p[k], static_cast<std::uint32_t>(first + k * step), bounds);
        }
      }
    }
  }

  /// Over all lanes of the warp.
  [[nodiscard]] __device__ seen_points over_warp() const {
    constexpr unsigned all_lanes = 0xFFFFFFFF;
    return {warp_box(extent), __reduce_max_sync(all_lanes, not_first_bad),
            __reduce_max_sync(all_lanes, not_first_outside),
            __reduce_add_sync(all_lanes, num_outside)};
  }

  /// Over the block, in its first warp.
  template <unsigned Threads>
  [[nodiscard]] __device__ seen_points over_block() const {
    __shared__ seen_points by_warp[Threads / 32];
    const seen_points here = over_warp();
    if (threadIdx.x % 32 == 0) {
      by_warp[threadIdx.x / 32] = here;
    }
    __syncthreads();
    return (threadIdx.x < Threads / 32 ? by_warp[threadIdx.x] : none()).over_warp();
  }

 private:
  __device__ void look_at(const point<Real>& p, std::uint32_t row, const given_bounds& bounds) {
    if (!isfinite(p.x) || !isfinite(p.y)) {
      not_first_bad = max(not_first_bad, ~row);
    } else if (bounds.exclude(p)) {
      not_first_outside = max(not_first_outside, ~row);
      ++num_outside;
    } else {
      extend(extent, p);
    }
  }
};

}  // namespace tendril::cuda
