#pragma once

#include "tendril/cuda/detail/kernel_types.cuh"

// The edges that leave a frontier, counted over its entries, cut into tiles of exactly Items edges
// per thread, whatever the degrees.

namespace tendril::cuda {

/// One tile: edges first_edge .. last_edge() of the level. Thread t has edges t, t + threads, ..
template <unsigned Items, class Position, class Shape>
struct edge_tile {
  static constexpr unsigned capacity = Items * Shape::threads;

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
    return i * Shape::threads + threadIdx.x;
  }
};

/// Tiles of a level, of Items edges per thread.
template <unsigned Items, class Shape>
[[nodiscard]] TENDRIL_HD std::uint64_t num_edge_tiles(std::uint64_t level_edges) {
  return tiles_for(level_edges, Items * Shape::threads);
}

/// Calls act(tile) for the tiles of a share, of Items edges per thread.
template <unsigned Items, class Position, class Shape, class Act>
__device__ void for_each_tile_of(std::uint64_t level_edges, const work_share& share,
                                 const Act& act) {
  const std::uint64_t num_tiles = num_edge_tiles<Items, Shape>(level_edges);
  for (std::uint64_t number = share.index; number < num_tiles; number += share.count) {
    act(edge_tile<Items, Position, Shape>(number, level_edges));
  }
}

/// True if one edge per thread of the device covers a level: it takes small tiles, so that it
/// reaches more multiprocessors.
template <class Shape>
[[nodiscard]] TENDRIL_HD inline bool takes_small_tiles(std::uint64_t level_edges,
                                                       std::uint32_t resident_blocks) {
  return level_edges <= std::uint64_t{resident_blocks} * Shape::threads;
}

/// Tiles of a level, as large as suits it.
template <class Shape>
[[nodiscard]] TENDRIL_HD inline std::uint64_t num_edge_tiles(std::uint64_t level_edges,
                                                             std::uint32_t resident_blocks) {
  return takes_small_tiles<Shape>(level_edges, resident_blocks)
             ? num_edge_tiles<1, Shape>(level_edges)
             : num_edge_tiles<Shape::push_items, Shape>(level_edges);
}

/// Calls act(tile) for such tiles of a share.
template <class Position, class Shape, class Act>
__device__ void for_each_tile(std::uint64_t level_edges, std::uint32_t resident_blocks,
                              const work_share& share, const Act& act) {
  if (takes_small_tiles<Shape>(level_edges, resident_blocks)) {
    for_each_tile_of<1, Position, Shape>(level_edges, share, act);
  } else {
    for_each_tile_of<Shape::push_items, Position, Shape>(level_edges, share, act);
  }
}

}  // namespace tendril::cuda
