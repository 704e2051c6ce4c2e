#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "cuda/tree/survey.cuh"

// From points to keys.

namespace tendril::cuda {

namespace {

constexpr unsigned key_threads = 256;
constexpr unsigned points_per_thread = 4;

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
__device__ void add_to(tree_state& state, const seen_points<Real>& seen) {
  if (seen.extent.low.x <= seen.extent.high.x) {
    atomicMax(&state.not_low_x, ~ordered_bits(static_cast<double>(seen.extent.low.x)));
    atomicMax(&state.not_low_y, ~ordered_bits(static_cast<double>(seen.extent.low.y)));
    atomicMax(&state.high_x, ordered_bits(static_cast<double>(seen.extent.high.x)));
    atomicMax(&state.high_y, ordered_bits(static_cast<double>(seen.extent.high.y)));
  }
  atomicMax(&state.not_first_bad, seen.not_first_bad);
  atomicMax(&state.not_first_outside, seen.not_first_outside);
  atomicAdd(&state.num_outside, seen.num_outside);
}

template <coordinate Real>
__global__ void __launch_bounds__(key_threads)
    survey_kernel(points_view<Real> from, given_bounds bounds, tree_state* state) {
  auto seen = seen_points<Real>::none();
  seen.template look<points_per_thread>(from, bounds, blockIdx.x * key_threads + threadIdx.x,
                                        std::uint64_t{gridDim.x} * key_threads);
  seen = seen.template over_block<key_threads>();
  if (threadIdx.x == 0) {
    add_to(*state, seen);
  }
}

template <coordinate Real>
__global__ void mark_outside_kernel(points_view<Real> from, given_bounds bounds,
                                    keyed_rows<std::uint32_t> out) {
  const std::uint64_t row = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < from.num_points()) {
    out.keys[row] = bounds.exclude(from.positions[row]) ? 1 : 0;
    out.rows[row] = static_cast<point_id>(row);
  }
}

/// A thread makes four keys.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(key_threads)
    key_kernel(points_view<Real> from, const point_id* rows, point_id count, given_bounds bounds,
               int max_depth, const tree_state* state, keyed_rows<Key> out) {
  __shared__ cell_grid cells;
  if (threadIdx.x == 0) {
    cells = bounds.grid(bounds_in<Real>(*state));
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

constexpr unsigned few_threads = 1024;
constexpr unsigned cluster_blocks = 8;  // that any device with clusters takes

/// Survey and keys of few points. Each cluster of blocks surveys all of them, so that none has to
/// wait for another, then makes a key a thread. The first block clears the state and tells it.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(few_threads) __cluster_dims__(cluster_blocks, 1, 1)
    few_keys_kernel(points_view<Real> from, given_bounds bounds, int max_depth, tree_state* state,
                    unsigned cleared_words, keyed_rows<Key> out) {
  __shared__ seen_points<Real> by_block;
  __shared__ cell_grid cells;
  cudaTriggerProgrammaticLaunchCompletion();
  const auto cluster = cooperative_groups::this_cluster();
  const std::uint32_t row = blockIdx.x * few_threads + threadIdx.x;
  const point<Real> mine = load_point(from.positions + min(row, from.num_points() - 1));
  if (blockIdx.x == 0) {
    for (unsigned i = threadIdx.x; i < cleared_words; i += few_threads) {
      reinterpret_cast<std::uint32_t*>(state)[i] = 0;
    }
  }
  auto seen = seen_points<Real>::none();
  seen.template look<32 / sizeof(Real)>(
      from, bounds, cluster.block_rank() * few_threads + threadIdx.x, cluster_blocks * few_threads);
  seen = seen.template over_block<few_threads>();
  if (threadIdx.x == 0) {
    by_block = seen;
  }
  cluster.sync();
  if (threadIdx.x < 32) {
    seen = threadIdx.x < cluster_blocks ? *cluster.map_shared_rank(&by_block, threadIdx.x)
                                        : seen_points<Real>::none();
    seen = seen.over_warp();
    if (threadIdx.x == 0) {
      cells = bounds.grid(seen.extent);
      if (blockIdx.x == 0) {
        add_to(*state, seen);
      }
    }
  }
  auto all_have_read = cluster.barrier_arrive();
  __syncthreads();
  if (row < from.num_points()) {
    out.keys[row] = static_cast<Key>(key_at(cells.key(mine), max_depth));
    out.rows[row] = row;
  }
  cluster.barrier_wait(std::move(all_have_read));
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
  return given_bounds(options.bounds).grid(bounds_in<Real>(state));
}

template <coordinate Real>
void survey_points(const points_view<Real>& from, const std::optional<box<double>>& bounds,
                   tree_state* state, cudaStream_t stream) {
  constexpr unsigned most_blocks = 1056;  // more atomics on one word than these cost more
  const unsigned blocks = blocks_for(from.num_points(), key_threads * points_per_thread);
  survey_kernel<<<std::min(blocks, most_blocks), key_threads, 0, stream>>>(
      from, given_bounds(bounds), state);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real, class Key>
void write_few_keys(const points_view<Real>& from, const quadtree_options& options,
                    tree_state* state, std::size_t cleared_bytes, keyed_rows<Key> out,
                    cudaStream_t stream) {
  const unsigned clusters = blocks_for(from.num_points(), few_threads * cluster_blocks);
  few_keys_kernel<<<clusters * cluster_blocks, few_threads, 0, stream>>>(
      from, given_bounds(options.bounds), options.max_depth, state,
      static_cast<unsigned>(cleared_bytes / sizeof(std::uint32_t)), out);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real>
void mark_outside(const points_view<Real>& from, const box<double>& bounds,
                  keyed_rows<std::uint32_t> out, cudaStream_t stream) {
  mark_outside_kernel<<<blocks_for(from.num_points(), key_threads), key_threads, 0, stream>>>(
      from, given_bounds(bounds), out);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real, class Key>
void write_keys(const points_view<Real>& from, const point_id* rows, point_id count,
                const quadtree_options& options, const tree_state* state, keyed_rows<Key> out,
                cudaStream_t stream) {
  key_kernel<<<blocks_for(count, key_threads * points_per_thread), key_threads, 0, stream>>>(
      from, rows, count, given_bounds(options.bounds), options.max_depth, state, out);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

#define TENDRIL_KEYS_OF(Real, Key)                                                             \
  template void write_few_keys(const points_view<Real>&, const quadtree_options&, tree_state*, \
                               std::size_t, keyed_rows<Key>, cudaStream_t);                    \
  template void write_keys(const points_view<Real>&, const point_id*, point_id,                \
                           const quadtree_options&, const tree_state*, keyed_rows<Key>,        \
                           cudaStream_t);
#define TENDRIL_KEYS_FOR(Real)                                                             \
  template build::survey<Real> survey_of(const tree_state&);                               \
  template cell_grid grid_of<Real>(const tree_state&, const quadtree_options&);            \
  template void survey_points(const points_view<Real>&, const std::optional<box<double>>&, \
                              tree_state*, cudaStream_t);                                  \
  template void mark_outside(const points_view<Real>&, const box<double>&,                 \
                             keyed_rows<std::uint32_t>, cudaStream_t);                     \
  TENDRIL_KEYS_OF(Real, std::uint32_t)                                                     \
  TENDRIL_KEYS_OF(Real, std::uint64_t)
TENDRIL_KEYS_FOR(float)
TENDRIL_KEYS_FOR(double)
#undef TENDRIL_KEYS_FOR
#undef TENDRIL_KEYS_OF

}  // namespace tendril::cuda
