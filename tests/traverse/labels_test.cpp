// What gives each vertex of a graph a label.

#include "on_battery.hpp"
#include "tendril/algorithms/components.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace {

using namespace tendril;
using ids = std::vector<vertex_id>;

TENDRIL_BATTERY_SUITE(labels_on_battery);

TEST_P(labels_on_battery, components_are_those_of_boost) {
  test::on_threads(battery_case().graph, [](host_engine& engine, const auto& graph) {
    const auto label = components(engine, graph).label.to_host();
    EXPECT_EQ(oracle::compare_components(graph.host(), label), std::nullopt);
  });
}

// 4 -> 1 <- 3, 5 and 2 both ways and twice, 0 alone with a loop.
TEST(components, edges_count_both_ways_and_the_least_vertex_is_the_label) {
  const csr<> graph = test::make_graph(6, {{4, 1}, {3, 1}, {5, 2}, {5, 2}, {2, 5}, {0, 0}});
  host_engine engine;
  const auto found = components(engine, engine.place(graph));
  EXPECT_EQ(found.label.to_host(), (ids{0, 1, 2, 1, 1, 2}));
  EXPECT_EQ(found.report.levels.size(), 1U);
  EXPECT_EQ(oracle::compare_components(graph, ids{0, 1, 2, 3, 1, 2}),
            "vertex 3: Boost.Graph has component 1, found 3");
}

}  // namespace
