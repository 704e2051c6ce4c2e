#include "tendril/query/reach.hpp"

#include <gtest/gtest.h>

#include "on_battery.hpp"
#include "query/reach_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/reach.hpp"

namespace {

using namespace tendril;
using test::make_graph;

class reach_on_battery : public test::on_battery {
 protected:
  /// Few where each costs a search of a large graph.
  [[nodiscard]] std::size_t num_distinct() const {
    return battery_case().graph.num_vertices() > 10'000 ? 5 : 150;
  }
};

TEST_P(reach_on_battery, answers_like_boost_whatever_the_width) {
  const csr<>& graph = battery_case().graph;
  test::depths_by_source depths(graph);
  for (const int threads : {1, 3}) {
    host_engine engine({.threads = threads});
    const auto placed = engine.place(graph);
    for (const std::size_t count : {1U, 64U, 65U, 200U, 600U}) {
      SCOPED_TRACE(std::to_string(count) + " sources, threads " + std::to_string(threads));
      const auto sources =
          test::spread_sources(graph.num_vertices(), count, std::min(count, num_distinct()));
      test::expect_right(
          reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true}), sources,
          depths);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST_P(reach_on_battery, pulls_along_the_edges_of_a_directed_graph) {
  const csr<>& graph = battery_case().graph;
  test::depths_by_source depths(graph);
  host_engine engine({.threads = 2});
  const auto placed = engine.place(graph);
  placed.prepare_pull();
  const auto sources = test::spread_sources(graph.num_vertices(), 100, num_distinct());
  test::expect_right(reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true}),
                     sources, depths);
}

TEST_P(reach_on_battery, full_depths_are_those_of_boost) {
  const csr<>& graph = battery_case().graph;
  if (graph.num_vertices() == 0) {
    host_engine engine;
    EXPECT_THROW(static_cast<void>(bfs_batch(engine, engine.place(graph), {0})), input_error);
    return;
  }
  test::depths_by_source depths(graph);
  host_engine engine({.threads = 2});
  const auto placed = engine.place(graph);
  for (const std::size_t count : {3U, 70U, 130U, 260U}) {
    const auto sources =
        test::spread_sources(graph.num_vertices(), count, std::min(count, num_distinct()));
    const auto found = bfs_batch(engine, placed, sources);
    for (const std::size_t query : {std::size_t{0}, count / 2, count - 1}) {
      ASSERT_EQ(found.to_host(query), depths[sources[query]])
          << "query " << query << " of " << count;
    }
  }
}

TEST_P(reach_on_battery, side_by_side_answers_like_boost) {
  const csr<>& graph = battery_case().graph;
  test::depths_by_source depths(graph);
  host_engine engine({.threads = 3});
  const auto placed = engine.place(graph);
  const auto sources =
      test::spread_sources(graph.num_vertices(), 40, std::min<std::size_t>(num_distinct(), 20));
  test::expect_right(
      reach(engine, placed, sources, {.way = reach_way::streams, .histograms = true}), sources,
      depths);
}

TENDRIL_RUN_ON_BATTERY(reach_on_battery);

// 0 - 1 - 2 - 3, and 4 alone.
TEST(reach, counts_by_hand) {
  host_engine engine;
  const auto graph = engine.place(make_graph(5, {{0, 1}, {1, 2}, {2, 3}}, orientation::undirected));
  const auto found =
      reach(engine, graph, {0, 1, 4, 0}, {.way = reach_way::batch, .histograms = true});
  EXPECT_EQ(found.queries[0], (reach_summary{4, 3, 6}));
  EXPECT_EQ(found.queries[1], (reach_summary{4, 2, 4}));
  EXPECT_EQ(found.queries[2], (reach_summary{1, 0, 0}));
  EXPECT_EQ(found.queries[3], found.queries[0]);
  using counts = std::vector<vertex_id>;
  EXPECT_EQ(found.histograms, (std::vector<counts>{{1, 1, 1, 1}, {1, 2, 1}, {1}, {1, 1, 1, 1}}));
  EXPECT_DOUBLE_EQ(found.queries[0].closeness(5), 3.0 / 4.0 * 3.0 / 6.0);
  EXPECT_DOUBLE_EQ(found.queries[2].closeness(5), 0.0);
}

TEST(reach, a_pass_is_as_narrow_as_its_batch) {
  host_engine engine;
  const auto graph = engine.place(generate_path(700));
  const auto report = [&](std::size_t count, std::size_t lanes) {
    return reach(engine, graph, test::spread_sources(700, count, count),
                 {.way = reach_way::batch, .lanes = lanes})
        .report;
  };
  EXPECT_EQ(report(64, 512).lanes, 64U);
  EXPECT_EQ(report(65, 512).lanes, 128U);
  EXPECT_EQ(report(129, 512).lanes, 256U);
  EXPECT_EQ(report(600, 512).lanes, 512U);
  EXPECT_EQ(report(600, 512).passes, 2U);
  EXPECT_EQ(report(130, 64).passes, 3U);
}

