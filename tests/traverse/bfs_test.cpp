#include "tendril/algorithms/bfs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "on_battery.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using test::all_ways;
using test::make_graph;

struct answer {
  std::vector<std::int32_t> depth;
  std::vector<vertex_id> parent;
  traverse_report report;
};

answer search(host_engine& engine, const host_graph<>& graph, const std::vector<vertex_id>& sources,
              const bfs_options& options = {}) {
  auto result = bfs(engine, graph, sources, options);
  return {result.depth.to_host(), result.parent.to_host(), std::move(result.report)};
}

std::uint64_t count_reached(const std::vector<std::int32_t>& depth) {
  return static_cast<std::uint64_t>(
      std::count_if(depth.begin(), depth.end(), [](std::int32_t d) { return d != unreached; }));
}

/// Certificate, oracle and report must all agree with the answer.
void expect_right(const csr<>& graph, const std::vector<vertex_id>& sources, const answer& found,
                  const std::vector<std::int32_t>& oracle_depth,
                  std::int32_t limit = std::numeric_limits<std::int32_t>::max()) {
  EXPECT_EQ(found.depth, oracle_depth);
  EXPECT_EQ(oracle::certify_bfs(graph, sources, found.depth, found.parent, limit), std::nullopt);
  EXPECT_EQ(found.report.entered, count_reached(oracle_depth));
}

TENDRIL_BATTERY_SUITE(bfs_on_battery);

TEST_P(bfs_on_battery, agrees_with_oracle_certificate_and_hand) {
  const auto& [name, graph, depth_from_zero] = battery_case();
  for (const auto& [sources_name, sources] : test::source_sets(graph.num_vertices())) {
    const auto expected = oracle::bfs_depths(graph, sources);
    for (const int threads : {1, 2, 4}) {
      host_engine engine({.threads = threads});
      const auto placed = engine.place(graph);
      for (const direction way : all_ways) {
        SCOPED_TRACE(testing::Message() << name << ", sources " << sources_name << ", "
                                        << to_string(way) << ", threads " << threads);
        const answer found = search(engine, placed, sources, {.way = way});
        expect_right(graph, sources, found, expected);
        for (vertex_id v = 0; sources_name == "first" && depth_from_zero && v < found.depth.size();
             ++v) {
          ASSERT_EQ(found.depth[v], depth_from_zero(v)) << "vertex " << v;
        }
      }
    }
  }
}

TEST_P(bfs_on_battery, honours_the_depth_limit) {
  const auto& [name, graph, depth_from_zero] = battery_case();
  host_engine engine({.threads = 2});
  const auto placed = engine.place(graph);
  for (const auto& [sources_name, sources] : test::source_sets(graph.num_vertices())) {
    for (const std::int32_t limit : {0, 1, 2, 7}) {
      const auto expected = oracle::bfs_depths(graph, sources, limit);
      for (const direction way : all_ways) {
        SCOPED_TRACE(testing::Message()
                     << name << ", sources " << sources_name << ", limit " << limit);
        const answer found = search(engine, placed, sources, {.way = way, .depth_limit = limit});
        expect_right(graph, sources, found, expected, limit);
        EXPECT_LE(found.report.levels.size(), static_cast<std::size_t>(limit));
      }
    }
  }
}

TEST(bfs, parents_of_a_source_are_itself_and_unreached_have_none) {
  host_engine engine;
  const auto graph = engine.place(make_graph(4, {{0, 1}, {2, 3}}));
  const answer found = search(engine, graph, {0});
  EXPECT_EQ(found.depth, (std::vector<std::int32_t>{0, 1, unreached, unreached}));
  EXPECT_EQ(found.parent, (std::vector<vertex_id>{0, 0, no_vertex, no_vertex}));
}

TEST(bfs, no_sources_reach_nothing) {
  host_engine engine;
  const auto graph = engine.place(generate_path(3));
  const answer found = search(engine, graph, {});
  EXPECT_EQ(found.depth, std::vector<std::int32_t>(3, unreached));
  EXPECT_TRUE(found.report.levels.empty());
  EXPECT_EQ(found.report.entered, 0U);
}

TEST(bfs, stops_after_the_level_that_reaches_the_target) {
  host_engine engine;
  const auto graph = engine.place(generate_path(100));
  for (const direction way : all_ways) {
    const answer found = search(engine, graph, {10}, {.way = way, .target = 13});
    EXPECT_EQ(found.depth[13], 3);
    EXPECT_EQ(found.depth[7], 3);
    EXPECT_EQ(found.depth[14], unreached);
    EXPECT_EQ(found.report.end, ending::stopped_by_visitor);
    EXPECT_EQ(
        oracle::certify_bfs(graph.host(), std::vector<vertex_id>{10}, found.depth, found.parent, 3),
        std::nullopt);
  }
}

