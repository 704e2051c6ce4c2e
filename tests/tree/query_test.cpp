#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/oracle/rtree.hpp"
#include "tree/point_battery.hpp"
#include "tree/query_testing.hpp"

namespace tendril::testing {
namespace {

template <class Real>
class tree_query : public ::testing::Test {};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(tree_query, reals);

/// Rectangles between points of the set, and awkward ones.
template <class Real>
std::vector<rectangle<Real>> rectangles_for(const points<Real>& set) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<rectangle<Real>> all{
      {{{-infinity, -infinity}, {infinity, infinity}}},
      {{{1, 1}, {0, 0}}},              // inverted
      {{{nan, 0}, {1, 1}}},            // meaningless
      {{{1000000, 0}, {2000000, 1}}},  // far away
  };
  for (point_id i = 0; i < set.num_points(); i += 1 + set.num_points() / 24) {
    const point<Real> a = set[i];
    const point<Real> b = set[(i * 31 + 7) % set.num_points()];
    all.push_back({{a, a}});
    all.push_back(
        {{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}}});
    all.push_back({{{a.x, -infinity}, {a.x, infinity}}});
  }
  return all;
}

TYPED_TEST(tree_query, rectangles_find_what_lies_in_them) {
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    const auto shapes = rectangles_for(set);
    for (const std::uint32_t leaf_size : {1U, 8U, 32U}) {
      for (const int threads : {1, 3}) {
        SCOPED_TRACE(name + ", leaf size " + std::to_string(leaf_size));
        host_engine engine({.threads = threads});
        const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
        const auto found = reported(engine, tree, shapes);
        EXPECT_EQ(found, reported(engine, tree, shapes, query_order::as_given));
        const auto counts = count_in(engine, tree, std::span<const rectangle<TypeParam>>(shapes));
        const auto capped = count_in(engine, tree, std::span<const rectangle<TypeParam>>(shapes),
                                     query_order::morton, 2);
        for (std::size_t q = 0; q < shapes.size(); ++q) {
          const auto expected = rows_in(set, shapes[q].sides);
          EXPECT_EQ(found[q], expected) << "query " << q;
          EXPECT_EQ(counts.data()[q], expected.size());
          EXPECT_EQ(capped.data()[q], std::min<std::size_t>(expected.size(), 2));
        }
      }
    }
  }
}

TYPED_TEST(tree_query, circles_find_what_is_near_enough) {
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    SCOPED_TRACE(name);
    host_engine engine;
    const auto tree = build_quadtree(engine, set, {.leaf_size = 4});
    std::vector<circle<TypeParam>> circles{{{0, 0}, -1.0}, {{0, 0}, 0.0}};
    for (point_id i = 0; i < set.num_points(); i += 1 + set.num_points() / 20) {
      const double to_other = true_distance(set[i], set[(i * 17 + 3) % set.num_points()]);
      circles.push_back({set[i], 0.0});
      circles.push_back({set[i], to_other});
      circles.push_back({set[i], to_other / 4});
    }
    const auto found = reported(engine, tree, circles);
    for (std::size_t q = 0; q < circles.size(); ++q) {
      const std::vector<point_id>& rows = found[q];
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
      for (point_id row = 0; row < set.num_points(); ++row) {
        const double away = true_distance(circles[q].centre, set[row]);
        const bool is_in = std::binary_search(rows.begin(), rows.end(), row);
        // Where rounding decides, either answer is right.
        if (away < circles[q].radius * (1 - 1e-15) || away == 0) {
          EXPECT_EQ(is_in, circles[q].radius >= 0) << "query " << q << ", row " << row;
        } else if (away > circles[q].radius * (1 + 1e-15)) {
          EXPECT_FALSE(is_in) << "query " << q << ", row " << row;
        }
      }
    }
  }
}

