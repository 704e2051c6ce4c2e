#include "tendril/tree/cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tendril::testing {
namespace {

/// The definition: border(i) <= x < border(i + 1), the last cell open above.
void expect_in_its_cell(const axis_cells& axis, double x) {
  const std::uint32_t i = axis.cell(x);
  ASSERT_LE(i, axis_cells::last);
  EXPECT_LE(axis.border(i), x);
  if (i < axis_cells::last) {
    EXPECT_LT(x, axis.border(i + 1));
  }
}

TEST(cells, hold_what_lies_between_their_borders) {
  constexpr double largest = std::numeric_limits<double>::max();
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::pair<double, double>> extents{
      {0, 1},          {-3, 5}, {1e9, 1e9 + 1e-3}, {1e-300, 1e300}, {-largest, largest},
      {0, 100 * tiny}, {7, 7},  {0.1, 0.3},        {-1e-5, 1e5},    {1, std::nextafter(1, 2)}};
  for (const auto& [low, high] : extents) {
    SCOPED_TRACE(::testing::Message() << low << " .. " << high);
    const axis_cells axis(low, high);
    expect_in_its_cell(axis, low);
    expect_in_its_cell(axis, high);
    EXPECT_EQ(axis.border(0), low);
    for (std::uint32_t n = 0; n < 1000; ++n) {
      const std::uint32_t i = (n * 2654435761U) % axis_cells::last;
      const double border = axis.border(i);
      const double above = std::nextafter(border, largest);
      const double below = std::nextafter(border, -largest);
      for (const double x : {border, above, below, border / 2 + above / 2}) {
        if (x >= low && x <= high) {
          expect_in_its_cell(axis, x);
        }
      }
      EXPECT_LE(axis.border(i), axis.border(i + 1));
    }
  }
}

// By hand: 2^31 cells over 0 .. 2^31 are one wide.
TEST(cells, of_width_one_are_whole_numbers) {
  const axis_cells axis(0, 0x1p31);
  EXPECT_EQ(axis.cell(0), 0U);
  EXPECT_EQ(axis.cell(0.999), 0U);
  EXPECT_EQ(axis.cell(1), 1U);
  EXPECT_EQ(axis.cell(123456789.5), 123456789U);
  EXPECT_EQ(axis.cell(0x1p31), axis_cells::last);
}

TEST(cells, interleave_their_numbers) {
  const cell_grid grid = grid_over(box<double>{{0, 0}, {0x1p31, 0x1p31}});
  EXPECT_EQ(grid.key(point<double>{1, 0}), 1U);
  EXPECT_EQ(grid.key(point<double>{0, 1}), 2U);
  EXPECT_EQ(grid.key(point<double>{5, 3}), 27U);  // x 101, y 011: 01 10 11 read as yx pairs
  EXPECT_EQ(grid.nearest_key(point<double>{-9, 1e30}), grid.key(point<double>{0, 0x1p31}));
  const box<double> cell{{4, 0}, {8, 4}};
  EXPECT_EQ(grid.borders(grid.key(point<double>{5, 3}), 29), cell);
}

}  // namespace
}  // namespace tendril::testing
