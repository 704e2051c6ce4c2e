#include "tendril/algorithms/components.hpp"

#include <algorithm>
#include <random>

#include "on_battery.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace {

using namespace tendril;
using ids = std::vector<vertex_id>;

TENDRIL_BATTERY_SUITE(components_on_battery);

TEST_P(components_on_battery, are_those_of_boost) {
  const csr<>& graph = battery_case().graph;
  for (const int threads : {1, 2, 4}) {
    host_engine engine({.threads = threads});
    const auto label = components(engine, engine.place(graph)).label.to_host();
    EXPECT_EQ(oracle::compare_components(graph, label), std::nullopt) << threads << " threads";
  }
}

// 4 -> 1 <- 3, 5 and 2 both ways and twice, 0 alone with a loop.
TEST(components, edges_count_both_ways_and_the_least_vertex_is_the_label) {
  const csr<> graph = test::make_graph(6, {{4, 1}, {3, 1}, {5, 2}, {5, 2}, {2, 5}, {0, 0}});
  host_engine engine;
  EXPECT_EQ(components(engine, engine.place(graph)).label.to_host(), (ids{0, 1, 2, 1, 1, 2}));
  EXPECT_EQ(oracle::compare_components(graph, ids{0, 1, 2, 3, 1, 2}),
            "vertex 3: Boost.Graph has component 1, found 3");
}

// Each edge is needed, and threads meet at the same roots: a join over another's would lose one.
TEST(components, of_a_shuffled_path_take_one_level) {
  ids order = all_vertices(200'000);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  test::pairs edges;
  for (std::size_t i = 1; i < order.size(); ++i) {
    edges.emplace_back(order[i - 1], order[i]);
  }
  host_engine engine({.threads = 4});
  const auto graph = engine.place(test::make_graph(200'000, edges));
  for (int round = 0; round < 20; ++round) {
    const auto found = components(engine, graph);
    EXPECT_EQ(found.report.levels.size(), 1U);
    ASSERT_EQ(found.label.to_host(), ids(order.size(), 0));
  }
}

}  // namespace
