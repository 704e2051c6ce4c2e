#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "battery.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/sssp.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/read.hpp"
#include "tendril/host/engine.hpp"

// Inputs that broke other programs, with answers derived by hand. Ids here are 0-based; the .mtx
// files write them 1-based.

namespace {

using namespace tendril;
using test::all_ways;
using depths = std::vector<std::int32_t>;
using distances = std::vector<std::int64_t>;

template <weight W = none>
csr<W> read_case(const std::string& name) {
  return read_graph<W>(std::filesystem::path(TENDRIL_TEST_CASES) / name);
}

constexpr std::int64_t infinite = infinite_distance<std::int32_t>;

TEST(case_h19_all_self_loops, only_the_source_is_reached_and_no_loop_is_a_tree_edge) {
  host_engine engine;
  const auto graph = engine.place(read_case("all_self_loops.mtx"));
  for (const direction way : all_ways) {
    const auto found = bfs(engine, graph, {1}, {.way = way});
    EXPECT_EQ(found.depth.to_host(), (depths{-1, 0, -1, -1}));
    EXPECT_EQ(found.report.entered, 1U);
  }
  const auto weighted = engine.place(read_case<std::int32_t>("all_self_loops.mtx"));
  EXPECT_EQ(sssp(engine, weighted, {1}).distance.to_host(),
            (distances{infinite, 0, infinite, infinite}));
}

TEST(case_h24_sssp_zero_weights, zero_cycles_end_and_make_no_parent_cycle) {
  host_engine engine({.threads = 2});
  const auto graph = engine.place(read_case<std::int32_t>("sssp_zero.wel"));
  const auto found = sssp(engine, graph, {0}, {.with_parents = true});
  EXPECT_EQ(found.distance.to_host(), (distances{0, 0, 0, 5, 5, 6}));
  const auto parent = found.parent->to_host();
  for (vertex_id v = 0; v < 6; ++v) {
    vertex_id at = v;
    for (int steps = 0; steps < 5 && at != 0; ++steps) {
      at = parent[at];
    }
    EXPECT_EQ(at, 0U) << "from vertex " << v;
  }
}

TEST(case_h25_source_handling, sources_that_branch_end_or_stand_alone) {
  host_engine engine;
  const auto graph = engine.place(read_case("source_handling.mtx"));
  const auto weighted = engine.place(read_case<std::int32_t>("source_handling.mtx"));
  ASSERT_EQ(graph.num_vertices(), 6U);
  for (const direction way : all_ways) {
    EXPECT_EQ(bfs(engine, graph, {0}, {.way = way}).depth.to_host(), (depths{0, 1, 1, 2, -1, -1}));
    EXPECT_EQ(bfs(engine, graph, {3}, {.way = way}).depth.to_host(),
              (depths{-1, -1, -1, 0, -1, -1}));
    EXPECT_EQ(bfs(engine, graph, {4}, {.way = way}).depth.to_host(),
              (depths{-1, -1, -1, -1, 0, -1}));
  }
  EXPECT_EQ(sssp(engine, weighted, {0}).distance.to_host(),
            (distances{0, 1, 1, 2, infinite, infinite}));
}

TEST(case_h25_source_handling,
     a_source_outside_is_refused_with_the_range_and_the_next_run_is_fine) {
  host_engine engine;
  const auto graph = engine.place(read_case("source_handling.mtx"));
  const auto weighted = engine.place(read_case<std::int32_t>("source_handling.mtx"));
  for (const vertex_id outside : {6U, 7U, no_vertex}) {
    const std::string expected =
        "source " + std::to_string(outside) + " is not in the graph: expected 0 .. 5";
    try {
      static_cast<void>(bfs(engine, graph, {0, outside}));
      FAIL() << "not refused";
    } catch (const input_error& refused) {
      EXPECT_EQ(refused.what(), expected);
    }
    try {
      static_cast<void>(sssp(engine, weighted, {outside}));
      FAIL() << "not refused";
    } catch (const input_error& refused) {
      EXPECT_EQ(refused.what(), expected);
    }
    EXPECT_EQ(bfs(engine, graph, {0}).depth.to_host(), (depths{0, 1, 1, 2, -1, -1}));
  }
}

TEST(case_h25_source_handling, any_source_of_an_empty_graph_is_refused) {
  host_engine engine;
  const auto graph = engine.place(csr<>());
  EXPECT_THROW(static_cast<void>(bfs(engine, graph, {0})), input_error);
  EXPECT_EQ(bfs(engine, graph, std::vector<vertex_id>{}).report.entered, 0U);
}

}  // namespace
