#include "tendril/cuda/reach.hpp"

#include <gtest/gtest.h>

#include "gpu/gpu_test.hpp"
#include "query/reach_testing.hpp"
#include "tendril/core/error.hpp"

namespace {

using namespace tendril;
using test::gpu;

constexpr std::array both_ways = {reach_way::batch, reach_way::blocks};

/// Engines whose passes take different paths, in poisoned memory.
std::vector<test::named_engine<cuda_engine>> lane_engines() {
  std::vector<test::named_engine<cuda_engine>> all = test::engines();
  std::erase_if(all, [](const test::named_engine<cuda_engine>& each) {
    return each.name != "default" && each.name != "stepped";
  });
  return all;
}

std::size_t distinct_for(const csr<>& graph) {
  return graph.num_vertices() > 10'000 ? 5 : 100;
}

void expect_right_everywhere(const test::battery_case& battery_case) {
  const csr<>& graph = battery_case.graph;
  test::depths_by_source depths(graph);
  for (auto& [name, engine, tests_schedules] : lane_engines()) {
    const auto placed = engine.place(graph);
    for (const std::size_t count : {1U, 65U, 200U, 600U}) {
      const auto sources =
          test::spread_sources(graph.num_vertices(), count, std::min(count, distinct_for(graph)));
      for (const reach_way way : both_ways) {
        SCOPED_TRACE(battery_case.name + ", " + name + ", " + std::to_string(count) + " sources, " +
                     std::string(to_string(way)));
        test::expect_right(reach(engine, placed, sources, {.way = way, .histograms = true}),
                           sources, depths);
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TEST_F(gpu, reach_answers_like_boost_on_the_battery) {
  for (const auto& battery_case : test::battery()) {
    expect_right_everywhere(battery_case);
  }
}

// More levels than a pass counts at once, rows for warps and for blocks, broad and narrow levels.
TEST_F(gpu, reach_answers_like_boost_on_large_graphs) {
  for (const auto& battery_case : test::large_graphs()) {
    expect_right_everywhere(battery_case);
  }
}

TEST_F(gpu, reach_pulls_along_the_edges_of_a_directed_graph) {
  cuda_engine engine;
  for (const auto& battery_case : test::battery()) {
    const csr<>& graph = battery_case.graph;
    test::depths_by_source depths(graph);
    const auto placed = engine.place(graph);
    placed.prepare_pull();
    const auto sources = test::spread_sources(graph.num_vertices(), 100, distinct_for(graph));
    SCOPED_TRACE(battery_case.name);
    test::expect_right(
        reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true}), sources,
        depths);
  }
}

TEST_F(gpu, full_depths_of_a_batch_are_those_of_boost) {
  std::vector<test::battery_case> cases = test::battery();
  cases.push_back({"rmat:14:16", generate("rmat:14:16"), {}});
  for (auto& [name, engine, tests_schedules] : lane_engines()) {
    for (const auto& battery_case : cases) {
      const csr<>& graph = battery_case.graph;
      test::depths_by_source depths(graph);
      const auto placed = engine.place(graph);
      for (const std::size_t count : {3U, 70U, 130U, 260U}) {
        if (graph.num_vertices() == 0) {
          continue;
        }
        const auto sources =
            test::spread_sources(graph.num_vertices(), count, std::min(count, distinct_for(graph)));
        const auto found = bfs_batch(engine, placed, sources);
        for (const std::size_t query : {std::size_t{0}, count - 1}) {
          ASSERT_EQ(found.to_host(query), depths[sources[query]])
              << battery_case.name << ", " << name << ", query " << query << " of " << count;
        }
      }
    }
  }
}

TEST_F(gpu, reach_chooses_lanes_for_broad_levels_and_blocks_for_narrow_ones) {
  cuda_engine engine;
  const auto report = [&](const char* text) {
    const csr<> graph = generate(text);
    return reach(engine, engine.place(graph), {graph.targets()[0]}).report;
  };
  const reach_report broad = report("rmat:17:16");
  EXPECT_EQ(broad.way, reach_way::batch);
  EXPECT_TRUE(broad.reason.starts_with("a query enters more than 32768 vertices in its first "))
      << broad.reason;
  const reach_report narrow = report("grid:300x280:30");
  EXPECT_EQ(narrow.way, reach_way::blocks);
  EXPECT_NE(narrow.reason.find(" in its first 32 levels"), std::string::npos) << narrow.reason;
}

cuda_engine engine_with(std::size_t budget_bytes) {
  cuda_options options;
  options.budget_bytes = budget_bytes;
  return cuda_engine(options);
}

// 65,536 vertices: placing takes 21 MB for a while and leaves a few; 512 lanes take 11 MB, a block
// 0.25 MB.
TEST_F(gpu, reach_narrows_its_passes_and_blocks_to_the_memory_there_is) {
  const csr<> graph = generate("urand:16:4");
  test::depths_by_source depths(graph);
  const auto sources = test::spread_sources(graph.num_vertices(), 300, 5);
  cuda_engine engine = engine_with(std::size_t{24} << 20U);
  const auto placed = engine.place(graph);
  auto held = engine.array(std::size_t{13} << 20U, char{0});
  const auto batch = reach(engine, placed, sources, {.way = reach_way::batch, .histograms = true});
  test::expect_right(batch, sources, depths);
  EXPECT_LT(batch.report.lanes, 512U);
  test::expect_right(reach(engine, placed, sources, {.way = reach_way::blocks, .histograms = true}),
                     sources, depths);
}

// A million vertices: the graph takes 32 MB, 64 lanes 44 MB.
TEST_F(gpu, reach_without_room_for_any_work_names_the_numbers) {
  cuda_engine engine = engine_with(std::size_t{60} << 20U);
  const auto placed = engine.place(generate("path:1000000"), {.sort_rows = false});
  try {
    static_cast<void>(reach(engine, placed, {0}, {.way = reach_way::batch}));
    FAIL() << "found room";
  } catch (const resource_error& e) {
    EXPECT_NE(std::string(e.what()).find("needed"), std::string::npos) << e.what();
  }
}

TEST_F(gpu, reach_tells_when_each_query_and_each_pass_ran) {
  cuda_engine engine;
  const auto graph = engine.place(generate("grid:100x90:30"));
  const auto sources = test::spread_sources(9000, 300, 200);
  const auto blocks = reach(engine, graph, sources, {.way = reach_way::blocks, .timeline = true});
  EXPECT_GT(blocks.report.slots, 32U);
  test::expect_timeline(blocks, 300);
  const auto few =
      reach(engine, graph, sources,
            {.way = reach_way::blocks, .histograms = true, .slots = 3, .timeline = true});
  EXPECT_EQ(few.report.slots, 3U);
  test::expect_timeline(few, 300);
  EXPECT_EQ(few.queries, blocks.queries);
  const auto batch =
      reach(engine, graph, sources, {.way = reach_way::batch, .lanes = 128, .timeline = true});
  test::expect_timeline(batch, 3);
  EXPECT_EQ(batch.timeline[2].num_queries, 44U);
}

TEST_F(gpu, reach_refuses_what_means_nothing) {
  cuda_engine engine;
  const auto graph = engine.place(generate_path(3));
  EXPECT_TRUE(reach(engine, graph, {}).queries.empty());
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0, 3})), input_error);
  EXPECT_THROW(static_cast<void>(reach(engine, graph, {0}, {.way = reach_way::streams})),
               usage_error);
  EXPECT_THROW(static_cast<void>(bfs_batch(engine, graph, {})), usage_error);
}

}  // namespace
