#include "tendril/tree/quadtree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"
#include "tendril/tree/build.hpp"
#include "tree/point_battery.hpp"

namespace {

using tendril::box;
using tendril::build_quadtree;
using tendril::host_engine;
using tendril::input_error;
using tendril::point;
using tendril::points;
using tendril::quadtree;
using tendril::quadtree_node;
using tendril::quadtree_options;
using tendril::usage_error;
using tendril::oracle::quadtree_fault;
using tendril::testing::point_battery;

template <class Real>
class quadtree_of : public ::testing::Test {};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(quadtree_of, reals);

template <class Real>
void expect_same(const quadtree<Real>& a, const quadtree<Real>& b) {
  const auto same = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  EXPECT_TRUE(same(a.nodes(), b.nodes()));
  EXPECT_TRUE(same(a.positions(), b.positions()));
  EXPECT_TRUE(same(a.rows(), b.rows()));
}

TYPED_TEST(quadtree_of, battery_has_the_certificate_and_does_not_depend_on_threads) {
  host_engine one({.threads = 1});
  host_engine two({.threads = 2});
  host_engine five({.threads = 5});
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    for (const std::uint32_t leaf_size : {1U, 8U, 32U}) {
      for (const int max_depth : {0, 1, 5, 16, 31}) {
        SCOPED_TRACE(name + ", leaf size " + std::to_string(leaf_size) + ", depth " +
                     std::to_string(max_depth));
        const quadtree_options options{.leaf_size = leaf_size, .max_depth = max_depth};
        const auto tree = build_quadtree(one, set, options);
        EXPECT_EQ(quadtree_fault(tree, set).value_or("none"), "none");
        expect_same(tree, build_quadtree(two, set, options));
        expect_same(tree, build_quadtree(five, set, options));
      }
    }
  }
}

TYPED_TEST(quadtree_of, many_points_do_not_depend_on_threads) {
  host_engine one({.threads = 1});
  host_engine four({.threads = 4});
  for (const char* text : {"uniform:100000:5", "clusters:100000:3"}) {
    SCOPED_TRACE(text);
    const auto set = tendril::generate_points<TypeParam>(text);
    const auto tree = build_quadtree(four, set);
    EXPECT_EQ(quadtree_fault(tree, set).value_or("none"), "none");
    expect_same(tree, build_quadtree(one, set));
  }
}

TYPED_TEST(quadtree_of, a_million_duplicates_stay_in_one_leaf) {
  host_engine engine;
  std::vector<point<TypeParam>> positions(1'000'000, {1, 1});
  positions.push_back({2, 2});
  const points<TypeParam> set(std::move(positions));
  const auto tree = build_quadtree(engine, set);
  EXPECT_EQ(tree.num_nodes(), 3U);
  EXPECT_EQ(quadtree_fault(tree, set).value_or("none"), "none");
}

// By hand: bounds [0, 4]^2, cells of level 2 are 1 wide, and 4 belongs to the last of them.
TEST(quadtree, lattice_points_belong_to_the_cell_above_their_border) {
  host_engine engine;
  const auto set = tendril::testing::lattice<double>(5);
  const quadtree_options options{
      .leaf_size = 1, .max_depth = 1, .bounds = box<double>{{0, 0}, {4, 4}}};
  const auto tree = build_quadtree(engine, set, options);
  ASSERT_EQ(tree.num_nodes(), 5U);
  EXPECT_EQ(tree.nodes()[1].num_points(), 4U);  // x, y in {0, 1}
  EXPECT_EQ(tree.nodes()[2].num_points(), 6U);  // x in {2, 3, 4}, y in {0, 1}
  EXPECT_EQ(tree.nodes()[3].num_points(), 6U);
  EXPECT_EQ(tree.nodes()[4].num_points(), 9U);
  const box<double> quadrant{{2, 0}, {4, 2}};
  EXPECT_EQ(tree.view().cell(2), quadrant);
}

TEST(quadtree, the_root_is_a_square_over_the_points) {
  host_engine engine;
  const points<double> set(std::vector<point<double>>{{1, 5}, {9, 7}});
  const box<double> square{{1, 5}, {9, 13}};
  EXPECT_EQ(build_quadtree(engine, set).view().cell(0), square);
}

// 2^-31 apart in the unit square: only the finest level tells them apart.
TEST(quadtree, reaches_the_finest_level) {
  host_engine engine;
  const points<double> set(std::vector<point<double>>{{0, 0}, {0x1p-31, 0}, {1, 1}});
  const auto tree = build_quadtree(engine, set, {.leaf_size = 1});
  EXPECT_EQ(quadtree_fault(tree, set).value_or("none"), "none");
  const auto deepest =
      std::max_element(tree.nodes().begin(), tree.nodes().end(),
                       [](const auto& a, const auto& b) { return a.depth < b.depth; });
  EXPECT_EQ(deepest->depth, 31U);
  EXPECT_EQ(tree.num_nodes(), 31U + 3U);  // root .. level 30, two leaves below, (1, 1)'s own
}

