#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include "tendril/schedule/tiles.hpp"

// What every engine and every way is tried with.

namespace tendril::schedule {

/// GoogleTest prints grids by this.
// NOLINTNEXTLINE(readability-identifier-naming)
inline void PrintTo(const tile_grid& tiles, std::ostream* out) {
  *out << tiles.x << 'x' << tiles.y << 'x' << tiles.z;
}

namespace testing {

/// Around the 132 multiprocessors and the 528 resident blocks of an H200, one, and many.
inline constexpr std::array<std::uint32_t, 11> coverage_sizes = {
    1, 2, 3, 131, 132, 133, 527, 528, 529, 65536, (1u << 20) + 1};

/// The same tiles in 1, 2 and 3 dimensions: an odd number of them.
inline constexpr std::array<tile_grid, 3> shapes = {{{1155, 1, 1}, {35, 33, 1}, {7, 11, 15}}};

}  // namespace testing
}  // namespace tendril::schedule
