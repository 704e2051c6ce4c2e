// Real points against values that other programs computed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"
#include "tendril/tree/read_points.hpp"
#include "tree/query_testing.hpp"

namespace tendril::testing {
namespace {

std::filesystem::path shared_datasets() {
  const char* named = std::getenv("TENDRIL_SHARED_DATASETS");
  return named != nullptr ? named : TENDRIL_SHARED_DATASETS_DEFAULT;
}

point<double> point_of(const nlohmann::json& pair) {
  return {pair.at(0), pair.at(1)};
}

class shared_points : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto facts = shared_datasets() / "expected.json";
    if (!std::filesystem::exists(facts)) {
      GTEST_SKIP() << "no " << facts;
    }
    wanted = nlohmann::json::parse(std::ifstream(facts)).at("points").at(GetParam());
    point_file_options options;
    if (wanted.contains("columns")) {
      for (const int column : wanted.at("columns")) {
        options.columns.push_back(std::to_string(column + 1));
      }
    }
    set = read_points(shared_datasets() / GetParam(), options);
  }

  nlohmann::json wanted;
  points<double> set;
};

TEST_P(shared_points, give_the_wantedanswers) {
  host_engine engine;
  ASSERT_EQ(set.num_points(), wanted.at("points"));
  const auto tree = build_quadtree(engine, set);
  EXPECT_EQ(oracle::quadtree_fault(tree, set).value_or("none"), "none");
  EXPECT_EQ(tree.nodes()[0].bounds.low, point_of(wanted.at("bbox_min")));
  EXPECT_EQ(tree.nodes()[0].bounds.high, point_of(wanted.at("bbox_max")));

  const auto& range = wanted.at("range_query");
  const std::vector<rectangle<double>> sides{
      {{point_of(range.at("lo")), point_of(range.at("hi"))}}};
  EXPECT_EQ(reported(engine, tree, sides)[0].size(), range.at("inclusive_count"));

  const auto& disc = wanted.at("radius_query");
  const std::vector<circle<double>> circles{{point_of(disc.at("center")), disc.at("radius")}};
  EXPECT_EQ(reported(engine, tree, circles)[0].size(), disc.at("inclusive_count"));

  const auto& knn = wanted.at("knn_query");
  const auto near = nearest_of<double>(engine, tree, {point_of(knn.at("query"))}, knn.at("k"))[0];
  ASSERT_EQ(near.size(), knn.at("rows_0based").size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    EXPECT_EQ(near[i].row, knn.at("rows_0based").at(i));
    EXPECT_DOUBLE_EQ(near[i].distance, knn.at("distances").at(i));
  }
}

TEST_P(shared_points, have_the_wanteddistances_to_their_nearest) {
  host_engine engine;
  const auto tree = build_quadtree(engine, set);
  const std::vector<point<double>> positions(set.positions().begin(), set.positions().end());
  double sum = 0;
  std::size_t num_coincident = 0;
  for (const auto& near : nearest_of(engine, tree, positions, 2)) {
    sum += near[1].distance;
    num_coincident += near[1].distance == 0 ? 1U : 0U;
  }
  const double expected = wanted.at("sum_nearest_other_distance");
  EXPECT_NEAR(sum, expected, 1e-10 * expected);
  EXPECT_EQ(num_coincident, wanted.at("points_with_a_coincident_other"));
}

INSTANTIATE_TEST_SUITE_P(all, shared_points,
                         ::testing::Values("airports.csv", "cities100000.csv",
                                           "earthquakes-23k.csv.gz", "galaxy_20k_xy.csv.gz",
                                           "minnesota.xy", "ne_50m_populated_places.csv",
                                           "stars_mag6.csv", "west_oakland.co"),
                         [](const auto& test) {
                           const std::string name = test.param;
                           return name.substr(0, name.find_first_of("-."));
                         });

// The project's own points, against the facts counted without tendril.
TEST(bundled_points, are_all_read_and_kept_apart) {
  const std::filesystem::path folder = TENDRIL_DATASETS;
  const auto facts = nlohmann::json::parse(std::ifstream(folder / "expected.json")).at("points");
  ASSERT_GE(facts.size(), 2U);
  for (const auto& [file, expected] : facts.items()) {
    SCOPED_TRACE(file);
    host_engine engine;
    const auto set = read_points(folder / file);
    ASSERT_EQ(set.num_points(), expected.at("points"));
    const auto tree = build_quadtree(engine, set, {.leaf_size = 1});
    EXPECT_EQ(oracle::quadtree_fault(tree, set).value_or("none"), "none");
    const auto& bounds = tree.nodes()[0].bounds;
    EXPECT_EQ(bounds.low, (point<double>{expected.at("lon").at(0), expected.at("lat").at(0)}));
    EXPECT_EQ(bounds.high, (point<double>{expected.at("lon").at(1), expected.at("lat").at(1)}));
    // A leaf of one point and any depth holds one place.
    const auto view = tree.view();
    std::size_t num_leaves = 0;
    for (node_id n = 0; n < view.num_nodes(); ++n) {
      num_leaves += view.is_leaf(n) ? 1U : 0U;
    }
    EXPECT_EQ(num_leaves, expected.at("distinct"));
  }
}

TEST(shared_galaxy, is_pulled_as_expected) {
  const auto facts = shared_datasets() / "expected.json";
  if (!std::filesystem::exists(facts)) {
    GTEST_SKIP() << "no " << facts;
  }
  const auto expected =
      nlohmann::json::parse(std::ifstream(facts)).at("points").at("galaxy_20k_xy.csv.gz");
  const auto columns =
      read_columns(shared_datasets() / "galaxy_20k_xy.csv.gz", {.columns = {"x", "y", "mass"}})
          .columns;
  std::vector<point<double>> positions;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    positions.push_back({columns[0][i], columns[1][i]});
  }
  host_engine engine;
  const auto tree = build_quadtree(engine, points<double>(std::move(positions)));
  const auto sums = aggregate_nodes(engine, tree, centre_of_mass<double>{columns[2].data()});
  EXPECT_NEAR(sums.data()[0].mass, expected.at("total_mass"), 1e-9);
  EXPECT_NEAR(sums.data()[0].centre().x, expected.at("center_of_mass").at(0), 1e-9);
  const auto& direct = expected.at("direct_sum_2d");
  const auto exact = compute_gravity(engine, tree, columns[2].data(),
                                     {.theta = 0, .softening = direct.at("softening")});
  const auto fast = compute_gravity(engine, tree, columns[2].data(),
                                    {.theta = 0.2, .softening = direct.at("softening")});
  for (const auto& [row, acceleration] : direct.at("acceleration_of_row").items()) {
    const point<double> a = point_of(acceleration);
    const double length = std::hypot(a.x, a.y);
    const auto i = static_cast<std::size_t>(std::stoul(row));
    EXPECT_NEAR(exact.data()[i].acceleration.x, a.x, 1e-12 * length);
    EXPECT_NEAR(exact.data()[i].acceleration.y, a.y, 1e-12 * length);
    EXPECT_NEAR(fast.data()[i].acceleration.x, a.x, 1e-2 * length);
    EXPECT_NEAR(fast.data()[i].acceleration.y, a.y, 1e-2 * length);
  }
}

}  // namespace
}  // namespace tendril::testing