/// A list of neighbours is right if it has the smallest distances, in order, each row once.
template <class Real>
void expect_nearest(const points<Real>& set, const point<Real>& from,
                    const std::vector<neighbour>& found, std::size_t count) {
  std::vector<double> distances;
  for (const point<Real>& p : set.positions()) {
    distances.push_back(true_distance(from, p));
  }
  std::vector<point_id> rows;
  for (const neighbour& n : found) {
    ASSERT_LT(n.row, set.num_points());
    EXPECT_DOUBLE_EQ(n.distance, distances[n.row]);
    rows.push_back(n.row);
  }
  std::sort(distances.begin(), distances.end());
  ASSERT_EQ(found.size(), std::min(count, distances.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_DOUBLE_EQ(found[i].distance, distances[i]);
    if (i > 0 && found[i - 1].distance == found[i].distance) {
      EXPECT_LT(found[i - 1].row, found[i].row);
    }
  }
  std::sort(rows.begin(), rows.end());
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
}

TYPED_TEST(tree_query, nearest_are_the_nearest) {
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    std::vector<point<TypeParam>> positions{{0, 0}, {static_cast<TypeParam>(0.4), 1}};
    for (point_id i = 0; i < set.num_points(); i += 1 + set.num_points() / 10) {
      positions.push_back(set[i]);
    }
    for (const std::uint32_t leaf_size : {1U, 8U}) {
      host_engine engine({.threads = 3});
      const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
      for (const std::size_t count :
           {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{5000}}) {
        SCOPED_TRACE(name + ", leaf size " + std::to_string(leaf_size) + ", " +
                     std::to_string(count) + " nearest");
        const auto found = nearest_of(engine, tree, positions, static_cast<std::int64_t>(count));
        ASSERT_EQ(found.size(), positions.size());
        for (std::size_t q = 0; q < positions.size(); ++q) {
          expect_nearest(set, positions[q], found[q], count);
        }
      }
    }
  }
}

// On a lattice squared distances are small whole numbers: the order is exact.
TEST(tree_query_ties, go_to_the_lowest_row) {
  host_engine engine;
  const auto set = lattice<double>(9);
  for (const std::uint32_t leaf_size : {1U, 4U, 100U}) {
    const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
    for (const std::int64_t count : {1, 2, 3, 5, 12, 40}) {
      std::vector<point<double>> positions(set.positions().begin(), set.positions().end());
      const auto found = nearest_of(engine, tree, positions, count);
      for (std::size_t q = 0; q < positions.size(); ++q) {
        std::vector<std::pair<double, point_id>> expected;
        for (point_id row = 0; row < set.num_points(); ++row) {
          const double dx = set[row].x - positions[q].x;
          const double dy = set[row].y - positions[q].y;
          expected.emplace_back(dx * dx + dy * dy, row);
        }
        std::sort(expected.begin(), expected.end());
        for (std::size_t i = 0; i < found[q].size(); ++i) {
          EXPECT_EQ(found[q][i].row, expected[i].second);
        }
      }
    }
  }
}

