#include "tendril/algorithms/regions.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "tree/point_battery.hpp"
#include "tree/query_testing.hpp"

namespace tendril::testing {
namespace {

using corner_list = std::vector<point<double>>;

polygon<double> polygon_of(const corner_list& corners) {
  return {corners.data(), static_cast<std::uint32_t>(corners.size())};
}

template <class Shape>
std::vector<std::uint32_t> assigned(const points<double>& set, const std::vector<Shape>& regions,
                                    std::uint32_t leaf_size = 2) {
  host_engine engine({.threads = 3});
  const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
  return assign_regions(engine, tree, set.num_points(), std::span<const Shape>(regions)).to_host();
}

// A lattice 0 .. 4 and four squares of side 2 that share sides: each point belongs to the one above
// and to the right of it, and the outer upper border to none.
TEST(regions, polygons_that_share_sides_share_no_point) {
  const std::vector<corner_list> squares{{{0, 0}, {2, 0}, {2, 2}, {0, 2}},
                                         {{2, 0}, {4, 0}, {4, 2}, {2, 2}},
                                         {{0, 2}, {0, 4}, {2, 4}, {2, 2}},  // the other way round
                                         {{2, 2}, {4, 2}, {4, 4}, {2, 4}}};
  std::vector<polygon<double>> regions;
  regions.reserve(squares.size());
  for (const corner_list& square : squares) {
    regions.push_back(polygon_of(square));
  }
  const std::uint32_t n = no_region;
  EXPECT_EQ(assigned(lattice<double>(5), regions), (std::vector<std::uint32_t>{0, 0, 1, 1, n,  //
                                                                               0, 0, 1, 1, n,  //
                                                                               2, 2, 3, 3, n,  //
                                                                               2, 2, 3, 3, n,  //
                                                                               n, n, n, n, n}));
}

TEST(regions, the_lowest_of_several_wins) {
  const std::vector<circle<double>> discs{{{0, 0}, 1}, {{0, 0}, 2}, {{4, 4}, 1}, {{4, 4}, 0}};
  const auto regions = assigned(lattice<double>(5), discs);
  EXPECT_EQ(regions[0], 0U);
  EXPECT_EQ(regions[1], 0U);
  EXPECT_EQ(regions[2], 1U);
  EXPECT_EQ(regions[3], no_region);
  EXPECT_EQ(regions[24], 2U);
}

// A star with a hole by the even-odd rule, against the definition for every point.
TEST(regions, polygons_agree_with_looking_at_every_point) {
  const corner_list star{{0.5, 1}, {0.2, 0.05}, {0.98, 0.65}, {0.02, 0.65}, {0.8, 0.05}};
  const corner_list nothing;
  const corner_list line{{0, 0}, {1, 1}};
  const std::vector<polygon<double>> regions{polygon_of(nothing), polygon_of(line),
                                             polygon_of(star)};
  for (const char* text : {"uniform:4000", "clusters:4000:20"}) {
    const auto set = generate_points(text);
    const auto region = assigned(set, regions, 8);
    std::size_t num_in = 0;
    for (point_id row = 0; row < set.num_points(); ++row) {
      const bool is_in = regions[2].contains(set[row], row);
      EXPECT_EQ(region[row], is_in ? 2U : no_region) << row;
      num_in += is_in ? 1 : 0;
    }
    EXPECT_GT(num_in, 400U);
  }
  // By hand: the middle is a hole, the arms are not.
  EXPECT_FALSE(regions[2].contains({0.5, 0.5}, 0));
  EXPECT_TRUE(regions[2].contains({0.5, 0.9}, 0));
}

// Squares cut along a diagonal with corners anywhere: every lattice point is in one half, or on the
// square's own border. The halves walk the diagonal in opposite directions.
TEST(regions, polygons_that_share_a_slanted_side_share_no_point_and_lose_none) {
  const auto set = lattice<double>(40);
  for (int left = 0; left < 30; left += 3) {
    for (int side = 1; left + side < 39; ++side) {
      const double x = left;
      const double size = side;
      const double y = 38 - size;
      const corner_list lower{{x, 0}, {x + size, 0}, {x + size, y}};
      const corner_list upper{{x, 0}, {x + size, y}, {x, y}};
      const polygon<double> one = polygon_of(lower);
      const polygon<double> other = polygon_of(upper);
      for (point_id row = 0; row < set.num_points(); ++row) {
        const point<double> p = set[row];
        const bool is_inside = x < p.x && p.x < x + size && 0 < p.y && p.y < y;
        const int times = (one.contains(p, row) ? 1 : 0) + (other.contains(p, row) ? 1 : 0);
        ASSERT_LE(times, 1) << p.x << ", " << p.y;
        ASSERT_TRUE(times == 1 || !is_inside) << p.x << ", " << p.y;
      }
    }
  }
}

// The long side crosses y = 0 at x = 0; its own length has no double.
TEST(regions, sides_may_be_longer_than_the_largest_double) {
  constexpr double m = 1.7e308;
  const corner_list triangle{{-m, -1}, {m, 1}, {-m, 1}};
  const polygon<double> region = polygon_of(triangle);
  EXPECT_TRUE(region.contains({-1e308, 0}, 0));
  EXPECT_FALSE(region.contains({1e308, 0}, 0));
}

}  // namespace
}  // namespace tendril::testing
