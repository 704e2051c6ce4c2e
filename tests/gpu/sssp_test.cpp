#include "tendril/algorithms/sssp.hpp"

#include <gtest/gtest.h>

#include "gpu/gpu_test.hpp"
#include "tendril/cuda/dynamic_engine.hpp"
#include "tendril/oracle/certificate.hpp"

namespace {

using namespace tendril;
using test::gpu;

template <numeric_weight W>
void expect_right(dynamic_cuda_engine& engine, const csr<W>& graph,
                  const std::vector<vertex_id>& sources,
                  const std::vector<distance_type<W>>& expected) {
  const auto found = sssp(engine, engine.place(graph), sources, {.with_parents = true});
  const auto distance = found.distance.to_host();
  ASSERT_EQ(distance, expected);
  ASSERT_EQ(
      oracle::certify_shortest_path_tree(
          graph, sources, std::span<const distance_type<W>>(distance), found.parent->to_host()),
      std::nullopt);
}

template <numeric_weight W>
void expect_battery() {
  auto engines = test::engines<dynamic_cuda_engine>();
  for (const auto& [name, plain, unused] : test::battery()) {
    for (const test::weights_kind kind : test::all_weights) {
      const csr<W> graph = test::with_weights<W>(plain, kind);
      for (const auto& sources :
           {std::vector<vertex_id>{}, test::some_sources(graph.num_vertices())}) {
        const auto expected = oracle::dijkstra_distances(graph, sources);
        for (auto& [engine_name, engine, tests_schedules] : engines) {
          if (tests_schedules && kind != test::weights_kind::mixed) {
            continue;
          }
          SCOPED_TRACE(testing::Message() << name << ", weights " << to_string(kind) << ", "
                                          << sources.size() << " sources, " << engine_name);
          ASSERT_NO_FATAL_FAILURE(expect_right(engine, graph, sources, expected));
        }
      }
    }
  }
}

TEST_F(gpu, sssp_of_the_battery_with_int32_weights) {
  expect_battery<std::int32_t>();
}
TEST_F(gpu, sssp_of_the_battery_with_float_weights) {
  expect_battery<float>();
}
TEST_F(gpu, sssp_of_the_battery_with_double_weights) {
  expect_battery<double>();
}

TEST_F(gpu, sssp_of_large_graphs) {
  auto engines = test::engines<dynamic_cuda_engine>();
  for (const char* text :
       {"path:3000", "star:50000", "grid:160x150:30", "rmat:13:16", "urand:13:8"}) {
    const auto graph = generate<std::int32_t>(text);
    const std::vector<vertex_id> sources{graph.num_vertices() / 3};
    const auto expected = oracle::dijkstra_distances(graph, sources);
    for (auto& [name, engine, unused] : engines) {
      SCOPED_TRACE(std::string(text) + ", " + name);
      for (int run = 0; run < 3; ++run) {
        ASSERT_NO_FATAL_FAILURE(expect_right(engine, graph, sources, expected));
      }
    }
  }
}

}  // namespace
