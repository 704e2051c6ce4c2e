#pragma once

#include "cuda/grow/launch.cuh"

namespace tendril::cuda {

/// Points of a bin in the tiles of a cell up to and including one, as its block makes them known:
/// a count of its own tile first, of all of them when it has heard from the tiles before.
struct passed_count {
  static constexpr std::uint64_t own = std::uint64_t{1} << 62;
  static constexpr std::uint64_t all = std::uint64_t{2} << 62;
  static constexpr std::uint64_t mask = own - 1;
};

/// How many points of a bin the tiles of the cell before this one have.
[[nodiscard]] __device__ inline std::uint32_t count_before(std::uint64_t* passed,
                                                           std::uint32_t first_tile, unsigned bin,
                                                           std::uint32_t own) {
  const auto word = [&](std::uint32_t tile) -> volatile std::uint64_t& {
    return passed[std::size_t{tile} * growth_shape::bins + bin];
  };
  if (blockIdx.x == first_tile) {
    word(blockIdx.x) = passed_count::all | own;
    return 0;
  }
  word(blockIdx.x) = passed_count::own | own;
  std::uint64_t before = 0;
  for (std::uint32_t tile = blockIdx.x; tile > first_tile;) {
    const std::uint64_t seen = word(tile - 1);
    if (seen == 0) {
      continue;  // blocks start in order, so that one is at work
    }
    before += seen & passed_count::mask;
    if ((seen & passed_count::all) != 0) {
      break;
    }
    --tile;
  }
  word(blockIdx.x) = passed_count::all | (before + own);
  return static_cast<std::uint32_t>(before);
}

/// What a thread holds of its tile: eight points, 32 apart, and each one's rank among its warp's
/// points of the same bin.
template <class Key>
struct held_points {
  Key keys[growth_shape::per_thread];
  point_id rows[growth_shape::per_thread];
  std::uint32_t ranks[growth_shape::per_thread];

  /// Place in the tile of point k.
  [[nodiscard]] static __device__ unsigned place(unsigned k) {
    return threadIdx.x / 32 * (32 * growth_shape::per_thread) + threadIdx.x % 32 + k * 32;
  }
};

/// Ranks a warp's 256 points among their bins, 32 at a time. @pre counts are zero
template <class Key>
__device__ void rank_points(const growth<Key>& g, const cell_tile& tile, held_points<Key>& held,
                            std::uint32_t* counts) {
  constexpr unsigned all_lanes = 0xFFFFFFFF;
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned k = 0; k < growth_shape::per_thread; ++k) {
    const bool is_there = held.place(k) < tile.count;
    const unsigned bin = g.bin_of(held.keys[k], tile.level);
    const unsigned peers = __match_any_sync(all_lanes, is_there ? bin : growth_shape::bins);
    const int leader = __ffs(static_cast<int>(peers)) - 1;
    std::uint32_t base = 0;
    if (static_cast<int>(lane) == leader && is_there) {
      base = counts[bin];
      counts[bin] = base + __popc(peers);
    }
    held.ranks[k] = __shfl_sync(all_lanes, base, leader) + __popc(peers & ((1U << lane) - 1));
    __syncwarp();
  }
}

/// Finds where each warp's points of a bin begin in the tile, and the tile's in the buffer.
/// @param bin_starts  where the cell's points of each bin begin in the buffer
template <class Key>
__device__ void place_bins(const growth<Key>& g, const cell_tile& tile, const point_id* bin_starts,
                           part_storage<Key>& shared) {
  const unsigned bin = threadIdx.x;
  if (bin < growth_shape::bins) {
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned w = 0; w < growth_shape::warps; ++w) {
      const std::uint32_t here = shared.counts[w][bin];
      shared.counts[w][bin] = sum;
      sum += here;
    }
    shared.totals[bin] = sum;
  }
  __syncthreads();
  if (bin < growth_shape::bins) {
    std::uint32_t start = 0;
    for (unsigned b = 0; b < bin; ++b) {
      start += shared.totals[b];
    }
    shared.starts[bin] = start;
    const std::uint32_t before = count_before(g.passed, tile.first_tile, bin, shared.totals[bin]);
    shared.shift[bin] = bin_starts[bin] + before - start;
  }
  __syncthreads();
}

/// A block moves a tile of a large cell, in order. The tile is put in order in shared memory first,
/// so that what goes to one bin is written as one run. The last block to be done launches what
/// comes after the round.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads)
    part_kernel(growth<Key> g, std::uint32_t round) {
  constexpr unsigned per_thread = growth_shape::per_thread;
  constexpr unsigned bins = growth_shape::bins;
  extern __shared__ __align__(16) unsigned char memory[];
  auto& shared = *reinterpret_cast<part_storage<Key>*>(memory);
  const cell_tile tile = tile_of(g, round);
  const keyed_rows<Key> from = g.buffers[round % 2];
  const keyed_rows<Key> to = g.buffers[(round + 1) % 2];
  const unsigned warp = threadIdx.x / 32;

  // 1. Ranks within the warp, then places.
  for (unsigned i = threadIdx.x; i < growth_shape::warps * bins; i += growth_shape::threads) {
    shared.counts[i / bins][i % bins] = 0;
  }
  __syncthreads();
  held_points<Key> held;
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const unsigned i = held.place(k);
    held.keys[k] = i < tile.count ? from.keys[tile.first + i] : Key{0};
    held.rows[k] = i < tile.count ? from.rows[tile.first + i] : 0;
  }
  rank_points(g, tile, held, shared.counts[warp]);
  __syncthreads();
  place_bins(g, tile, g.cells[round % 2][tile.cell].bins, shared);

  // 2. The tile in order, then out.
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    if (held.place(k) < tile.count) {
      const unsigned bin = g.bin_of(held.keys[k], tile.level);
      const std::uint32_t at = shared.starts[bin] + shared.counts[warp][bin] + held.ranks[k];
      shared.keys[at] = held.keys[k];
      shared.rows[at] = held.rows[k];
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < tile.count; i += growth_shape::threads) {
    const Key key = shared.keys[i];
    const std::uint32_t at = i + shared.shift[g.bin_of(key, tile.level)];
    to.keys[at] = key;
    to.rows[at] = shared.rows[i];
  }

  // 3. What comes next.
  if (is_last_block(g) && threadIdx.x == 0) {
    launch_after_round(g, round);
  }
}

}  // namespace tendril::cuda
