#pragma once

#include "cuda/grow/growth.cuh"

namespace tendril::cuda {

/// Dynamic shared memory of part_kernel.
template <class Key>
struct part_storage {
  std::uint32_t counts[growth_shape::warps][growth_shape::bins];
  std::uint32_t totals[growth_shape::bins];  ///< of the tile, by bin
  std::uint32_t starts[growth_shape::bins];  ///< in the tile, by bin
  std::uint32_t shift[growth_shape::bins];   ///< from a place in the tile to one in the buffer
  Key keys[growth_shape::tile];
  point_id rows[growth_shape::tile];
};

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
  constexpr std::uint32_t at_once = 4;  // words asked for together
  std::uint64_t before = 0;
  for (std::uint32_t tile = blockIdx.x; tile > first_tile;) {
    std::uint64_t seen[at_once];
#pragma unroll
    for (std::uint32_t k = 0; k < at_once; ++k) {
      seen[k] = word(max(tile - 1, first_tile + k) - k);
    }
#pragma unroll
    for (std::uint32_t k = 0; k < at_once; ++k) {
      // None yet: blocks start in order, so that one is at work.
      if (tile == first_tile || seen[k] == 0) {
        break;
      }
      before += seen[k] & passed_count::mask;
      tile = (seen[k] & passed_count::all) != 0 ? first_tile : tile - 1;
    }
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

/// The sum of what the bins before one have. All of them are read: the loads need not wait.
[[nodiscard]] __device__ inline std::uint32_t sum_before(const std::uint32_t* by_bin,
                                                         unsigned bin) {
  std::uint32_t sum = 0;
#pragma unroll 8
  for (unsigned b = 0; b < growth_shape::bins; ++b) {
    sum += b < bin ? by_bin[b] : 0;
  }
  return sum;
}

/// Loads a tile and ranks each point among its warp's points of the same bin. The counts become
/// where the warp's points of a bin begin among those of the tile, the totals those of the tile.
template <class Key>
__device__ void rank_tile(const growth<Key>& g, const cell_tile& tile, keyed_rows<Key> from,
                          held_points<Key>& held, part_storage<Key>& shared) {
  constexpr unsigned bins = growth_shape::bins;
  for (unsigned i = threadIdx.x; i < growth_shape::warps * bins; i += growth_shape::threads) {
    shared.counts[i / bins][i % bins] = 0;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < growth_shape::per_thread; ++k) {
    const unsigned i = held.place(k);
    held.keys[k] = i < tile.count ? from.keys[tile.first + i] : Key{0};
    held.rows[k] = i < tile.count ? from.rows[tile.first + i] : 0;
  }
  rank_points(g, tile, held, shared.counts[threadIdx.x / 32]);
  __syncthreads();
  const unsigned bin = threadIdx.x;
  if (bin < bins) {
    constexpr unsigned at_once = 8;  // loads before the first store
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned first = 0; first < growth_shape::warps; first += at_once) {
      std::uint32_t here[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        here[k] = shared.counts[first + k][bin];
      }
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        shared.counts[first + k][bin] = sum;
        sum += here[k];
      }
    }
    shared.totals[bin] = sum;
  }
  __syncthreads();
}

/// Puts the tile in order in shared memory, so that what goes to one bin can be written as one run.
template <class Key>
__device__ void order_tile(const growth<Key>& g, const cell_tile& tile,
                           const held_points<Key>& held, part_storage<Key>& shared) {
#pragma unroll
  for (unsigned k = 0; k < growth_shape::per_thread; ++k) {
    if (held.place(k) < tile.count) {
      const unsigned bin = g.bin_of(held.keys[k], tile.level);
      const std::uint32_t at =
          shared.starts[bin] + shared.counts[threadIdx.x / 32][bin] + held.ranks[k];
      shared.keys[at] = held.keys[k];
      shared.rows[at] = held.rows[k];
    }
  }
  __syncthreads();
}

template <class Key>
__device__ void write_tile(const growth<Key>& g, const cell_tile& tile,
                           const part_storage<Key>& shared, keyed_rows<Key> to) {
  for (unsigned i = threadIdx.x; i < tile.count; i += growth_shape::threads) {
    const Key key = shared.keys[i];
    const std::uint32_t at = i + shared.shift[g.bin_of(key, tile.level)];
    to.keys[at] = key;
    to.rows[at] = shared.rows[i];
  }
}

/// A block moves a tile of a large cell, in order.
template <class Key>
__global__ void __launch_bounds__(growth_shape::threads)
    part_kernel(growth<Key> g, std::uint32_t round) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto& shared = *reinterpret_cast<part_storage<Key>*>(memory);
  const cell_tile tile = tile_of(g, round);
  held_points<Key> held;
  rank_tile(g, tile, g.buffers[round % 2], held, shared);
  const unsigned bin = threadIdx.x;
  if (bin < growth_shape::bins) {
    const std::uint32_t start = sum_before(shared.totals, bin);
    const std::uint32_t before = count_before(g.passed, tile.first_tile, bin, shared.totals[bin]);
    shared.starts[bin] = start;
    shared.shift[bin] = g.cells[round % 2][tile.cell].bins[bin] + before - start;
  }
  __syncthreads();
  order_tile(g, tile, held, shared);
  write_tile(g, tile, shared, g.buffers[(round + 1) % 2]);
}

}  // namespace tendril::cuda
