#include <gtest/gtest.h>

#include <limits>

#include "gpu/gpu_test.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/cuda/traverse.cuh"

// The visitors of the library's introduction, word for word, on a GPU.

namespace {

struct hops {  // breadth-first depth, in full
  using kind = tendril::first_visit;
  std::int32_t* depth;  // [num_vertices], unreached = -1
  TENDRIL_HD void arrive(tendril::vertex_id v, std::int32_t level) const { depth[v] = level; }
};
struct cheapest {  // shortest distances, unordered
  using kind = tendril::relaxing;
  float* distance;  // [num_vertices], unreached = infinity
  TENDRIL_HD void start(tendril::vertex_id v) const { distance[v] = 0; }
  TENDRIL_HD bool visit(tendril::edge<float> e) const {
    return tendril::lower(distance[e.target], tendril::load(distance[e.source]) + e.weight);
  }
};

using tendril::test::gpu;

TEST_F(gpu, hops_of_the_introduction) {
  tendril::cuda_engine engine;
  auto g = engine.place(tendril::generate_grid(20, 20));
  auto depth = engine.array<std::int32_t>(g.num_vertices(), -1);
  tendril::traverse(engine, g, {0}, hops{.depth = depth.data()});
  const auto found = depth.to_host();
  for (tendril::vertex_id v = 0; v < g.num_vertices(); ++v) {
    ASSERT_EQ(found[v], static_cast<std::int32_t>(v / 20 + v % 20));
  }
}

TEST_F(gpu, cheapest_of_the_introduction) {
  tendril::cuda_engine engine;
  const auto graph = tendril::test::with_weights<float>(tendril::generate_grid(30, 30),
                                                        tendril::test::weights_kind::mixed);
  auto g = engine.place(graph);
  auto distance = engine.array<float>(g.num_vertices(), std::numeric_limits<float>::infinity());
  const std::vector<tendril::vertex_id> sources{7};
  tendril::traverse(engine, g, sources, cheapest{.distance = distance.data()});
  EXPECT_EQ(distance.to_host(), tendril::oracle::dijkstra_distances(graph, sources));
}

}  // namespace
