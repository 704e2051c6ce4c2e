#include <algorithm>

#include "cuda/tree/kernels.cuh"

// From points to keys.

namespace tendril::cuda {

namespace {

constexpr unsigned key_threads = 256;
constexpr unsigned points_per_thread = 4;

/// Bits of a number that compare as the number does; 0 only for a NaN.
TENDRIL_HD std::uint64_t ordered_bits(double x) {
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
TENDRIL_HD double number_of(std::uint64_t ordered) {
  const std::uint64_t bits = (ordered >> 63) != 0 ? ordered & ~(std::uint64_t{1} << 63) : ~ordered;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

template <coordinate Real>
TENDRIL_HD box<Real> bounds_in(const tree_state& state) {
  if (state.high_x == 0) {
    return empty_box<Real>();
  }
  return {{static_cast<Real>(number_of(~state.not_low_x)),
           static_cast<Real>(number_of(~state.not_low_y))},
          {static_cast<Real>(number_of(state.high_x)), static_cast<Real>(number_of(state.high_y))}};
}

template <coordinate Real>
TENDRIL_HD cell_grid grid_in(const tree_state& state, bool has_bounds, const box<double>& bounds) {
  return has_bounds ? grid_over(bounds) : square_grid_over(bounds_in<Real>(state));
}

template <coordinate Real>
__device__ bool is_outside(const box<double>& bounds, const point<Real>& p) {
  return !contains(bounds, point<double>{static_cast<double>(p.x), static_cast<double>(p.y)});
}

/// What a thread, then a block, has seen.
struct block_survey {
  unsigned long long not_low_x, not_low_y, high_x, high_y;
  std::uint32_t not_first_bad, not_first_outside, num_outside;
};

/// A thread looks at four points at a time; blocks add up in shared memory, then in the state.
template <coordinate Real>
__global__ void __launch_bounds__(key_threads)
    survey_kernel(points_view<Real> from, bool has_bounds, box<double> bounds, tree_state* state) {
  __shared__ block_survey seen;
  if (threadIdx.x == 0) {
    seen = {};
  }
  __syncthreads();
  box<Real> extent = empty_box<Real>();
  std::uint32_t not_first_bad = 0;
  std::uint32_t not_first_outside = 0;
  std::uint32_t num_outside = 0;
  constexpr std::uint64_t per_block = key_threads * points_per_thread;
  const std::uint64_t num_points = from.num_points();
  for (std::uint64_t base = blockIdx.x * per_block + threadIdx.x; base < num_points;
       base += gridDim.x * per_block) {
    point<Real> p[points_per_thread];
#pragma unroll
    for (unsigned k = 0; k < points_per_thread; ++k) {
      p[k] = load_point(from.positions + min(base + k * key_threads, num_points - 1));
    }
#pragma unroll
    for (unsigned k = 0; k < points_per_thread; ++k) {
      const std::uint64_t row = base + k * key_threads;
      if (row >= num_points) {
        continue;
      }
      if (!isfinite(p[k].x) || !isfinite(p[k].y)) {
        not_first_bad = max(not_first_bad, ~static_cast<std::uint32_t>(row));
      } else if (has_bounds && is_outside(bounds, p[k])) {
        not_first_outside = max(not_first_outside, ~static_cast<std::uint32_t>(row));
        ++num_outside;
      } else {
        extend(extent, p[k]);
      }
    }
  }
  extent = warp_box(extent);
  if (threadIdx.x % 32 == 0 && extent.low.x <= extent.high.x) {
    atomicMax(&seen.not_low_x, ~ordered_bits(static_cast<double>(extent.low.x)));
    atomicMax(&seen.not_low_y, ~ordered_bits(static_cast<double>(extent.low.y)));
    atomicMax(&seen.high_x, ordered_bits(static_cast<double>(extent.high.x)));
    atomicMax(&seen.high_y, ordered_bits(static_cast<double>(extent.high.y)));
  }
  if (not_first_bad != 0) {
    atomicMax(&seen.not_first_bad, not_first_bad);
  }
  if (num_outside != 0) {
    atomicMax(&seen.not_first_outside, not_first_outside);
    atomicAdd(&seen.num_outside, num_outside);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMax(&state->not_low_x, seen.not_low_x);
    atomicMax(&state->not_low_y, seen.not_low_y);
    atomicMax(&state->high_x, seen.high_x);
    atomicMax(&state->high_y, seen.high_y);
    atomicMax(&state->not_first_bad, seen.not_first_bad);
    atomicMax(&state->not_first_outside, seen.not_first_outside);
    atomicAdd(&state->num_outside, seen.num_outside);
  }
}

template <coordinate Real>
__global__ void mark_outside_kernel(points_view<Real> from, box<double> bounds,
                                    keyed_rows<std::uint32_t> out) {
  const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < from.num_points()) {
    out.keys[row] = is_outside(bounds, from.positions[row]) ? 1 : 0;
    out.rows[row] = static_cast<point_id>(row);
  }
}

/// A thread makes four keys.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(key_threads)
    key_kernel(points_view<Real> from, const point_id* rows, point_id count, bool has_bounds,
               box<double> bounds, int max_depth, const tree_state* state, keyed_rows<Key> out) {
  __shared__ cell_grid cells;
  if (threadIdx.x == 0) {
    cells = grid_in<Real>(*state, has_bounds, bounds);
  }
  __syncthreads();
  const cell_grid grid = cells;
  const std::uint64_t base =
      static_cast<std::uint64_t>(blockIdx.x) * (key_threads * points_per_thread) + threadIdx.x;
  point_id row[points_per_thread];
  point<Real> p[points_per_thread];
#pragma unroll
  for (unsigned k = 0; k < points_per_thread; ++k) {
    const std::uint64_t i = min(base + k * key_threads, std::uint64_t{count} - 1);
    row[k] = rows != nullptr ? rows[i] : static_cast<point_id>(i);
    p[k] = load_point(from.positions + row[k]);
  }
#pragma unroll
  for (unsigned k = 0; k < points_per_thread; ++k) {
    const std::uint64_t i = base + k * key_threads;
    if (i < count) {
      out.keys[i] = static_cast<Key>(key_at(grid.key(p[k]), max_depth));
      out.rows[i] = row[k];
    }
  }
}

[[nodiscard]] unsigned blocks_for(std::uint64_t size, std::uint64_t per_block) {
  return static_cast<unsigned>((size + per_block - 1) / per_block);
}

}  // namespace

template <coordinate Real>
build::survey<Real> survey_of(const tree_state& state) {
  return {bounds_in<Real>(state), state.not_first_bad != 0 ? ~state.not_first_bad : no_point,
          state.not_first_outside != 0 ? ~state.not_first_outside : no_point, state.num_outside};
}

template <coordinate Real>
cell_grid grid_of(const tree_state& state, const quadtree_options& options) {
  return grid_in<Real>(state, options.bounds.has_value(), options.bounds.value_or(box<double>{}));
}

template <coordinate Real>
void survey_points(const points_view<Real>& from, const std::optional<box<double>>& bounds,
                   tree_state* state, cudaStream_t stream) {
  constexpr unsigned most_blocks = 1056;  // more atomics on one word than these cost more
  const unsigned blocks = blocks_for(from.num_points(), key_threads * points_per_thread);
  survey_kernel<<<std::min(blocks, most_blocks), key_threads, 0, stream>>>(
      from, bounds.has_value(), bounds.value_or(box<double>{}), state);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real>
void mark_outside(const points_view<Real>& from, const box<double>& bounds,
                  keyed_rows<std::uint32_t> out, cudaStream_t stream) {
  mark_outside_kernel<<<blocks_for(from.num_points(), key_threads), key_threads, 0, stream>>>(
      from, bounds, out);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real, class Key>
void write_keys(const points_view<Real>& from, const point_id* rows, point_id count,
                const quadtree_options& options, const tree_state* state, keyed_rows<Key> out,
                cudaStream_t stream) {
  key_kernel<<<blocks_for(count, key_threads * points_per_thread), key_threads, 0, stream>>>(
      from, rows, count, options.bounds.has_value(), options.bounds.value_or(box<double>{}),
      options.max_depth, state, out);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

#define TENDRIL_KEYS_FOR(Real)                                                                    \
  template build::survey<Real> survey_of(const tree_state&);                                      \
  template cell_grid grid_of<Real>(const tree_state&, const quadtree_options&);                   \
  template void survey_points(const points_view<Real>&, const std::optional<box<double>>&,        \
                              tree_state*, cudaStream_t);                                         \
  template void mark_outside(const points_view<Real>&, const box<double>&,                        \
                             keyed_rows<std::uint32_t>, cudaStream_t);                            \
  template void write_keys(const points_view<Real>&, const point_id*, point_id,                   \
                           const quadtree_options&, const tree_state*, keyed_rows<std::uint32_t>, \
                           cudaStream_t);                                                         \
  template void write_keys(const points_view<Real>&, const point_id*, point_id,                   \
                           const quadtree_options&, const tree_state*, keyed_rows<std::uint64_t>, \
                           cudaStream_t);
TENDRIL_KEYS_FOR(float)
TENDRIL_KEYS_FOR(double)
#undef TENDRIL_KEYS_FOR

}  // namespace tendril::cuda
