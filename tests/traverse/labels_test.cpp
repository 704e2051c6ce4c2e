// What gives each vertex of a graph a label.

#include "on_battery.hpp"
#include "tendril/algorithms/components.hpp"
#include "tendril/algorithms/voronoi.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace {

using namespace tendril;
using ids = std::vector<vertex_id>;

TENDRIL_BATTERY_SUITE(labels_on_battery);

/// What solve(engine, graph, sources) labels is what the oracle does, whatever threads and sources.
template <class Solve, class Compare>
void expect_right(const csr<>& graph, const Solve& solve, Compare compare) {
  test::on_threads_and_sources(
      graph, [&](host_engine& engine, const auto& placed, const ids& sources) {
        EXPECT_EQ(compare(graph, sources, solve(engine, placed, sources).label.to_host()),
                  std::nullopt);
      });
}

TEST_P(labels_on_battery, components_are_those_of_boost) {
  test::on_threads(battery_case().graph, [](host_engine& engine, const auto& graph) {
    const auto label = components(engine, graph).label.to_host();
    EXPECT_EQ(oracle::compare_components(graph.host(), label), std::nullopt);
  });
}

TEST_P(labels_on_battery, voronoi_cells_are_those_of_boost) {
  expect_right(
      battery_case().graph, [](auto&... with) { return voronoi(with...); },
      oracle::compare_voronoi);
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

// 1 is as near to 2 as to 5, and 3 over 0 and over 1; 0 is nearer to 5; nothing leads to 6.
TEST(voronoi, the_nearest_source_wins_and_of_equally_near_ones_the_lowest) {
  const csr<> graph =
      test::make_graph(7, {{5, 0}, {5, 1}, {2, 1}, {1, 0}, {0, 3}, {1, 3}, {0, 4}, {6, 5}});
  host_engine engine;
  auto label = voronoi(engine, engine.place(graph), {5, 2, 5}).label.to_host();
  const auto at = [](std::uint64_t steps, std::uint64_t source) { return steps << 32U | source; };
  EXPECT_EQ(label, (std::vector<std::uint64_t>{at(1, 5), at(1, 2), at(0, 2), at(2, 2), at(2, 5),
                                               at(0, 5), no_cell}));
  label[3] = label[4];
  EXPECT_NE(oracle::compare_voronoi(graph, ids{5, 2}, label), std::nullopt);
}

// One thread comes from the lower source first; other orders must not matter.
TEST(voronoi, a_lower_source_as_near_wins_though_it_comes_later) {
  std::vector<std::uint64_t> label{no_cell, no_cell, 1, 2};
  const nearest_source visitor{label.data()};
  EXPECT_TRUE(visitor.visit(edge<>{3, 0, {}}));
  EXPECT_TRUE(visitor.visit(edge<>{2, 0, {}}));
  EXPECT_FALSE(visitor.visit(edge<>{3, 0, {}}));
}

}  // namespace
