#include "tendril/algorithms/sssp.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

#include "on_battery.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using test::make_graph;

template <numeric_weight W>
csr<W> weighted(vertex_id num_vertices, const test::pairs& sorted_edges, std::vector<W> weights) {
  const csr<> plain = make_graph(num_vertices, sorted_edges);
  return {plain.offsets(), plain.targets(), std::move(weights), plain.kind()};
}

template <numeric_weight W>
void expect_right(host_engine& engine, const csr<W>& graph, const std::vector<vertex_id>& sources) {
  const auto placed = engine.place(graph);
  const auto found = sssp(engine, placed, sources, {.with_parents = true});
  const auto distance = found.distance.to_host();
  const auto parent = found.parent->to_host();
  EXPECT_EQ(distance, oracle::dijkstra_distances(graph, sources));
  const std::span<const distance_type<W>> found_distances(distance);
  EXPECT_EQ(oracle::certify_sssp(graph, sources, found_distances), std::nullopt);
  EXPECT_EQ(oracle::certify_shortest_path_tree(graph, sources, found_distances, parent),
            std::nullopt);
}

class sssp_on_battery : public test::on_battery {
 protected:
  template <numeric_weight W>
  void run() const {
    const auto& [name, plain, unused] = battery_case();
    host_engine engine({.threads = 2});
    for (const test::weights_kind kind : test::all_weights) {
      const csr<W> graph = test::with_weights<W>(plain, kind);
      for (const auto& [sources_name, sources] : test::source_sets(graph.num_vertices())) {
        SCOPED_TRACE(testing::Message()
                     << name << ", weights " << to_string(kind) << ", sources " << sources_name);
        expect_right(engine, graph, sources);
      }
    }
  }
};

TEST_P(sssp_on_battery, int32_agrees_with_dijkstra_and_certificate) {
  run<std::int32_t>();
}
TEST_P(sssp_on_battery, float_agrees_with_dijkstra_and_certificate) {
  run<float>();
}
TEST_P(sssp_on_battery, double_agrees_with_dijkstra_and_certificate) {
  run<double>();
}

TENDRIL_RUN_ON_BATTERY(sssp_on_battery);

// Equal to distance 0 at vertex 0: 2 + 1 + 3 = 6 beats the direct 7.
TEST(sssp, takes_the_lightest_of_several_paths_and_of_parallel_edges) {
  host_engine engine;
  const auto graph = engine.place(
      weighted<std::int32_t>(4, {{0, 1}, {0, 1}, {0, 3}, {1, 2}, {2, 3}}, {9, 2, 7, 1, 3}));
  const auto found = sssp(engine, graph, {0}, {.with_parents = true});
  EXPECT_EQ(found.distance.to_host(), (std::vector<std::int64_t>{0, 2, 3, 6}));
  EXPECT_EQ(found.parent->to_host(), (std::vector<vertex_id>{0, 0, 1, 2}));
}

TEST(sssp, int32_distances_do_not_overflow) {
  constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  host_engine engine;
  const auto graph = engine.place(
      weighted<std::int32_t>(4, {{0, 1}, {1, 2}, {2, 3}}, {largest, largest, largest}));
  EXPECT_EQ(sssp(engine, graph, {0}).distance.to_host(),
            (std::vector<std::int64_t>{0, 2'147'483'647, 4'294'967'294, 6'442'450'941}));
}

TEST(sssp, float_distances_that_overflow_are_refused_with_the_edge) {
  host_engine engine;
  const auto graph = engine.place(weighted<float>(3, {{0, 1}, {1, 2}}, {3e38F, 2e38F}));
  try {
    static_cast<void>(sssp(engine, graph, {0}));
    FAIL() << "not refused";
  } catch (const input_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("edge 1 -> 2 of weight 2e+38"), std::string::npos)
        << refused.what();
  }
  // From vertex 1 nothing overflows.
  EXPECT_EQ(sssp(engine, graph, {1}).distance.to_host()[2], 2e38F);
}

template <class W>
std::string refusal(const csr<W>& graph) {
  host_engine engine;
  const auto placed = engine.place(graph);
  try {
    static_cast<void>(sssp(engine, placed, {0}));
  } catch (const input_error& refused) {
    return refused.what();
  }
  return "";
}

TEST(sssp, refuses_the_first_unusable_weight_by_name) {
  const std::string sentence = ": shortest distances need finite weights of 0 or more";
  const test::pairs edges = {{0, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(refusal(weighted<std::int32_t>(3, edges, {1, -2, -3})),
            "edge 1 -> 2 of weight -2" + sentence);
  EXPECT_EQ(refusal(weighted<double>(3, edges, {1, 0, -0.5})),
            "edge 2 -> 0 of weight -0.5" + sentence);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal(weighted<float>(3, edges, {infinity, 1, 1})),
            "edge 0 -> 1 of weight inf" + sentence);
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(weighted<double>(3, edges, {1, not_a_number, 1})),
            "edge 1 -> 2 of weight nan" + sentence);
}

TEST(sssp, the_first_unusable_edge_is_found_among_many) {
  constexpr vertex_id n = 300'000;
  test::pairs edges;
  for (vertex_id v = 1; v < n; ++v) {
    edges.emplace_back(v - 1, v);
  }
  std::vector<std::int32_t> weights(n - 1, 1);
  weights[250'000] = -1;
  weights[170'000] = -1;
  const auto found = first_unusable_edge(weighted<std::int32_t>(n, edges, weights));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, (edge<std::int32_t>{170'000, 170'001, -1}));
}

TEST(sssp, random_graphs_agree_with_dijkstra) {
  std::mt19937 random(7);
  const auto below = [&](unsigned bound) { return static_cast<vertex_id>(random() % bound); };
  std::array<host_engine, 2> engines{host_engine({.threads = 1}), host_engine({.threads = 3})};
  for (int round = 0; round < 500; ++round) {
    const vertex_id n = 1 + below(100);
    test::pairs edges(below(5 * n));
    for (auto& [source, target] : edges) {
      source = below(n);
      target = below(n);
    }
    std::vector<float> weights(edges.size());
    for (float& weight : weights) {
      weight = below(4) == 0 ? 0.0F : static_cast<float>(below(1000)) / 7.0F;
    }
    const csr<float> graph = weighted<float>(n, edges, weights);
    for (host_engine& engine : engines) {
      SCOPED_TRACE("round " + std::to_string(round));
      expect_right(engine, graph, {below(n), below(n)});
    }
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
