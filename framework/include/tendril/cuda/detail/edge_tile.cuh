#pragma once

#include "tendril/cuda/detail/kernel_types.cuh"

// The edges that leave a frontier, counted over its entries, cut into tiles of exactly Items edges
// per thread, whatever the degrees.

namespace tendril::cuda {

/// One tile: edges first_edge .. last_edge() of the level. Thread t has edges t, t + threads, ..
template <unsigned Items, class Position>
struct edge_tile {
  static constexpr unsigned capacity = Items * kernel_shape::threads;

  __device__ edge_tile(std::uint64_t number, std::uint64_t level_edges)
      : first_edge(static_cast<Position>(number * capacity)),
        size(static_cast<unsigned>(level_edges - number * capacity < capacity
                                       ? level_edges - number * capacity
                                       : capacity)) {}

  [[nodiscard]] __device__ Position last_edge() const {
    return first_edge + static_cast<Position>(size - 1);
  }
  /// True if the thread has an i-th edge.
  [[nodiscard]] __device__ bool has(unsigned i) const { return place(i) < size; }
  /// Number in the level of the thread's i-th edge.
  [[nodiscard]] __device__ Position edge(unsigned i) const {
    return first_edge + static_cast<Position>(place(i));
  }

  Position first_edge;
  unsigned size;

 private:
  [[nodiscard]] static __device__ unsigned place(unsigned i) {
    return i * kernel_shape::threads + threadIdx.x;
  }
};

/// Calls act(tile) for the tiles of this block, of Items edges per thread.
template <unsigned Items, class Position, class Act>
__device__ void for_each_tile_of(std::uint64_t level_edges, const Act& act) {
  constexpr std::uint64_t capacity = edge_tile<Items, Position>::capacity;
  const std::uint64_t num_tiles = (level_edges + capacity - 1) / capacity;
  for (std::uint64_t number = blockIdx.x; number < num_tiles; number += gridDim.x) {
    act(edge_tile<Items, Position>(number, level_edges));
  }
}

/// The same; levels that one edge per thread of the grid covers take small tiles, so that they
/// reach more multiprocessors.
template <class Position, class Act>
__device__ void for_each_tile(std::uint64_t level_edges, const Act& act) {
  if (level_edges <= std::uint64_t{gridDim.x} * kernel_shape::threads) {
    for_each_tile_of<1, Position>(level_edges, act);
  } else {
    for_each_tile_of<kernel_shape::push_items, Position>(level_edges, act);
  }
}

}  // namespace tendril::cuda
