// What trees that grow on a GPU launch, and what becomes of launches that are refused.

#include <string>
#include <vector>

#include "tendril/cuda/pending_launches.hpp"
#include "tendril/tree/generate_points.hpp"
#include "tree/gpu_builds.hpp"

namespace tendril::testing {
namespace {

using gpu_grow = gpu_build;

// 31 levels with more points than a block holds: no level may be lost.
TEST_F(gpu_grow, a_chain_of_31_levels_is_grown) {
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
TEST_F(gpu_grow, launches_are_those_that_the_points_ask_for) {
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
TEST_F(gpu_grow, launches_for_few_points_are_those_after_the_root) {
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

TEST_F(gpu_grow, refused_launches_are_made_by_the_host) {
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
  cuda_options options;
  options.tuning.use_device_launch = false;
  cuda_engine without(options);
  const auto many = generate_uniform<float>(200'000);
  const auto alone = grow_quadtree(without, many);
  EXPECT_EQ(alone.report.child_grids + alone.report.tail_launches, 0U);
  expect_same(alone.tree.to_host(), build_quadtree(host, many));

  const auto set = generate_uniform<float>(few);  // whose only launch is that of the finish
  const auto grown = grow_quadtree(gpu, set, {}, {.refuse_every = 1});
  EXPECT_EQ(grown.report.refused, 1U);
  expect_same(grown.tree.to_host(), build_quadtree(host, set));
}

TEST_F(gpu_grow, the_pool_of_pending_launches_does_not_matter) {
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

}  // namespace
}  // namespace tendril::testing
