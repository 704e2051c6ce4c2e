// Inputs that broke other programs, and the right answers, worked out by hand or by brute force in
// exact arithmetic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/core/error.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"
#include "tendril/tree/read_points.hpp"
#include "tree/query_testing.hpp"

namespace tendril::testing {
namespace {

using row_list = std::vector<point_id>;
constexpr std::uint32_t leaf_sizes[] = {1, 8, 32};

std::filesystem::path case_file(const char* name) {
  return std::filesystem::path(TENDRIL_TEST_CASES) / name;
}

void expect_certified(const quadtree<double>& tree, const points<double>& set) {
  EXPECT_EQ(oracle::quadtree_fault(tree, set).value_or("none"), "none");
}

row_list rows_of(const std::vector<neighbour>& found) {
  row_list rows;
  for (const neighbour& n : found) {
    rows.push_back(n.row);
  }
  return rows;
}

void expect_distances(const std::vector<neighbour>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i].distance, expected[i], 1e-9);
  }
}

TEST(case_h27, identical_points) {
  host_engine engine;
  const points<double> few = read_points(case_file("pts_identical.txt"));
  const points<double> many(std::vector<point<double>>(5000, few[0]));
  for (const auto& set : {few, many}) {
    const point_id n = set.num_points();
    for (const std::uint32_t leaf_size : leaf_sizes) {
      const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
      expect_certified(tree, set);
      const auto rows = reported(engine, tree, std::vector<rectangle<double>>{{{{0, 0}, {1, 1}}}});
      EXPECT_EQ(rows[0].size(), n);
      const auto near = nearest_of<double>(engine, tree, {{0.1, 0.7}, {0.4, 1.1}}, 5);
      expect_distances(near[0], {0, 0, 0, 0, 0});
      expect_distances(near[1], {0.5, 0.5, 0.5, 0.5, 0.5});
      EXPECT_EQ(rows_of(near[0]), (row_list{0, 1, 2, 3, 4}));
      EXPECT_EQ(rows_of(near[1]), (row_list{0, 1, 2, 3, 4}));
    }
  }
  EXPECT_EQ(few.num_points(), 36U);
}

TEST(case_h28, collinear_points) {
  host_engine engine;
  for (const bool vertical : {true, false}) {
    const auto turn = [vertical](double x, double y) {
      return vertical ? point<double>{x, y} : point<double>{y, x};
    };
    const points<double> set =
        read_points(case_file(vertical ? "pts_collinear.txt" : "pts_collinear_h.txt"));
    for (const std::uint32_t leaf_size : leaf_sizes) {
      const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
      expect_certified(tree, set);
      const auto rows = reported(
          engine, tree,
          std::vector<rectangle<double>>{{{turn(2, 3), turn(2, 5)}}, {{turn(2, 0), turn(2, 11)}}});
      EXPECT_EQ(rows[0], (row_list{3, 4, 8}));
      EXPECT_EQ(rows[1].size(), 12U);
      const auto near = nearest_of<double>(engine, tree, {turn(2, 5.2)}, 3);
      expect_distances(near[0], {0.2, 0.8, 1.2});
      EXPECT_EQ(rows_of(near[0]), (row_list{4, 11, 8}));
    }
  }
}

TEST(case_h29, points_on_cell_borders) {
  host_engine engine;
  const points<double> set = read_points(case_file("pts_lattice.txt"));
  for (const bool given : {true, false}) {
    quadtree_options options{.leaf_size = 1};
    if (given) {
      options.bounds = box<double>{{0, 0}, {4, 4}};
    }
    const auto tree = build_quadtree(engine, set, options);
    expect_certified(tree, set);
    const auto rows = reported(
        engine, tree,
        std::vector<rectangle<double>>{
            {{{0, 0}, {4, 4}}}, {{{1, 1}, {3, 3}}}, {{{2, 2}, {2, 2}}}, {{{2, 2}, {4, 4}}}});
    EXPECT_EQ(rows[0].size(), 25U);
    EXPECT_EQ(rows[1].size(), 9U);
    EXPECT_EQ(rows[2], (row_list{12}));
    EXPECT_EQ(rows[3].size(), 9U);
    const std::vector<point<double>> positions(set.positions().begin(), set.positions().end());
    const auto near = nearest_of(engine, tree, positions, 1);
    for (point_id row = 0; row < set.num_points(); ++row) {
      EXPECT_EQ(near[row], (std::vector<neighbour>{{0, row}}));
    }
  }
}

/// The case's own generator: a 64-bit congruential one, ten decimals of its upper half.
points<double> hundred_thousand_points() {
  std::uint64_t state = 12345;
  const auto next = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return std::round(static_cast<double>(state >> 32U) / 4294967296.0 * 1e10) / 1e10;
  };
  std::vector<point<double>> positions;
  for (int i = 0; i < 100'000; ++i) {
    const double x = next();
    positions.push_back({x, next()});
  }
  return points<double>(std::move(positions));
}

