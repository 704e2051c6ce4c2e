// Trees built on a GPU, by every way, are the host's bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/cuda/grow_tree.hpp"
#include "tendril/cuda/pending_launches.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/quadtree_certificate.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/read_points.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

constexpr std::uint32_t tile = 8192;      // points that a block of a growing tree holds
constexpr std::uint32_t few = 16 * tile;  // points that a cluster of blocks holds

enum class build_way { sort, child_grid, level };
constexpr build_way all_ways[] = {build_way::sort, build_way::child_grid, build_way::level};
const char* name_of(build_way way) {
  return way == build_way::sort ? "sort" : (way == build_way::level ? "level" : "child-grid");
}

template <coordinate Real>
quadtree<Real> built(cuda_engine& engine, build_way way, const points<Real>& set,
                     const quadtree_options& options) {
  switch (way) {
    case build_way::child_grid:
      return grow_quadtree(engine, set, options, {.way = tree_growth::child_grid}).tree.to_host();
    case build_way::level:
      return grow_quadtree(engine, set, options, {.way = tree_growth::level}).tree.to_host();
    case build_way::sort:
      break;
  }
  return build_quadtree(engine, set, options).to_host();
}

/// Bits, so that a zero's sign counts in positions.
template <class T>
bool same_bits(const shared_array<T>& a, const shared_array<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <coordinate Real>
void expect_same(const quadtree<Real>& found, const quadtree<Real>& expected) {
  EXPECT_TRUE(same_bits(found.nodes(), expected.nodes()));
  EXPECT_TRUE(same_bits(found.positions(), expected.positions()));
  EXPECT_TRUE(same_bits(found.rows(), expected.rows()));
  if (expected.num_nodes() > 0) {
    EXPECT_EQ(found.view().cell(0), expected.view().cell(0));
  }
}

template <coordinate Real>
void expect_host_tree(host_engine& host, cuda_engine& gpu, const points<Real>& set,
                      const quadtree_options& options) {
  const auto expected = build_quadtree(host, set, options);
  for (const build_way way : all_ways) {
    SCOPED_TRACE(std::string(name_of(way)) + ", leaf size " + std::to_string(options.leaf_size) +
                 ", depth " + std::to_string(options.max_depth));
    expect_same(built(gpu, way, set, options), expected);
  }
}

class gpu_build : public ::testing::Test {
 protected:
  void SetUp() override {
    const cuda_devices found = find_cuda_devices();
    if (found.usable.empty()) {
      GTEST_SKIP() << found.reason;
    }
  }
};
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

// 31 levels with more points than a block holds: no level may be lost.
TEST_F(gpu_build, a_chain_of_31_levels_is_grown) {
  host_engine host;
  cuda_engine gpu;
  std::vector<point<double>> positions(20'000, {0, 0});
  positions.insert(positions.end(), 20'000, {0x1p-31, 0});
  positions.push_back({1, 1});
  const points<double> set(std::move(positions));
  const quadtree_options options{.leaf_size = 1};
  expect_host_tree(host, gpu, set, options);
  const auto grown = grow_quadtree(gpu, set, options, {.way = tree_growth::level});
  EXPECT_EQ(grown.tree.num_nodes(), 31U + 3U);
  EXPECT_EQ(grown.report.levels_parted, 31U);
  EXPECT_EQ(grow_quadtree(gpu, set, options).report.levels_parted, 11U);  // 31 / 3, rounded up
}

// By hand: 64 cells of a third level, 4096 of a sixth; a round parts the root, another the 64.
TEST_F(gpu_build, launches_are_those_that_the_points_ask_for) {
  cuda_engine gpu;
  std::vector<point<float>> positions;
  for (int y = 0; y < 1024; ++y) {
    for (int x = 0; x < 1024; ++x) {
      positions.push_back({static_cast<float>(x), static_cast<float>(y)});
    }
  }
  const points<float> lattice(std::move(positions));
  const quadtree_options options{.bounds = box<double>{{0, 0}, {1024, 1024}}};
  const auto children = grow_quadtree(gpu, lattice, options).report;
  EXPECT_EQ(children.levels_parted, 2U);  // 2^20 points, 2^14 in a cell, 2^8
  EXPECT_EQ(children.child_grids, 2U);
  EXPECT_EQ(children.tail_launches, 2U);  // the second round, and what finishes the cells
  EXPECT_EQ(children.refused, 0U);
  const auto levels = grow_quadtree(gpu, lattice, options, {.way = tree_growth::level}).report;
  EXPECT_EQ(levels.levels_parted, 4U);  // 2^18, 2^16, 2^14, 2^12
  EXPECT_EQ(levels.child_grids, 0U);
  EXPECT_EQ(levels.tail_launches, 8U);  // three more rounds, four partings, the finish
  EXPECT_EQ(levels.subtrees, 256U);
  const auto one_block = grow_quadtree(gpu, generate_uniform<float>(tile)).report;
  EXPECT_EQ(one_block.levels_parted, 0U);
  EXPECT_EQ(one_block.child_grids + one_block.tail_launches, 0U);
  EXPECT_EQ(one_block.subtrees, 1U);
}

// By hand: one cluster of blocks parts the root, so only what comes after is launched.
TEST_F(gpu_build, launches_for_few_points_are_those_after_the_root) {
  cuda_engine gpu;
  std::vector<point<float>> positions;
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x) {
      positions.push_back({static_cast<float>(x), static_cast<float>(y)});
    }
  }
  const points<float> lattice(std::move(positions));
  quadtree_options options{.bounds = box<double>{{0, 0}, {256, 256}}};
  const auto spread = grow_quadtree(gpu, lattice, options).report;
  EXPECT_EQ(spread.levels_parted, 1U);  // 2^16 points, 2^10 in a cell of the third level
  EXPECT_EQ(spread.child_grids, 1U);    // that finishes the cells
  EXPECT_EQ(spread.tail_launches, 0U);
  options.bounds = box<double>{{0, 0}, {2048, 2048}};  // all in one cell of the third level
  const auto crowded = grow_quadtree(gpu, lattice, options).report;
  EXPECT_EQ(crowded.levels_parted, 2U);
  EXPECT_EQ(crowded.child_grids, 1U);    // that parts the cell
  EXPECT_EQ(crowded.tail_launches, 2U);  // that counts its points, and that finishes its cells
  EXPECT_EQ(spread.refused + crowded.refused, 0U);
}

TEST_F(gpu_build, refused_launches_are_made_by_the_host) {
  host_engine host;
  cuda_engine gpu;
  for (const std::uint32_t count : {few, 200'000U}) {
    const auto set = generate_clusters<float>(count, 3);
    const auto expected = build_quadtree(host, set);
    for (const tree_growth way : {tree_growth::child_grid, tree_growth::level}) {
      for (const std::uint32_t refuse_every : {1U, 2U, 3U, 5U}) {
        SCOPED_TRACE(std::to_string(count) + ", " + std::string(to_string(way)) + ", every " +
                     std::to_string(refuse_every));
        const auto grown = grow_quadtree(gpu, set, {}, {.way = way, .refuse_every = refuse_every});
        EXPECT_GT(grown.report.refused, 0U);
        expect_same(grown.tree.to_host(), expected);
      }
    }
  }
  const auto set = generate_uniform<float>(few);  // whose only launch is that of the finish
  const auto grown = grow_quadtree(gpu, set, {}, {.refuse_every = 1});
  EXPECT_EQ(grown.report.refused, 1U);
  expect_same(grown.tree.to_host(), build_quadtree(host, set));
}

TEST_F(gpu_build, the_pool_of_pending_launches_does_not_matter) {
  const std::size_t before = cuda::pending_launches();
  host_engine host;
  cuda_engine gpu;
  const auto set = generate_clusters<float>(1'000'000, 64);
  const auto expected = build_quadtree(host, set);
  for (const std::size_t pool : {1U, 64U, 2048U, 32768U}) {
    gpu.context().synchronize();
    cuda::set_pending_launches(pool);
    for (const tree_growth way : {tree_growth::child_grid, tree_growth::level}) {
      SCOPED_TRACE(std::string(to_string(way)) + ", pool " + std::to_string(pool));
      const auto grown = grow_quadtree(gpu, set, {}, {.way = way});
      expect_same(grown.tree.to_host(), expected);
      RecordProperty("refused_" + std::to_string(pool), static_cast<int>(grown.report.refused));
    }
  }
  cuda::set_pending_launches(before);
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
    const points<double> set = read_points(std::string(TENDRIL_TEST_CASES) + "/" + name);
    for (const std::uint32_t leaf_size : {1U, 8U, 32U}) {
      expect_host_tree(host, gpu, set, {.leaf_size = leaf_size});
    }
  }
}

}  // namespace
}  // namespace tendril::testing