TEST(reach, chooses_lanes_for_broad_levels_and_threads_for_narrow_ones) {
  host_engine engine;
  const auto report = [&](const char* text) {
    const csr<> graph = generate(text);
    return reach(engine, engine.place(graph), {graph.targets()[0]}).report;
  };
  const reach_report broad = report("rmat:17:16");
  EXPECT_EQ(broad.way, reach_way::batch);
  EXPECT_TRUE(broad.reason.starts_with("a query enters more than 32768 vertices in its first "))
      << broad.reason;
  const reach_report narrow = report("path:500");
  EXPECT_EQ(narrow.way, reach_way::streams);
  // From vertex 1 the first 32 levels enter 1 to the left and 32 to the right.
  EXPECT_EQ(narrow.reason, "a query enters 34 vertices in its first 32 levels");
}

TEST(reach, without_histograms_only_the_summaries_are_kept) {
  host_engine engine;
  const auto found = reach(engine, engine.place(generate_star(10)), {0, 3});
  EXPECT_TRUE(found.histograms.empty());
  EXPECT_EQ(found.queries[1], (reach_summary{10, 2, 17}));
}

TEST(reach, weights_change_nothing) {
  host_engine engine;
  const csr<> graph = generate_grid(20, 20);
  const auto weighted = test::with_weights<float>(graph, test::weights_kind::mixed);
  EXPECT_EQ(reach(engine, engine.place(weighted), {5, 7}).queries,
            reach(engine, engine.place(graph), {5, 7}).queries);
}

TEST(reach, no_sources_answer_nothing) {
  host_engine engine;
  const auto found = reach(engine, engine.place(generate_path(3)), {});
  EXPECT_TRUE(found.queries.empty());
  EXPECT_EQ(found.report.passes, 0U);
}

TEST(reach, refuses_what_means_nothing) {
  host_engine engine;
  const auto graph = engine.place(generate_path(3));
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0}, {.lanes = 0})), usage_error);
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0}, {.lanes = 513})), usage_error);
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0}, {.slots = 0})), usage_error);
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0}, {.way = reach_way::blocks})),
               usage_error);
  EXPECT_THROW(static_cast<void>(bfs_batch(engine, graph, {})), usage_error);
  EXPECT_THROW(static_cast<void>(bfs_batch(engine, graph, std::vector<vertex_id>(513, 0))),
               usage_error);
  try {
    static_cast<void>(reach(engine, graph, {0, 7, 2, 9}));
    FAIL() << "accepted a source outside the graph";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find('7'), std::string::npos) << e.what();
  }
}

TEST(reach, tells_when_each_query_and_each_pass_ran) {
  host_engine engine({.threads = 3});
  const auto graph = engine.place(generate_path(700));
  const auto sources = test::spread_sources(700, 130, 130);
  const auto streams = reach(engine, graph, sources, {.way = reach_way::streams, .timeline = true});
  EXPECT_EQ(streams.report.slots, 3U);
  test::expect_timeline(streams, 130);
  const auto batch =
      reach(engine, graph, sources, {.way = reach_way::batch, .lanes = 64, .timeline = true});
  EXPECT_EQ(batch.report.slots, 0U);
  test::expect_timeline(batch, 3);
  EXPECT_EQ(batch.timeline[2].num_queries, 2U);
  EXPECT_TRUE(reach(engine, graph, sources).timeline.empty());
}

TEST(reach, runs_no_more_queries_at_a_time_than_there_are_slots) {
  host_engine engine({.threads = 4});
  const auto graph = engine.place(generate_path(2000));
  const auto sources = test::spread_sources(2000, 60, 60);
  for (const std::size_t slots : {std::size_t{1}, std::size_t{2}}) {
    const auto found = reach(engine, graph, sources,
                             {.way = reach_way::streams, .slots = slots, .timeline = true});
    EXPECT_EQ(found.report.slots, slots);
    test::expect_timeline(found, 60);
  }
  EXPECT_EQ(reach(engine, graph, {5}, {.way = reach_way::streams}).report.slots, 1U);
}

// Rows long enough to be cut into tasks, and levels wide enough to be pulled.
TEST(reach, hubs_and_broad_levels_on_several_threads) {
  for (const char* text : {"star:100000", "rmat:14:16", "tree:3:40"}) {
    const csr<> graph = generate(text);
    test::depths_by_source depths(graph);
    host_engine engine({.threads = 4});
    const auto placed = engine.place(graph);
    const auto sources = test::spread_sources(graph.num_vertices(), 300, 20);
    SCOPED_TRACE(text);
    test::expect_right(
        reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true}), sources,
        depths);
  }
}

}  // namespace
