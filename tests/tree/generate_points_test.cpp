#include "tendril/tree/generate_points.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"

namespace tendril::testing {
namespace {

std::vector<point<double>> positions_of(const points<double>& set) {
  return {set.positions().begin(), set.positions().end()};
}

/// The part of the points that lie within a radius of (0, 0).
double part_within(const points<double>& set, double radius) {
  const auto positions = set.positions();
  const auto num_within =
      std::count_if(positions.begin(), positions.end(),
                    [&](const point<double>& p) { return std::hypot(p.x, p.y) <= radius; });
  return static_cast<double>(num_within) / static_cast<double>(positions.size());
}

TEST(generate_points, do_not_depend_on_threads_or_type) {
  for (const std::string text : {"uniform:20000:5", "clusters:20000:7:5", "plummer:20000:5"}) {
    SCOPED_TRACE(text);
    const auto expected = positions_of(generate_points<double>(text));
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    EXPECT_EQ(positions_of(generate_points<double>(text)), expected);
    const auto rounded = generate_points<float>(text);
    for (point_id row = 0; row < rounded.num_points(); ++row) {
      ASSERT_EQ(static_cast<double>(rounded[row].x), expected[row].x) << row;
      ASSERT_EQ(static_cast<double>(rounded[row].y), expected[row].y) << row;
    }
    EXPECT_NE(positions_of(generate_points<double>(text.substr(0, text.size() - 1) + "6")),
              expected);
  }
}

TEST(generate_points, uniform_fills_the_unit_square) {
  const auto set = generate_uniform<double>(40'000, 3);
  std::size_t quadrants[4] = {};
  for (const point<double>& p : set.positions()) {
    ASSERT_TRUE(p.x >= 0 && p.x < 1 && p.y >= 0 && p.y < 1);
    ++quadrants[(p.x < 0.5 ? 0 : 1) + (p.y < 0.5 ? 0 : 2)];
  }
  for (const std::size_t count : quadrants) {
    EXPECT_NEAR(static_cast<double>(count), 10'000, 500);  // more than five standard deviations
  }
}

TEST(generate_points, clusters_are_tight) {
  const auto set = generate_clusters<double>(3000, 1, 9);
  double x = 0;
  double y = 0;
  for (const point<double>& p : set.positions()) {
    x += p.x / 3000;
    y += p.y / 3000;
  }
  for (const point<double>& p : set.positions()) {
    EXPECT_LT(std::hypot(p.x - x, p.y - y), 0.004);
  }
  EXPECT_THROW(static_cast<void>(generate_clusters<double>(1, 0)), usage_error);
  EXPECT_EQ(generate_clusters<double>(0, 0).num_points(), 0U);
}

// Seen from above, a Plummer sphere has R^2 / (1 + R^2) of its mass within R.
TEST(generate_points, plummer_has_its_profile) {
  const auto set = generate_plummer<double>(40'000, 4);
  EXPECT_NEAR(part_within(set, 0.5), 0.2, 0.01);
  EXPECT_NEAR(part_within(set, 1), 0.5, 0.013);
  EXPECT_NEAR(part_within(set, 3), 0.9, 0.01);
  EXPECT_EQ(part_within(set, 64.001), 1);
}

TEST(generate_points, read_their_texts) {
  EXPECT_TRUE(names_point_generator("plummer:5"));
  EXPECT_FALSE(names_point_generator("plummer.txt"));
  EXPECT_EQ(generate_points<double>("uniform:7").num_points(), 7U);
  EXPECT_EQ(point_generator_seed("uniform:7"), 1U);
  EXPECT_EQ(point_generator_seed("clusters:7:2:11"), 11U);
  for (const char* bad : {"uniform:", "uniform:7:1:2", "clusters:7", "plummer:-1", "sphere:7"}) {
    EXPECT_THROW(static_cast<void>(generate_points<double>(bad)), usage_error) << bad;
  }
}

}  // namespace
}  // namespace tendril::testing
