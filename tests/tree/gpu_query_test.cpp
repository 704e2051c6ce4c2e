// Plain C++ calls of algorithms/ give a GPU engine the host engine's answers, bit for bit; what
// those should be is tested in query_test.cpp and gravity_test.cpp. Some answers here are by hand.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tendril/algorithms/nbody.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/core/error.hpp"
#include "tendril/oracle/direct_gravity.hpp"
#include "tree/gpu_trees.hpp"

namespace tendril::testing {
namespace {

/// neighbour has padding.
template <class Lists, class DeviceLists>
void expect_same_neighbours(const Lists& host, const DeviceLists& device) {
  expect_same_bits(host.offsets, device.offsets);
  const std::vector<neighbour> found = device.found.to_host();
  ASSERT_EQ(found.size(), host.found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(host.found.data()[i], found[i]) << i;
  }
}

template <class Real>
class gpu_query : public both_engines {
 protected:
  /// Counts, counts with a limit, and lists, in both orders.
  template <class Shape>
  void expect_same_lists(const two_trees<Real>& trees, const std::vector<Shape>& shapes) {
    const auto placed = copy_to(gpu(), span_of(shapes));
    for (const query_order order : {query_order::morton, query_order::as_given}) {
      for (const point_id limit : {no_point, point_id{2}}) {
        expect_same_bits(count_in(host, trees.on_host, span_of(shapes), order, limit),
                         count_in(gpu(), trees.on_gpu, span_of(placed), order, limit));
      }
      const auto expected = report_in(host, trees.on_host, span_of(shapes), order);
      const auto found = report_in(gpu(), trees.on_gpu, span_of(placed), order);
      expect_same_bits(expected.offsets, found.offsets);
      expect_same_bits(expected.rows, found.rows);
    }
  }
};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(gpu_query, reals);

TYPED_TEST(gpu_query, rectangles_and_circles_of_the_battery_are_the_hosts) {
  constexpr TypeParam infinity = std::numeric_limits<TypeParam>::infinity();
  constexpr TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    SCOPED_TRACE(name);
    std::vector<rectangle<TypeParam>> rectangles{
        {{{-infinity, -infinity}, {infinity, infinity}}},
        {{{1, 1}, {0, 0}}},              // inverted
        {{{nan, 0}, {1, 1}}},            // meaningless
        {{{1000000, 0}, {2000000, 1}}},  // far away
    };
    std::vector<circle<TypeParam>> circles{{{0, 0}, -1.0}, {{0, 0}, 0.0}, {{nan, 0}, 1.0}};
    for (point_id i = 0; i < set.num_points(); ++i) {
      const point<TypeParam> a = set[i];
      const point<TypeParam> b = set[(i * 31 + 7) % set.num_points()];
      rectangles.push_back({{a, a}});
      rectangles.push_back(
          {{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}}});
      circles.push_back({a, distance(a, b) / 3});
    }
    for (const std::uint32_t leaf_size : {1U, 32U}) {
      const two_trees<TypeParam> trees(this->host, this->gpu(), set, {.leaf_size = leaf_size});
      this->expect_same_lists(trees, rectangles);
      this->expect_same_lists(trees, circles);
      this->expect_same_lists(trees, std::vector<circle<TypeParam>>());
    }
  }
}

TYPED_TEST(gpu_query, nearest_of_the_battery_are_the_hosts) {
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    std::vector<point<TypeParam>> positions{{0, 0}, {static_cast<TypeParam>(0.4), 1}};
    positions.insert(positions.end(), set.positions().begin(), set.positions().end());
    const auto placed = copy_to(this->gpu(), span_of(positions));
    const two_trees<TypeParam> trees(this->host, this->gpu(), set, {.leaf_size = 4});
    for (const std::int64_t count : {0, 1, 8, 5000}) {
      for (const double radius : {std::numeric_limits<double>::infinity(), 0.25, -1.0}) {
        if (count * std::int64_t{set.num_points()} > 1'000'000) {
          continue;  // lists of everything for everyone
        }
        SCOPED_TRACE(name + ", " + std::to_string(count) + " within " + std::to_string(radius));
        const nearest_options options{.radius = radius};
        expect_same_neighbours(
            find_nearest(this->host, trees.on_host, span_of(positions), count, options),
            find_nearest(this->gpu(), trees.on_gpu, span_of(placed), count, options));
      }
    }
  }
}

// Four points at distance 1 of the origin, one of them twice: the lowest rows are taken.
TYPED_TEST(gpu_query, of_equally_near_points_the_lowest_rows_come_first) {
  const points<TypeParam> set(
      std::vector<point<TypeParam>>{{3, 0}, {0, -1}, {1, 0}, {-1, 0}, {1, 0}, {0, 1}});
  const auto tree = build_quadtree(this->gpu(), set, {.leaf_size = 1});
  const auto positions =
      copy_to(this->gpu(), span_of(std::vector<point<TypeParam>>{{0, 0}, {4, 0}}));
  const auto lists = find_nearest(this->gpu(), tree, span_of(positions), 3);
  EXPECT_EQ(lists.offsets.to_host(), (std::vector<std::uint64_t>{0, 3, 6}));
  EXPECT_EQ(lists.found.to_host(),
            (std::vector<neighbour>{{1, 1}, {1, 2}, {1, 3}, {1, 0}, {3, 2}, {3, 4}}));
  EXPECT_EQ(find_nearest(this->gpu(), tree, span_of(positions), 99).found.size(), 12U);
  EXPECT_THROW(static_cast<void>(find_nearest(this->gpu(), tree, span_of(positions), -1)),
               usage_error);
}

