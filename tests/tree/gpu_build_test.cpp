// Trees built on a GPU, by every way, are the host's bit for bit.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"
#include "tendril/tree/read_points.hpp"
#include "tree/gpu_builds.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

template <class Real>
class gpu_build_of : public gpu_build {};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(gpu_build_of, reals);

TYPED_TEST(gpu_build_of, battery_is_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    SCOPED_TRACE(name);
    for (const std::uint32_t leaf_size : {1U, 8U, 32U, 4'000'000'000U}) {
      for (const int max_depth : {0, 1, 5, 16, 17, 31}) {
        expect_host_tree(host, gpu, set, {.leaf_size = leaf_size, .max_depth = max_depth});
      }
    }
  }
}

// More points than a block, a tile of positions or a round of parting holds.
TYPED_TEST(gpu_build_of, many_points_are_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  for (const char* text : {"uniform:300000:5", "clusters:300000:3", "plummer:100000",
                           "uniform:8191:2", "uniform:8192:2", "uniform:8193:2", "uniform:2049",
                           "uniform:131072:4", "uniform:131073:4"}) {
    SCOPED_TRACE(text);
    const auto set = generate_points<TypeParam>(text);
    for (const int max_depth : {3, 16, 31}) {
      expect_host_tree(host, gpu, set, {.max_depth = max_depth});
    }
    expect_host_tree(host, gpu, set,
                     {.bounds = box<double>{{0.2, -1}, {0.7, 3}},
                      .outside = quadtree_options::outside_points::clip});
  }
}

TYPED_TEST(gpu_build_of, duplicates_by_the_million_stay_in_one_leaf) {
  host_engine host;
  cuda_engine gpu;
  for (const std::uint32_t count : {few / 2, 1'000'000U}) {
    std::vector<point<TypeParam>> positions(count, {1, 1});
    positions.insert(positions.begin() + count / 2, {{2, 2}, {1, 1.5}});
    const points<TypeParam> set(std::move(positions));
    for (const int max_depth : {0, 16, 31}) {
      expect_host_tree(host, gpu, set, {.max_depth = max_depth});
    }
  }
}

TYPED_TEST(gpu_build_of, few_points_need_no_clusters) {
  host_engine host;
  cuda_options options;
  options.tuning.use_clusters = false;
  cuda_engine gpu(options);
  expect_host_tree(host, gpu, generate_clusters<TypeParam>(few, 5), {});
  const auto report = grow_quadtree(gpu, generate_uniform<TypeParam>(few)).report;
  EXPECT_EQ(report.child_grids, 1U);    // that parts the root
  EXPECT_EQ(report.tail_launches, 1U);  // that finishes the cells
}

/// Many points in each of the cells on the way down to (1/3, 1/3).
template <coordinate Real>
points<Real> deep_crowds(int num_levels) {
  const auto crowd = generate_uniform<Real>(tile + 5, 3);
  std::vector<point<Real>> all;
  Real size = 1;
  for (int level = 0; level < num_levels; ++level, size /= 4) {
    for (const point<Real>& p : crowd.positions()) {
      all.push_back(
          {static_cast<Real>(1.0 / 3) + p.x * size, static_cast<Real>(1.0 / 3) + p.y * size});
    }
  }
  return points<Real>(std::move(all));
}

TYPED_TEST(gpu_build_of, crowds_in_crowds_reach_the_finest_level) {
  host_engine host;
  cuda_engine gpu;
  const auto set = deep_crowds<TypeParam>(sizeof(TypeParam) == 8 ? 15 : 11);
  expect_host_tree(host, gpu, set, {.leaf_size = 4});
  EXPECT_EQ(oracle::quadtree_fault(built(gpu, build_way::child_grid, set, {.leaf_size = 4}), set)
                .value_or("none"),
            "none");
}

// Pairs that only the finest cells separate: 31 nodes for each, more than a build has guessed.
TEST_F(gpu_build, more_nodes_than_guessed_are_written) {
  host_engine host;
  cuda_engine gpu;
  std::vector<point<double>> positions;
  for (int i = 0; i < 2000; ++i) {
    const double x = ((i * 37) % 2000) / 2048.0;
    positions.push_back({x, x});
    positions.push_back({x + 0x1p-31, x});
  }
  positions.push_back({1, 1});
  const points<double> set(std::move(positions));
  const auto tree = build_quadtree(gpu, set, {.leaf_size = 1});
  EXPECT_GT(tree.num_nodes(), 8 * set.num_points() + 1024);
  expect_host_tree(host, gpu, set, {.leaf_size = 1});
}

TEST_F(gpu_build, refuses_rows_in_the_hosts_words) {
  cuda_engine gpu;
  const auto message_of = [&](const points<double>& set, const quadtree_options& options) {
    std::string text;
    for (const build_way way : all_ways) {
      try {
        static_cast<void>(built(gpu, way, set, options));
        ADD_FAILURE() << "accepted by " << name_of(way);
      } catch (const input_error& error) {
        EXPECT_TRUE(text.empty() || text == error.what());
        text = error.what();
      }
    }
    return text;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, -infinity, std::nan("")}) {
    const points<double> set(std::vector<point<double>>{{0, 0}, {1, 0}, {0.5, bad}, {bad, 1}});
    EXPECT_NE(message_of(set, {}).find("row 2: expected finite coordinates, found (0.5, "),
              std::string::npos);
  }
  const points<double> set(std::vector<point<double>>{{0, 0}, {1, 1}, {1.5, 0.5}, {0.5, -0.1}});
  quadtree_options options{.leaf_size = 1, .bounds = box<double>{{0, 0}, {1, 1}}};
  EXPECT_EQ(message_of(set, options),
            "row 2: expected a point in (0, 0) .. (1, 1), found (1.5, 0.5)");
  options.outside = quadtree_options::outside_points::clip;
  for (const build_way way : all_ways) {
    EXPECT_EQ(built(gpu, way, set, options).num_points(), 2U);
  }
  options.bounds = box<double>{{5, 5}, {6, 6}};
  EXPECT_EQ(build_quadtree(gpu, set, options).num_nodes(), 0U);
  EXPECT_THROW(static_cast<void>(build_quadtree(gpu, set, {.leaf_size = 0})), usage_error);
  EXPECT_THROW(static_cast<void>(build_quadtree(gpu, points<double>(), {.max_depth = 32})),
               usage_error);
}

TEST_F(gpu_build, memory_that_is_not_there_is_refused_with_the_numbers) {
  cuda_options options;
  options.budget_bytes = 1 << 20;
  cuda_engine gpu(options);
  try {
    static_cast<void>(build_quadtree(gpu, generate_uniform<float>(200'000)));
    ADD_FAILURE() << "built";
  } catch (const resource_error& error) {
    EXPECT_NE(std::string(error.what()).find("needed "), std::string::npos) << error.what();
  }
}

// The files of tests/cases that broke other programs' trees.
TEST_F(gpu_build, case_files_are_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  for (const char* name : {"pts_identical.txt", "pts_collinear.txt", "pts_collinear_h.txt",
                           "pts_lattice.txt", "pts_three.txt", "pts_empty.txt"}) {
    SCOPED_TRACE(name);
    const points<double> set = read_points(std::filesystem::path(TENDRIL_TEST_CASES) / name);
    for (const std::uint32_t leaf_size : {1U, 8U, 32U}) {
      expect_host_tree(host, gpu, set, {.leaf_size = leaf_size});
    }
  }
}

}  // namespace
}  // namespace tendril::testing
