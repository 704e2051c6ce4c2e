#pragma once

#include "tendril/cuda/detail/edge_tile.cuh"

// From an edge of a level to its row: the entries of the queue hold how many edges come before
// them, so the row is the last entry whose count is not above the edge's number.

namespace tendril::cuda {

/// The last of `size` non-decreasing values, values[0] = 0, that is not above `wanted`; one warp,
/// 32 probes at a time.
template <class Position>
[[nodiscard]] __device__ std::uint32_t warp_last_not_above(const Position* values,
                                                           std::uint32_t size, Position wanted) {
  std::uint32_t low = 0;
  std::uint32_t high = size;
  while (high - low > 1) {
    const std::uint32_t step = (high - low + 31) / 32;
    const std::uint64_t probe = low + std::uint64_t{step} * lane_id();
    const bool is_below = probe < high && values[probe] <= wanted;
    const auto last = static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, is_below))) - 1;
    low += last * step;
    high = high - low > step ? low + step : high;
  }
  return low;
}

/// As above, one thread, one probe at a time.
template <class Position>
[[nodiscard]] __device__ std::uint32_t last_not_above(const Position* values, std::uint32_t size,
                                                      Position wanted) {
  std::uint32_t low = 0;
  for (std::uint32_t rest = size; rest > 1;) {
    const std::uint32_t half = rest / 2;
    if (values[low + half] <= wanted) {
      low += half;
      rest -= half;
    } else {
      rest = half;
    }
  }
  return low;
}

/// The rows of one tile of edges.
template <class Position, class Shape>
class tile_rows {
 public:
  /// Called by every thread of the block; ends with a barrier of the block.
  /// @param queue       the frontier's entries
  /// @param first_edge  of the tile, in the level; last_edge: its last, inclusive
  __device__ tile_rows(const frontier_queue<Position>& queue, std::uint32_t frontier,
                       Position first_edge, Position last_edge, row_table<Position>& table)
      : table_(table) {
    if (warp_id() < 2) {
      const std::uint32_t bound = warp_last_not_above(queue.edges_before, frontier,
                                                      warp_id() == 0 ? first_edge : last_edge);
      if (lane_id() == 0) {
        table.bounds[warp_id()] = bound;
      }
    }
    __syncthreads();
    const std::uint32_t first = table.bounds[0];
    size_ = table.bounds[1] - first + 1;
    queue_ = queue.from(first);
    if (is_shared()) {
      for (std::uint32_t i = threadIdx.x; i < size_; i += Shape::threads) {
        table.edges_before[i] = queue_.edges_before[i];
        table.shift[i] = queue_.shift[i];
      }
    }
    __syncthreads();
  }

  /// The row of an edge of the tile, for position() and source().
  [[nodiscard]] __device__ std::uint32_t row_of(Position edge_number) const {
    return is_shared() ? last_not_above(table_.edges_before, size_, edge_number)
                       : last_not_above(queue_.edges_before, size_, edge_number);
  }
  [[nodiscard]] __device__ Position position(std::uint32_t row, Position edge_number) const {
    return edge_number + (is_shared() ? table_.shift[row] : queue_.shift[row]);
  }
  /// @pre the queue keeps vertices
  [[nodiscard]] __device__ vertex_id source(std::uint32_t row) const {
    return queue_.vertices[row];
  }

 private:
  [[nodiscard]] __device__ bool is_shared() const { return size_ <= Shape::tile_rows; }

  row_table<Position>& table_;
  frontier_queue<Position> queue_;
  std::uint32_t size_;
};

}  // namespace tendril::cuda
