#include <gtest/gtest.h>

#include <queue>

#include "gpu/gpu_test.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/cuda/traverse.cuh"

namespace {

using namespace tendril;
using test::gpu;

struct cheapest_path {
  using kind = relaxing;
  std::int64_t* distance;
  TENDRIL_HD void start(vertex_id v) const { distance[v] = 0; }
  TENDRIL_HD bool visit(edge<std::int32_t> e) const {
    return lower(distance[e.target], load(distance[e.source]) + e.weight);
  }
};

/// Labels vertices with the smallest source id that reaches them.
struct smallest_label {
  using kind = relaxing;
  vertex_id* label;
  TENDRIL_HD void start(vertex_id v) const { label[v] = v; }
  TENDRIL_HD bool visit(edge<> e) const { return lower(label[e.target], load(label[e.source])); }
};

constexpr std::int64_t far = std::int64_t{1} << 60;

std::vector<std::int64_t> plain_distances(const csr<std::int32_t>& graph, vertex_id source) {
  std::vector<std::int64_t> distance(graph.num_vertices(), far);
  using entry = std::pair<std::int64_t, vertex_id>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [d, u] = queue.top();
    queue.pop();
    if (d > distance[u]) {
      continue;
    }
    for (auto e = graph.view().first_edge(u); e < graph.view().last_edge(u); ++e) {
      const vertex_id v = graph.view().target(e);
      const std::int64_t candidate = d + graph.view().weight(e);
      if (candidate < distance[v]) {
        distance[v] = candidate;
        queue.push({candidate, v});
      }
    }
  }
  return distance;
}

TEST_F(gpu, shortest_distances_on_every_driver) {
  for (const char* text :
       {"path:300", "star:5000", "grid:60x50:30", "rmat:12:16", "urand:12:8", "tree:9:3"}) {
    const auto graph = generate<std::int32_t>(text);
    const vertex_id source = graph.num_vertices() / 3;
    const auto expected = plain_distances(graph, source);
    for (const auto& [name, options] : test::engines()) {
      SCOPED_TRACE(std::string(text) + ", " + name);
      cuda_engine engine(options);
      const auto placed = engine.place(graph);
      for (int run = 0; run < 3; ++run) {
        auto distance = engine.array(graph.num_vertices(), far);
        traverse(engine, placed, {source}, cheapest_path{distance.data()});
        ASSERT_EQ(distance.to_host(), expected);
      }
    }
  }
}

TEST_F(gpu, every_vertex_a_source) {
  const csr<> graph = generate_grid<>(100, 80, 40, 5);
  std::vector<vertex_id> sources(graph.num_vertices());
  std::vector<vertex_id> expected(graph.num_vertices(), no_vertex);
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    sources[v] = v;
    if (expected[v] == no_vertex) {
      const auto depth = test::plain_depths(graph, {v});
      for (vertex_id u = 0; u < graph.num_vertices(); ++u) {
        if (depth[u] != unreached) {
          expected[u] = v;
        }
      }
    }
  }
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    auto label = engine.array(graph.num_vertices(), no_vertex);
    const auto report = traverse(engine, placed, sources, smallest_label{label.data()});
    EXPECT_EQ(label.to_host(), expected);
    EXPECT_EQ(report.levels.front().frontier, graph.num_vertices());
  }
}

}  // namespace
