#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/components.hpp"
#include "tendril/algorithms/voronoi.hpp"
#include "tendril/cuda/dynamic_engine.hpp"

namespace tendril::test {

/// What solve(engine, graph, sources) labels is what the oracle does, on every engine and graph.
template <class Solve, class Compare>
void expect_right(const Solve& solve, Compare compare) {
  on_each_graph<dynamic_cuda_engine>([&](dynamic_cuda_engine& engine, const csr<>& graph) {
    const auto sources = some_sources(graph.num_vertices());
    const auto placed = engine.place(graph);
    ASSERT_EQ(compare(graph, sources, solve(engine, placed, sources).label.to_host()),
              std::nullopt);
  });
}

TEST_F(gpu, components_are_those_of_boost) {
  on_each_graph<dynamic_cuda_engine>([](dynamic_cuda_engine& engine, const csr<>& graph) {
    const auto label = components(engine, engine.place(graph)).label.to_host();
    ASSERT_EQ(oracle::compare_components(graph, label), std::nullopt);
  });
}

TEST_F(gpu, voronoi_cells_are_those_of_boost) {
  expect_right([](auto&... with) { return voronoi(with...); }, oracle::compare_voronoi);
}

}  // namespace tendril::test
