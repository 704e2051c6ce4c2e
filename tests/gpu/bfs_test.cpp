#include "tendril/algorithms/bfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "gpu/gpu_test.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/dynamic_engine.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using test::gpu;
using test::make_graph;
using test::search_by;

std::vector<test::named_engine<dynamic_cuda_engine>> engines() {
  return test::engines<dynamic_cuda_engine>();
}

/// Every engine and direction, from these sources, against Boost.Graph's depths.
/// @param is_large  a few searches will do for engines that differ by their schedules
void expect_right(std::vector<test::named_engine<dynamic_cuda_engine>>& engines, const csr<>& graph,
                  const std::vector<std::vector<vertex_id>>& sources, bool is_large) {
  std::vector<std::vector<std::int32_t>> expected;
  expected.reserve(sources.size());
  for (const auto& ids : sources) {
    expected.push_back(oracle::bfs_depths(graph, ids));
  }
  for (auto& [name, engine, tests_schedules] : engines) {
    const auto placed = engine.place(graph);
    const std::size_t enough = tests_schedules ? 1 : sources.size();
    for (const direction way : test::ways_for(is_large && tests_schedules)) {
      for (std::size_t i = 0; i < std::min(enough, sources.size()); ++i) {
        SCOPED_TRACE(name + ", " + std::string(to_string(way)) + ", source set " +
                     std::to_string(i));
        const auto found = bfs(engine, placed, sources[i], search_by(way));
        const auto depth = found.depth.to_host();
        ASSERT_EQ(depth, expected[i]);
        ASSERT_EQ(found.report.end, ending::exhausted);
        if (!tests_schedules || !is_large) {
          ASSERT_EQ(oracle::certify_bfs(graph, sources[i], depth, found.parent.to_host()),
                    std::nullopt);
        }
      }
    }
  }
}

// The first test of its program: nothing else has set up the kernels of the plain engine, which the
// library for launches from the device has, too.
TEST_F(gpu, engines_set_up_the_kernels_that_they_launch) {
  const csr<> path = make_graph(3, {{0, 1}, {1, 2}});
  const std::vector<std::int32_t> expected = {0, 1, 2};
  cuda_engine plain;
  EXPECT_EQ(bfs(plain, plain.place(path), {0}).depth.to_host(), expected);
  dynamic_cuda_engine dynamic;
  EXPECT_EQ(bfs(dynamic, dynamic.place(path), {0}).depth.to_host(), expected);
}

TEST_F(gpu, bfs_of_the_battery_with_every_engine_and_direction) {
  auto all = engines();
  for (const auto& [name, graph, formula] : test::battery()) {
    SCOPED_TRACE(name);
    std::vector<std::vector<vertex_id>> sources;
    for (const auto& set : test::source_sets(graph.num_vertices())) {
      sources.push_back(set.ids);
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(all, graph, sources, false));
    if (formula) {
      const auto depth = bfs(all[0].engine, all[0].engine.place(graph), {0}).depth;
      const auto found = depth.to_host();
      for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
        ASSERT_EQ(found[v], formula(v)) << "vertex " << v;
      }
    }
  }
}

TEST_F(gpu, bfs_of_large_graphs_with_every_engine_and_direction) {
  auto all = engines();
  for (const auto& [name, graph, formula] : test::large_graphs()) {
    SCOPED_TRACE(name);
    std::vector<std::vector<vertex_id>> sources;
    for (const vertex_id source : test::some_sources(graph.num_vertices())) {
      sources.push_back({source});
    }
    ASSERT_NO_FATAL_FAILURE(expect_right(all, graph, sources, true));
  }
}

TEST_F(gpu, bfs_stops_at_a_target_and_at_a_depth) {
  const csr<> graph = generate_grid<>(64, 64, 20, 9);
  const auto all = oracle::bfs_depths(graph, std::vector<vertex_id>{70});
  for (auto& [name, engine, unused] : engines()) {
    SCOPED_TRACE(name);
    const auto placed = engine.place(graph);
    for (const std::int32_t limit : {0, 1, 7, 30}) {
      std::vector<std::int32_t> seen;
      const auto watched = bfs(engine, placed, {70},
                               {.depth_limit = limit, .each_level = [&](const level_report& l) {
                                  seen.push_back(l.level);
                                }});
      const auto found = bfs(engine, placed, {70}, {.depth_limit = limit});
      std::vector<std::int32_t> expected = all;
      for (std::int32_t& depth : expected) {
        depth = depth > limit ? unreached : depth;
      }
      EXPECT_EQ(found.depth.to_host(), expected);
      EXPECT_EQ(watched.depth.to_host(), expected);
      EXPECT_EQ(found.report.end, ending::depth_limit);
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(limit));
    }
    const vertex_id target = 75;
    const auto found = bfs(engine, placed, {70}, {.target = target});
    EXPECT_EQ(found.depth.to_host()[target], all[target]);
    EXPECT_EQ(found.report.end, ending::stopped_by_visitor);
    EXPECT_EQ(found.report.levels.size(), static_cast<std::size_t>(all[target]));
  }
}