TEST(quadtree, rejects_rows_that_are_not_finite) {
  host_engine engine;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    const points<double> set(std::vector<point<double>>{{0, 0}, {1, 0}, {0.5, bad}, {bad, 1}});
    try {
      static_cast<void>(build_quadtree(engine, set));
      ADD_FAILURE() << "accepted " << bad;
    } catch (const input_error& error) {
      EXPECT_NE(std::string(error.what()).find("row 2: expected finite coordinates"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(quadtree, refuses_or_clips_points_outside_given_bounds) {
  host_engine engine;
  const points<double> set(std::vector<point<double>>{{0, 0}, {1, 1}, {1.5, 0.5}, {0.5, -0.1}});
  quadtree_options options{.leaf_size = 1, .bounds = box<double>{{0, 0}, {1, 1}}};
  try {
    static_cast<void>(build_quadtree(engine, set, options));
    ADD_FAILURE() << "accepted row 2";
  } catch (const input_error& error) {
    EXPECT_NE(std::string(error.what()).find("row 2: expected a point in"), std::string::npos)
        << error.what();
  }
  options.outside = quadtree_options::outside_points::clip;
  const auto tree = build_quadtree(engine, set, options);
  EXPECT_EQ(tree.num_points(), 2U);
  EXPECT_EQ(quadtree_fault(tree, set).value_or("none"), "none");
  const auto whole = build_quadtree(engine, set, {.leaf_size = 1});
  const quadtree<double> unclipped(whole.nodes(), whole.positions(), whole.rows(), whole.cells(),
                                   options);
  EXPECT_NE(quadtree_fault(unclipped, set).value_or("none").find("is to be clipped"),
            std::string::npos);
  options.bounds = box<double>{{5, 5}, {6, 6}};
  EXPECT_EQ(build_quadtree(engine, set, options).num_nodes(), 0U);
}

TEST(quadtree, rejects_options_that_mean_nothing) {
  host_engine engine;
  const points<double> none;
  EXPECT_THROW(static_cast<void>(build_quadtree(engine, none, {.leaf_size = 0})), usage_error);
  EXPECT_THROW(static_cast<void>(build_quadtree(engine, none, {.max_depth = 32})), usage_error);
  EXPECT_THROW(static_cast<void>(build_quadtree(engine, none, {.max_depth = -1})), usage_error);
  EXPECT_THROW(
      static_cast<void>(build_quadtree(engine, none, {.bounds = box<double>{{1, 0}, {0, 1}}})),
      usage_error);
}

// Each way to break a tree, one at a time: the certificate must see it.
TEST(quadtree_certificate, sees_every_mutation) {
  host_engine engine;
  const auto set = tendril::generate_uniform<double>(500, 3);
  const quadtree_options options{.leaf_size = 8};
  const auto good = build_quadtree(engine, set, options);
  ASSERT_FALSE(quadtree_fault(good, set));

  using nodes = std::vector<quadtree_node<double>>;
  using rows = std::vector<tendril::point_id>;
  using positions = std::vector<point<double>>;
  const auto expect_fault = [&](const char* what, const auto& mutate) {
    nodes n(good.nodes().begin(), good.nodes().end());
    rows r(good.rows().begin(), good.rows().end());
    positions p(good.positions().begin(), good.positions().end());
    mutate(n, r, p);
    const quadtree<double> bad(n, p, r, good.cells(), options);
    EXPECT_TRUE(quadtree_fault(bad, set)) << what;
  };
  const auto leaf = [&](const nodes& n) {
    std::size_t i = n.size() / 2;
    while (n[i].next != i + 1) {
      ++i;
    }
    return i;
  };
  expect_fault("a row twice", [](nodes&, rows& r, positions&) { r[3] = r[4]; });
  expect_fault("two rows exchanged", [](nodes&, rows& r, positions&) { std::swap(r[3], r[400]); });
  expect_fault("a position moved", [](nodes&, rows&, positions& p) { p[7].x += 1e-9; });
  expect_fault("two points exchanged between leaves", [](nodes&, rows& r, positions& p) {
    std::swap(r[3], r[400]);
    std::swap(p[3], p[400]);
  });
  expect_fault("two points exchanged in a leaf", [&](nodes& n, rows& r, positions& p) {
    const auto first = n[leaf(n)].first;
    std::swap(r[first], r[first + 1]);
    std::swap(p[first], p[first + 1]);
  });
  expect_fault("bounds too wide",
               [&](nodes& n, rows&, positions&) { n[leaf(n)].bounds.high.x += 1e-9; });
  expect_fault("bounds too narrow", [](nodes& n, rows&, positions&) { n[0].bounds.low.y += 1e-9; });
  expect_fault("a leaf that lost a point", [&](nodes& n, rows&, positions&) { --n[leaf(n)].end; });
  expect_fault("a leaf one level too deep",
               [&](nodes& n, rows&, positions&) { ++n[leaf(n)].depth; });
  expect_fault("an inner node cut to a leaf", [](nodes& n, rows&, positions&) {
    const auto removed = n[0].next - 1;
    n.erase(n.begin() + 1, n.begin() + 1 + removed);
    n[0].next = 1;
  });
  expect_fault("next points past a sibling",
               [](nodes& n, rows&, positions&) { n[1].next = n[n[1].next].next; });
}

// A tree without other faults, on cells that nobody asked for.
TEST(quadtree_certificate, sees_a_wrong_root_cell) {
  host_engine engine;
  const auto set = tendril::generate_uniform<double>(500, 3);
  quadtree_options options{.leaf_size = 8};
  const auto square = build_quadtree(engine, set, options);
  options.bounds = box<double>{{-1, -1}, {2, 3}};
  const auto bounded = build_quadtree(engine, set, options);
  ASSERT_FALSE(quadtree_fault(bounded, set));
  const auto with_options = [](const quadtree<double>& tree, const quadtree_options& others) {
    return quadtree<double>(tree.nodes(), tree.positions(), tree.rows(), tree.cells(), others);
  };
  const std::string fault = "the root's cell is not the one that was asked for";
  EXPECT_EQ(quadtree_fault(with_options(square, bounded.options()), set).value_or("none"), fault);
  EXPECT_EQ(quadtree_fault(with_options(bounded, square.options()), set).value_or("none"), fault);
}

}  // namespace
