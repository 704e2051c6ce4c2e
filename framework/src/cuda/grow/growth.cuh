#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/tree/key_sorter.hpp"

// Growing a tree from the top: what the kernels share.
//   part_kernel     moves the points of large cells to where their descendants lie (a child grid)
//   count_kernel    counts the points of those descendants; its last block decides what becomes of
//                   them and launches what comes next
//   root_kernel     does both for the root of few points, in one cluster of blocks
//   finish_kernel   sorts the points of small cells, each subtree in one block
// Points move between two buffers, a round of parting turns one into the other. Every move keeps
// equal keys in order.

namespace tendril::cuda {

struct growth_shape {
  static constexpr unsigned threads = 1024;  ///< child grids get one block per multiprocessor
  static constexpr unsigned per_thread = 8;
  static constexpr unsigned tile = threads * per_thread;  ///< points of a block
  static constexpr unsigned warps = threads / 32;
  static constexpr unsigned bins = 64;  ///< most descendants of a cell: three levels
  static constexpr unsigned least_job = 256;
  static constexpr unsigned root_blocks = 16;  ///< of root_kernel: the largest cluster there is
  static constexpr unsigned most_root_points = root_blocks * tile;
};

/// A cell with more points than a block holds.
struct large_cell {
  point_id first;
  point_id count;
  std::uint32_t first_tile;
  std::int32_t level;
  /// Points of each descendant; once the round is planned, where the first of them goes.
  point_id bins[growth_shape::bins];
};

/// Neighbouring small cells that one block finishes.
struct finish_job {
  point_id first;
  point_id count;
  std::int32_t bits;  ///< lower bits of the keys that differ; 0: in order already
  std::uint32_t buffer;
};

/// Which launch is yet to be made.
enum class growth_stop : std::uint32_t { none, part, count, finish };

/// All zero at first.
struct growth_state {
  std::uint32_t num_cells[2];  ///< of even and odd rounds
  std::uint32_t num_tiles[2];
  std::uint32_t num_jobs;
  std::uint32_t blocks_done;
  std::uint32_t round;
  growth_stop stopped;
  std::uint32_t attempts;
  std::uint32_t child_grids;
  std::uint32_t tail_launches;
  std::uint32_t refused;
};

/// Working memory and settings, for every kernel.
template <class Key>
struct growth {
  keyed_rows<Key> buffers[2];  ///< round r reads buffers[r % 2]
  large_cell* cells[2];
  std::uint32_t* tile_cells[2];  ///< which cell a tile belongs to
  std::uint64_t* passed;         ///< [tiles * bins], see part_kernel
  finish_job* jobs;
  growth_state* state;
  point_id count;
  std::int32_t max_depth;
  std::int32_t levels_per_round;
  point_id merged_points;  ///< small cells share a block up to as many
  bool parts_by_tail;      ///< parting is tail-launched too
  std::uint32_t refuse_every;

  /// Levels that a round takes a cell of a level down.
  [[nodiscard]] __device__ int step_from(int level) const {
    return min(levels_per_round, max_depth - level);
  }
  /// Which descendant of a cell of a level a key belongs to.
  [[nodiscard]] __device__ unsigned bin_of(Key key, int level) const {
    const int levels = step_from(level);
    return static_cast<unsigned>(key >> (2 * (max_depth - level - levels))) &
           ((1U << (2 * levels)) - 1);
  }
};

/// The part of a cell that a block works on.
struct cell_tile {
  std::uint32_t cell;
  std::int32_t level;
  std::uint32_t first_tile;
  point_id first;
  point_id count;
};

template <class Key>
[[nodiscard]] __device__ cell_tile tile_of(const growth<Key>& g, std::uint32_t round) {
  constexpr point_id tile = growth_shape::tile;
  if (round == 0) {  // the root: zero but for its count
    const point_id first = blockIdx.x * tile;
    return {0, 0, 0, first, min(g.count - first, tile)};
  }
  const std::uint32_t c = g.tile_cells[round % 2][blockIdx.x];
  const large_cell& cell = g.cells[round % 2][c];
  const point_id skipped = (blockIdx.x - cell.first_tile) * tile;
  return {c, cell.level, cell.first_tile, cell.first + skipped, min(cell.count - skipped, tile)};
}

}  // namespace tendril::cuda