TEST_F(gpu, zero_work_is_no_work) {
  cuda_engine engine;
  const std::vector<vertex_id> no_sources;
  const auto empty = engine.place(csr<>());
  EXPECT_TRUE(bfs(engine, empty, no_sources).report.levels.empty());
  EXPECT_THROW(static_cast<void>(bfs(engine, empty, {0})), input_error);
  const auto edgeless = engine.place(make_graph(3, {}));
  EXPECT_TRUE(bfs(engine, edgeless, no_sources).report.levels.empty());
  EXPECT_THROW(static_cast<void>(bfs(engine, edgeless, {3})), input_error);
  EXPECT_EQ(bfs(engine, edgeless, {0}).depth.to_host(),
            (std::vector<std::int32_t>{0, unreached, unreached}));
}

// 1 + 5000 + 200000 vertices on levels 0, 1 and 2.
TEST_F(gpu, five_thousand_hubs_of_forty_leaves_lose_none) {
  test::pairs edges;
  constexpr vertex_id hubs = 5000;
  for (vertex_id hub = 1; hub <= hubs; ++hub) {
    edges.emplace_back(0, hub);
    for (vertex_id leaf = 0; leaf < 40; ++leaf) {
      edges.emplace_back(hub, hubs + 1 + (hub - 1) * 40 + leaf);
    }
  }
  const csr<> graph = make_graph(205001, edges);
  for (auto& [name, engine, unused] : engines()) {
    SCOPED_TRACE(name);
    const auto placed = engine.place(graph);
    for (int run = 0; run < 5; ++run) {
      const auto depth = bfs(engine, placed, {0}).depth.to_host();
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 0), 1);
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 1), 5000);
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 2), 200000);
    }
  }
}

// A ring with chords: eight edges at each vertex, two packed parts of a row.
TEST_F(gpu, rows_of_eight_edges_are_pushed_whole) {
  constexpr vertex_id n = 30011;
  test::pairs edges;
  for (vertex_id v = 0; v < n; ++v) {
    for (const vertex_id step : {1U, 9U, 80U, 700U}) {
      edges.emplace_back(v, (v + step) % n);
    }
  }
  auto all = engines();
  for (const orientation kind : {orientation::undirected, orientation::directed}) {
    ASSERT_NO_FATAL_FAILURE(
        expect_right(all, make_graph(n, edges, kind), {{0}, {n / 2, n - 1}}, false));
  }
}

// Three vertices have edges, and three are entered before any edge is looked at.
TEST_F(gpu, isolated_sources_count_for_none_that_can_be_found) {
  auto all = engines();
  const csr<> graph = make_graph(6, {{0, 1}, {1, 2}}, orientation::undirected);
  ASSERT_NO_FATAL_FAILURE(expect_right(all, graph, {{0, 4, 5}}, false));
}

TEST_F(gpu, a_thousand_random_graphs) {
  std::mt19937 random(20260101);
  auto all = engines();
  for (int round = 0; round < 1000; ++round) {
    const auto n = static_cast<vertex_id>(1 + random() % 3000);
    test::pairs edges;
    for (std::size_t i = random() % (std::size_t{4} * n); i != 0; --i) {
      edges.emplace_back(static_cast<vertex_id>(random() % n),
                         static_cast<vertex_id>(random() % n));
    }
    const auto kind = round % 2 == 0 ? orientation::directed : orientation::undirected;
    const csr<> graph = make_graph(n, edges, kind);
    const std::vector<vertex_id> sources{static_cast<vertex_id>(random() % n)};
    auto& [name, engine, unused] = all[static_cast<std::size_t>(round) % all.size()];
    const direction way = test::all_ways[random() % test::all_ways.size()];
    SCOPED_TRACE("round " + std::to_string(round) + ", " + name);
    const auto found = bfs(engine, engine.place(graph), sources, search_by(way));
    const auto depth = found.depth.to_host();
    ASSERT_EQ(depth, oracle::bfs_depths(graph, sources));
    ASSERT_EQ(oracle::certify_bfs(graph, sources, depth, found.parent.to_host()), std::nullopt);
  }
}

TEST_F(gpu, a_thousand_searches_of_one_graph) {
  const csr<> graph = generate_rmat<>(14, 16, 5);
  auto all = engines();
  std::vector<cuda_graph<>> placed;
  placed.reserve(all.size());
  for (auto& [name, engine, unused] : all) {
    placed.push_back(engine.place(graph));
  }
  std::mt19937 random(20260102);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<vertex_id> sources{static_cast<vertex_id>(random() % graph.num_vertices())};
    const auto which = random() % all.size();
    SCOPED_TRACE("round " + std::to_string(round) + ", " + all[which].name);
    const auto found = bfs(all[which].engine, placed[which], sources);
    const auto depth = found.depth.to_host();
    ASSERT_EQ(oracle::certify_bfs(graph, sources, depth, found.parent.to_host()), std::nullopt);
  }
}

}  // namespace
