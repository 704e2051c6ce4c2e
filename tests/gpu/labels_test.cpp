#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/components.hpp"
#include "tendril/algorithms/voronoi.hpp"
#include "tendril/cuda/dynamic_engine.hpp"

namespace tendril::test {

TEST_F(gpu, components_are_those_of_boost) {
  on_each_graph<dynamic_cuda_engine>([](dynamic_cuda_engine& engine, const csr<>& graph) {
    const auto label = components(engine, engine.place(graph)).label.to_host();
    ASSERT_EQ(oracle::compare_components(graph, label), std::nullopt);
  });
}

TEST_F(gpu, voronoi_cells_are_those_of_boost) {
  on_each_graph<dynamic_cuda_engine>([](dynamic_cuda_engine& engine, const csr<>& graph) {
    const auto sources = some_sources(graph.num_vertices());
    const auto label = voronoi(engine, engine.place(graph), sources).label.to_host();
    ASSERT_EQ(oracle::compare_voronoi(graph, sources, label), std::nullopt);
  });
}

}  // namespace tendril::test
