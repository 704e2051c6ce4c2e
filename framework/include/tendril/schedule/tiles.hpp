#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"

/// Who runs which tile of a grid: the ways to hand out tiles, their launches and their records.
namespace tendril::schedule {

/// One unit of work: its place in the grid of tiles.
struct tile {
  std::uint32_t index = 0;  ///< 0 .. size - 1; x varies fastest
  std::uint32_t x = 0;      ///< 0 .. grid.x - 1
  std::uint32_t y = 0;      ///< 0 .. grid.y - 1
  std::uint32_t z = 0;      ///< 0 .. grid.z - 1
};

/// A 1-, 2- or 3-dimensional grid of tiles: `{n}`, `{width, height}`, `{width, height, depth}`. No
/// dimension has a limit of its own (blocks are launched along one line); a grid with a dimension
/// of 0 has no tiles.
struct tile_grid {
  std::uint32_t x = 0;  ///< tiles in a row
  std::uint32_t y = 1;  ///< rows in a layer
  std::uint32_t z = 1;  ///< layers

  /// Number of tiles; 2^64 - 1 stands for anything larger.
  [[nodiscard]] TENDRIL_HD constexpr std::uint64_t size() const {
    const std::uint64_t layer = static_cast<std::uint64_t>(x) * y;
    constexpr std::uint64_t most = ~std::uint64_t{0};
    return z != 0 && layer > most / z ? most : layer * z;
  }

  /// The tile of that index. @pre index < size()
  [[nodiscard]] TENDRIL_HD constexpr tile at(std::uint32_t index) const {
    if (index < x) {
      return {index, index, 0, 0};
    }
    const std::uint32_t row = index / x;
    return {index, index % x, row % y, row / y};
  }
};

/// Tiles that one launch can have, on either engine: the blocks of a CUDA grid.
inline constexpr std::uint32_t max_tiles = 0x7fffffffu;

}  // namespace tendril::schedule
