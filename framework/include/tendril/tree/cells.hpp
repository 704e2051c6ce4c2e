#pragma once

#include <cmath>
#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/tree/geometry.hpp"

// Where the cells of a quadtree lie. An axis is cut into 2^31 finest cells; a cell at level L is
// 2^(31 - L) of them, so cells of all levels share their borders, and one function says where those
// are. Cells are half-open, border(i) <= x < border(i + 1), except that the last cell of an axis
// also holds what lies on or, by rounding, beyond its upper border. Where a cell is narrower than
// the spacing of doubles its borders coincide and it holds nothing.

namespace tendril {

/// Levels below the root: the finest cells are 2^-31 of the root's side.
inline constexpr int finest_level = 31;

/// Interleaved cell numbers, x in the lower bit of each pair: the order of a Z curve.
using morton_key = std::uint64_t;

/// One axis.
struct axis_cells {
  /// The last finest cell.
  static constexpr std::uint32_t last = (std::uint32_t{1} << finest_level) - 1;

  double low = 0;      ///< lower border of the first cell
  double width = 0;    ///< of a finest cell
  double inverse = 0;  ///< about 1 / width: a first guess only

  axis_cells() = default;
  /// Cells of equal width from lowest to highest.
  /// @pre lowest <= highest, both finite
  TENDRIL_HD axis_cells(double lowest, double highest)
      : low(lowest), width(std::fma(highest, 0x1p-31, -lowest * 0x1p-31)), inverse(1 / width) {}

  /// Lower border of finest cell i, upper border of cell i - 1. Never decreases with i.
  [[nodiscard]] TENDRIL_HD double border(std::uint32_t i) const {
    return std::fma(static_cast<double>(i), width, low);
  }

  /// The finest cell that holds x: the last one whose lower border is not above x.
  /// @pre low <= x
  [[nodiscard]] TENDRIL_HD std::uint32_t cell(double x) const {
    const double guess = (x - low) * inverse;  // NaN where the width vanishes
    std::uint32_t i = guess >= last ? last : (guess > 0 ? static_cast<std::uint32_t>(guess) : 0U);
    if (holds(i, x)) {  // nearly always
      return i;
    }
    if (border(i) > x) {
      i -= i > 0 ? 1U : 0U;
    } else {
      i += i < last ? 1U : 0U;
    }
    return holds(i, x) ? i : search(x);
  }

 private:
  [[nodiscard]] TENDRIL_HD bool holds(std::uint32_t i, double x) const {
    return border(i) <= x && (i == last || x < border(i + 1));
  }

  [[nodiscard]] TENDRIL_HD std::uint32_t search(double x) const {
    std::uint32_t i = 0;
    for (std::uint32_t step = std::uint32_t{1} << (finest_level - 1); step != 0; step /= 2) {
      i += border(i + step) <= x ? step : 0U;
    }
    return i;
  }
};

namespace detail {

/// Moves bit i to bit 2 i.
[[nodiscard]] TENDRIL_HD inline std::uint64_t spread_bits(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | (x << 16)) & 0x0000FFFF0000FFFF;
  x = (x | (x << 8)) & 0x00FF00FF00FF00FF;
  x = (x | (x << 4)) & 0x0F0F0F0F0F0F0F0F;
  x = (x | (x << 2)) & 0x3333333333333333;
  return (x | (x << 1)) & 0x5555555555555555;
}

/// Undoes spread_bits; odd bits are ignored.
[[nodiscard]] TENDRIL_HD inline std::uint32_t gather_bits(std::uint64_t x) {
  x &= 0x5555555555555555;
  x = (x | (x >> 1)) & 0x3333333333333333;
  x = (x | (x >> 2)) & 0x0F0F0F0F0F0F0F0F;
  x = (x | (x >> 4)) & 0x00FF00FF00FF00FF;
  x = (x | (x >> 8)) & 0x0000FFFF0000FFFF;
  return static_cast<std::uint32_t>(x | (x >> 16));
}

}  // namespace detail

/// Both axes.
struct cell_grid {
  axis_cells x;  ///< columns
  axis_cells y;  ///< rows

  /// Key of the finest cell that holds p. @pre p is not below the grid on either axis
  template <coordinate Real>
  [[nodiscard]] TENDRIL_HD morton_key key(const point<Real>& p) const {
    return detail::spread_bits(x.cell(static_cast<double>(p.x))) |
           (detail::spread_bits(y.cell(static_cast<double>(p.y))) << 1);
  }

  /// Key of a position that may lie anywhere: that of the nearest position in the grid.
  template <coordinate Real>
  [[nodiscard]] TENDRIL_HD morton_key nearest_key(const point<Real>& p) const {
    const auto px = static_cast<double>(p.x);
    const auto py = static_cast<double>(p.y);
    return detail::spread_bits(px > x.low ? x.cell(px) : 0) |
           (detail::spread_bits(py > y.low ? y.cell(py) : 0) << 1);
  }

  /// Borders of the cell at a level to which a finest cell belongs. The upper ones are not part of
  /// it, unless it is the last of its axis.
  /// @pre 0 <= level <= finest_level
  [[nodiscard]] TENDRIL_HD box<double> borders(morton_key finest, int level) const {
    const std::uint32_t side = std::uint32_t{1} << (finest_level - level);
    const std::uint32_t column = detail::gather_bits(finest) & ~(side - 1);
    const std::uint32_t row = detail::gather_bits(finest >> 1) & ~(side - 1);
    return {{x.border(column), y.border(row)}, {x.border(column + side), y.border(row + side)}};
  }
};

/// The bits of a finest key that tell cells of a level apart, as a number of 2 * level bits.
/// @pre 0 <= level <= finest_level
[[nodiscard]] TENDRIL_HD inline morton_key key_at(morton_key finest, int level) {
  return finest >> (2 * (finest_level - level));
}

/// The grid whose root cell is `bounds`.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline cell_grid grid_over(const box<Real>& bounds) {
  return {axis_cells(static_cast<double>(bounds.low.x), static_cast<double>(bounds.high.x)),
          axis_cells(static_cast<double>(bounds.low.y), static_cast<double>(bounds.high.y))};
}

/// The grid of square cells that starts at the low corner of `bounds` and covers it.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline cell_grid square_grid_over(const box<Real>& bounds) {
  cell_grid grid = grid_over(bounds);
  axis_cells& narrower = grid.x.width < grid.y.width ? grid.x : grid.y;
  const axis_cells& wider = grid.x.width < grid.y.width ? grid.y : grid.x;
  narrower.width = wider.width;
  narrower.inverse = wider.inverse;
  return grid;
}

}  // namespace tendril