TEST(bfs, expands_nothing_when_the_target_is_a_source) {
  host_engine engine;
  const auto graph = engine.place(generate_path(5));
  const answer found = search(engine, graph, {4, 1}, {.target = 1});
  EXPECT_EQ(found.depth, (std::vector<std::int32_t>{-1, 0, -1, -1, 0}));
}

TEST(bfs, an_unreachable_target_ends_with_the_component) {
  host_engine engine;
  const auto graph = engine.place(make_graph(3, {{0, 1}}));
  const answer found = search(engine, graph, {0}, {.target = 2});
  EXPECT_EQ(found.depth, (std::vector<std::int32_t>{0, 1, unreached}));
  EXPECT_EQ(found.report.end, ending::exhausted);
}

TEST(bfs, refuses_a_target_outside_the_graph_and_a_negative_limit) {
  host_engine engine;
  const auto graph = engine.place(generate_path(5));
  try {
    search(engine, graph, {0}, {.target = 5});
    FAIL() << "searched for a vertex that is not there";
  } catch (const input_error& refused) {
    EXPECT_STREQ(refused.what(), "target 5 is not in the graph: expected 0 .. 4");
  }
  EXPECT_THROW(search(engine, graph, {0}, {.depth_limit = -1}), usage_error);
  EXPECT_THROW(search(engine, graph, {0}, {.depth_limit = -1, .target = 0}), usage_error);
}

TEST(bfs, reports_each_level) {
  host_engine engine;
  const auto graph = engine.place(generate_star(10));
  std::vector<std::int32_t> seen;
  const answer found =
      search(engine, graph, {0},
             {.each_level = [&](const level_report& level) { seen.push_back(level.level); }});
  EXPECT_EQ(seen, (std::vector<std::int32_t>{0, 1}));
  ASSERT_EQ(found.report.levels.size(), 2U);
  EXPECT_EQ(found.report.levels[0].frontier, 1U);
  EXPECT_EQ(found.report.levels[0].frontier_edges, 9U);
  EXPECT_EQ(found.report.levels[1].frontier, 9U);
  EXPECT_EQ(found.report.levels[1].frontier_edges, 9U);
}

TEST(bfs, pulls_the_broad_levels_of_a_skewed_graph_by_itself) {
  host_engine engine({.threads = 2});
  const auto graph = engine.place(generate_rmat(14, 16, 1));
  const answer found = search(engine, graph, {graph.view().target(0)});
  const auto& levels = found.report.levels;
  EXPECT_TRUE(std::any_of(levels.begin(), levels.end(),
                          [](const level_report& l) { return l.way == direction::pull; }));
}

// direction::automatic must not pay for a transpose that nobody asked for.
TEST(bfs, automatic_pulls_on_a_directed_graph_only_once_the_transpose_is_there) {
  const csr<> undirected = generate_rmat(14, 16, 1);
  host_engine engine({.threads = 2});
  const auto graph = engine.place(with_kind(undirected, orientation::directed));
  const auto pulls = [&] {
    const answer found = search(engine, graph, {undirected.targets()[0]});
    return std::any_of(found.report.levels.begin(), found.report.levels.end(),
                       [](const level_report& l) { return l.way == direction::pull; });
  };
  EXPECT_FALSE(pulls());
  EXPECT_FALSE(graph.can_pull());
  EXPECT_GT(graph.prepare_pull(), 0.0);
  EXPECT_EQ(graph.prepare_pull(), 0.0);
  EXPECT_TRUE(pulls());
}

TEST(bfs, random_graphs_agree_with_the_oracle_under_all_options) {
  std::mt19937 random(20260801);
  const auto below = [&](unsigned bound) { return static_cast<vertex_id>(random() % bound); };
  std::array<host_engine, 2> engines{host_engine({.threads = 1}), host_engine({.threads = 3})};
  for (int round = 0; round < 1000; ++round) {
    const vertex_id n = 1 + below(150);
    test::pairs edges(below(4 * n));
    for (auto& [source, target] : edges) {
      source = below(n);
      target = below(n);
    }
    const csr<> graph =
        make_graph(n, edges, below(2) == 0 ? orientation::directed : orientation::undirected);
    std::vector<vertex_id> sources(1 + below(4));
    for (vertex_id& source : sources) {
      source = below(n);
    }
    const std::int32_t limit = below(3) == 0 ? static_cast<std::int32_t>(below(6))
                                             : std::numeric_limits<std::int32_t>::max();
    const auto expected = oracle::bfs_depths(graph, sources, limit);
    for (host_engine& engine : engines) {
      const auto placed = engine.place(graph);
      for (const direction way : all_ways) {
        SCOPED_TRACE("round " + std::to_string(round) + ", " + std::string(to_string(way)));
        expect_right(graph, sources,
                     search(engine, placed, sources, {.way = way, .depth_limit = limit}), expected,
                     limit);
      }
    }
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