TYPED_TEST(gpu_query, many_points_in_many_shapes_are_the_hosts) {
  const auto set = generate_clusters<TypeParam>(200'000, 9);
  const two_trees<TypeParam> trees(this->host, this->gpu(), set, {});
  std::vector<rectangle<TypeParam>> squares;
  for (point_id i = 0; i < set.num_points(); i += 20) {
    const point<TypeParam> p = set[i];
    const auto half = static_cast<TypeParam>(0.002);
    squares.push_back({{{p.x - half, p.y - half}, {p.x + half, p.y + half}}});
  }
  this->expect_same_lists(trees, squares);
  const auto placed = copy_to(this->gpu(), set.positions());
  expect_same_neighbours(find_nearest(this->host, trees.on_host, set.positions(), 8),
                         find_nearest(this->gpu(), trees.on_gpu, span_of(placed), 8));
}

TYPED_TEST(gpu_query, masses_and_gravity_are_the_hosts) {
  auto sets = point_battery<TypeParam>();
  sets.push_back({"many", generate_plummer<TypeParam>(50'000, 3)});
  sets.push_back({"a large leaf", points<TypeParam>(std::vector<point<TypeParam>>(
                                      100'003, {static_cast<TypeParam>(0.1), 3}))});
  for (const auto& [name, set] : sets) {
    if (name == "largest" || name == "large and small") {
      continue;  // sums overflow to NaN, whose bits are the machine's
    }
    SCOPED_TRACE(name);
    const two_trees<TypeParam> trees(this->host, this->gpu(), set, {.leaf_size = 16});
    std::vector<TypeParam> masses;
    for (point_id row = 0; row < set.num_points(); ++row) {
      masses.push_back(static_cast<TypeParam>(0.1 + (row * 37) % 101 / 7.0));
    }
    const auto placed = copy_to(this->gpu(), span_of(masses));
    expect_same_bits(
        aggregate_nodes(this->host, trees.on_host, centre_of_mass<TypeParam>{masses.data()}),
        aggregate_nodes(this->gpu(), trees.on_gpu, centre_of_mass<TypeParam>{placed.data()}));
    if (name != "a large leaf") {  // whose gravity is quadratic
      const gravity_options options{.theta = 0.5, .softening = 0.01};
      expect_same_bits(compute_gravity(this->host, trees.on_host, masses.data(), options),
                       compute_gravity(this->gpu(), trees.on_gpu, placed.data(), options));
    }
  }
}

class gpu_nbody : public both_engines {};

TEST_F(gpu_nbody, theta_zero_is_the_direct_sum) {
  const auto set = generate_clusters<double>(3000, 4);
  const std::vector<double> masses(set.num_points(), 0.25);
  const auto placed = copy_to(gpu(), span_of(masses));
  const auto pulls = compute_gravity(gpu(), build_quadtree(gpu(), set, {.leaf_size = 8}),
                                     placed.data(), {.theta = 0, .softening = 0.01})
                         .to_host();
  ASSERT_EQ(pulls.size(), set.num_points());
  for (point_id row = 0; row < set.num_points(); ++row) {
    const point<double> exact = oracle::pull_on(set, masses, row, 0.01).acceleration;
    const point<double> found = pulls[row].acceleration;
    ASSERT_LE(std::hypot(found.x - exact.x, found.y - exact.y),
              1e-12 * std::hypot(exact.x, exact.y))
        << row;
  }
}

TEST_F(gpu_nbody, bodies_move_as_on_the_host) {
  const auto set = generate_plummer(5000, 8);
  body_list bodies;
  bodies.positions.assign(set.positions().begin(), set.positions().end());
  bodies.velocities.assign(set.num_points(), {0.125, 0});
  bodies.masses.assign(set.num_points(), 1.0 / 5000);
  const gravity_options options{.theta = 0.6, .softening = 0.05};
  nbody_system<host_engine> expected(host, bodies, options);
  nbody_system<cuda_engine> found(gpu(), bodies, options);
  for (int i = 0; i < 5; ++i) {
    expected.step(0.01);
    found.step(0.01);
  }
  EXPECT_EQ(found.bodies().positions, expected.bodies().positions);
  EXPECT_EQ(found.bodies().velocities, expected.bodies().velocities);
  EXPECT_EQ(found.energy().total(), expected.energy().total());
  EXPECT_NE(found.bodies().positions, bodies.positions);
  bodies.velocities[3].x = std::nan("");
  EXPECT_THROW(nbody_system<cuda_engine>(gpu(), bodies), input_error);
}

}  // namespace
}  // namespace tendril::testing