TEST(tree_query_ties, a_million_duplicates_cost_no_more_than_a_few) {
  host_engine engine;
  const points<double> set(std::vector<point<double>>(1'000'000, {1, 1}));
  const auto tree = build_quadtree(engine, set);
  const std::vector<point<double>> positions(20'000, {4, 5});
  const auto found = nearest_of(engine, tree, positions, 3);
  const std::vector<neighbour> expected{{5, 0}, {5, 1}, {5, 2}};
  EXPECT_EQ(found.front(), expected);
  EXPECT_EQ(found.back(), expected);
}

TEST(tree_query, nearest_within_a_radius) {
  host_engine engine;
  const auto set = lattice<double>(5);
  const auto tree = build_quadtree(engine, set, {.leaf_size = 2});
  const std::vector<point<double>> positions{{2, 2}, {40, 40}, {0, 0}};
  // Within 1 of (2, 2): itself and four others, on the border of the disc.
  const auto found = nearest_of(engine, tree, positions, 4, {.radius = 1});
  EXPECT_EQ(found[0], (std::vector<neighbour>{{0, 12}, {1, 7}, {1, 11}, {1, 13}}));
  EXPECT_TRUE(found[1].empty());
  EXPECT_EQ(found[2], (std::vector<neighbour>{{0, 0}, {1, 1}, {1, 5}}));
  EXPECT_TRUE(nearest_of(engine, tree, positions, 4, {.radius = -1})[0].empty());
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(nearest_of(engine, tree, positions, 4, {.radius = -infinite})[0].empty());
  EXPECT_EQ(nearest_of(engine, tree, positions, 4, {.radius = infinite})[1].size(), 4U);
  EXPECT_THROW(nearest_of(engine, tree, positions, -1), usage_error);
  EXPECT_THROW(nearest_of(engine, tree, positions, 1, {.radius = std::nan("")}), usage_error);
}

TYPED_TEST(tree_query, pairs_are_found_once) {
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    SCOPED_TRACE(name);
    host_engine engine;
    const auto tree = build_quadtree(engine, set, {.leaf_size = 4});
    const double radius = 0.0107;
    const auto pairs = find_pairs(engine, tree, set.num_points(), radius);
    const auto found = lists_of(pairs.offsets, pairs.rows.data());
    ASSERT_EQ(found.size(), set.num_points());
    for (point_id i = 0; i < set.num_points(); ++i) {
      std::vector<point_id> expected;
      for (point_id j = i + 1; j < set.num_points(); ++j) {
        if (true_distance(set[i], set[j]) <= radius) {
          expected.push_back(j);
        }
      }
      ASSERT_EQ(found[i], expected) << "row " << i;
    }
  }
}

template <class Real>
point<double> to_double(const point<Real>& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y)};
}

TYPED_TEST(tree_query, agrees_with_boost) {
  for (const char* text : {"uniform:20000:9", "clusters:20000:7:4", "plummer:20000"}) {
    SCOPED_TRACE(text);
    host_engine engine;
    const auto set = generate_points<TypeParam>(text);
    const auto tree = build_quadtree(engine, set);
    const oracle::rtree boost_tree(generate_points<double>(text));  // the same numbers
    std::vector<rectangle<TypeParam>> shapes;
    std::vector<point<TypeParam>> positions;
    for (point_id i = 0; i < 300; ++i) {
      const point<TypeParam> p = set[i * 61];
      const auto half = static_cast<TypeParam>(0.02);
      shapes.push_back({{{p.x - half, p.y - half}, {p.x + half, p.y + half}}});
      positions.push_back({p.x + half, p.y});
    }
    const auto rows = reported(engine, tree, shapes);
    const auto near = nearest_of(engine, tree, positions, 8);
    for (std::size_t q = 0; q < shapes.size(); ++q) {
      const box<TypeParam>& sides = shapes[q].sides;
      EXPECT_EQ(rows[q], boost_tree.rows_in({to_double(sides.low), to_double(sides.high)}));
      const auto distances = boost_tree.nearest_distances(to_double(positions[q]), 8);
      for (std::size_t i = 0; i < distances.size(); ++i) {
        EXPECT_DOUBLE_EQ(near[q][i].distance, distances[i]);
      }
    }
  }
}

TEST(tree_query, no_queries_and_no_points) {
  host_engine engine;
  const auto tree = build_quadtree(engine, lattice<double>(3));
  EXPECT_TRUE(reported(engine, tree, std::vector<rectangle<double>>{}).empty());
  EXPECT_TRUE(nearest_of(engine, tree, {}, 3).empty());
  const auto none = build_quadtree(engine, points<double>());
  EXPECT_TRUE(nearest_of(engine, none, {{1, 2}}, 3)[0].empty());
  EXPECT_TRUE(reported(engine, none, std::vector<circle<double>>{{{0, 0}, 9}})[0].empty());
  EXPECT_EQ(find_pairs(engine, none, 0, 1).rows.size(), 0U);
}

}  // namespace
}  // namespace tendril::testing