TEST(case_h29, a_hundred_thousand_points) {
  host_engine engine;
  const points<double> set = hundred_thousand_points();
  const auto tree = build_quadtree(engine, set);
  expect_certified(tree, set);
  const double below = std::nextafter(0.5, 0);
  const auto counts = count_in(engine, tree,
                               std::span<const rectangle<double>>(
                                   std::vector<rectangle<double>>{{{{0, 0}, {below, below}}},
                                                                  {{{0.5, 0}, {1, below}}},
                                                                  {{{0, 0.5}, {below, 1}}},
                                                                  {{{0.5, 0.5}, {1, 1}}},
                                                                  {{{0.25, 0.25}, {0.26, 0.26}}}}));
  EXPECT_EQ(counts.to_host(), (std::vector<std::uint64_t>{25064, 24989, 24816, 25131, 10}));
  const auto near = nearest_of<double>(engine, tree, {{0.5, 0.5}}, 3);
  EXPECT_EQ(rows_of(near[0]), (row_list{42238, 52508, 13382}));
  expect_distances(near[0], {0.0007322972, 0.0021169101, 0.0030871009});
}

TEST(case_h30, nan_and_infinity_name_their_line) {
  try {
    static_cast<void>(read_points(case_file("pts_nan_inf.txt")));
    ADD_FAILURE() << "accepted";
  } catch (const input_error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("pts_nan_inf.txt:3: expected a finite number, found "
                        "'nan'"),
              std::string::npos)
        << error.what();
  }
}

TEST(case_h31, k_out_of_range) {
  host_engine engine;
  const points<double> set = read_points(case_file("pts_three.txt"));
  const auto tree = build_quadtree(engine, set);
  const std::vector<point<double>> batch{{0, 0}, {0, 0}};
  const std::vector<neighbour> all{{0, 0}, {5, 1}, {10, 2}};
  for (const std::int64_t k : {std::int64_t{3}, std::int64_t{5}, std::int64_t{2147483647}}) {
    const auto near = nearest_of(engine, tree, batch, k);
    EXPECT_EQ(near[0], all);
    EXPECT_EQ(near[1], all);
  }
  EXPECT_TRUE(nearest_of(engine, tree, batch, 0)[1].empty());
  EXPECT_THROW(nearest_of(engine, tree, batch, -1), usage_error);
}

TEST(case_h32, coincident_bodies_at_theta_zero) {
  host_engine engine;
  const number_columns read =
      read_columns(case_file("bodies_coincident.txt"), {.columns = {"1", "2", "3"}});
  std::vector<point<double>> positions;
  for (std::size_t i = 0; i < read.columns[0].size(); ++i) {
    positions.push_back({read.columns[0][i], read.columns[1][i]});
  }
  const points<double> set(std::move(positions));
  const std::vector<point<double>> softened{{3.2404781805, 2.3305654810},
                                            {3.2404781805, 2.3305654810},
                                            {-2.4605042764, 2.0324219592},
                                            {1.3277386608, -0.6863740285},
                                            {-0.6563329202, -0.6018995032}};
  const std::vector<point<double>> plain{{4.3840000000, 2.5120000000},
                                         {4.3840000000, 2.5120000000},
                                         {-3.3577708764, 2.1466252584},
                                         {1.3818327771, -0.7828338190},
                                         {-0.6734736695, -0.6162394051}};
  for (const std::uint32_t leaf_size : {1U, 8U}) {
    const auto tree = build_quadtree(engine, set, {.leaf_size = leaf_size});
    for (const double softening : {0.0, 0.5}) {
      const auto pulls = compute_gravity(engine, tree, read.columns[2].data(),
                                         {.theta = 0, .softening = softening});
      const auto& expected = softening == 0 ? plain : softened;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(pulls.data()[i].acceleration.x, expected[i].x, 1e-9);
        EXPECT_NEAR(pulls.data()[i].acceleration.y, expected[i].y, 1e-9);
      }
    }
  }
}

TEST(case_h34, no_points) {
  host_engine engine;
  const points<double> set = read_points(case_file("pts_empty.txt"));
  EXPECT_EQ(set.num_points(), 0U);
  const auto tree = build_quadtree(engine, set);
  EXPECT_EQ(tree.num_nodes(), 0U);
  EXPECT_TRUE(nearest_of<double>(engine, tree, {{0, 0}}, 5)[0].empty());
  EXPECT_TRUE(
      reported(engine, tree, std::vector<rectangle<double>>{{{{0, 0}, {1, 1}}}})[0].empty());
  EXPECT_EQ(compute_gravity(engine, tree, static_cast<const double*>(nullptr)).size(), 0U);
}

}  // namespace
}  // namespace tendril::testing
