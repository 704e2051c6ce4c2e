#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tendril/cuda/engine.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"

// What the GPU tests share: the skip where there is no GPU, engines with every driver, awkward
// graphs, and depths by the plainest search there is.

namespace tendril::test {

/// Skips a test, with the reason, where there is no GPU.
class gpu : public testing::Test {
 protected:
  void SetUp() override {
    const cuda_devices found = find_cuda_devices();
    if (found.usable.empty()) {
      GTEST_SKIP() << found.reason;
    }
  }
  /// Every launch was checked and left no error behind.
  void TearDown() override {
    if (!IsSkipped()) {
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
  }
};

struct named_engine {
  std::string name;
  cuda_options options;
};

/// Each driver, and each fallback that a device could force.
inline std::vector<named_engine> engines() {
  const auto with = [](const char* name, auto change) {
    named_engine engine{name, {}};
    change(engine.options);
    return engine;
  };
  return {
      with("default", [](cuda_options&) {}),
      with("without small frontiers", [](cuda_options& o) { o.tuning.use_small = false; }),
      with("small frontiers of at most 8", [](cuda_options& o) { o.tuning.small_limit = 8; }),
      with("every push marks",
           [](cuda_options& o) {
             o.tuning.use_small = false;
             o.tuning.dense_push = 1U << 30U;
           }),
      with("no push marks",
           [](cuda_options& o) {
             o.tuning.use_small = false;
             o.tuning.dense_push = 0;
           }),
      with("without cooperative launch", [](cuda_options& o) { o.tuning.use_cooperative = false; }),
      with("without clusters", [](cuda_options& o) { o.tuning.use_clusters = false; }),
      with("stepped", [](cuda_options& o) { o.driver = cuda_driver::stepped; }),
  };
}

struct named_graph {
  std::string name;
  csr<> graph;
};

inline csr<> graph_of(std::uint64_t num_vertices, const std::vector<edge<>>& edges,
                      orientation kind) {
  edge_list<> list;
  list.append(edge_list<>::chunk(edges.begin(), edges.end()));
  return build_csr(std::move(list), num_vertices, {.kind = kind});
}

/// Depths by a queue on the host.
inline std::vector<std::int32_t> plain_depths(const csr<>& graph,
                                              const std::vector<vertex_id>& sources,
                                              std::int32_t depth_limit = 1 << 30) {
  std::vector<std::int32_t> depth(graph.num_vertices(), unreached);
  std::vector<vertex_id> queue;
  for (const vertex_id source : sources) {
    if (depth[source] == unreached) {
      depth[source] = 0;
      queue.push_back(source);
    }
  }
  const auto view = graph.view();
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const vertex_id u = queue[i];
    if (depth[u] == depth_limit) {
      continue;
    }
    for (auto e = view.first_edge(u); e < view.last_edge(u); ++e) {
      if (depth[view.target(e)] == unreached) {
        depth[view.target(e)] = depth[u] + 1;
        queue.push_back(view.target(e));
      }
    }
  }
  return depth;
}

/// Shapes that break traversals.
inline std::vector<named_graph> awkward_graphs() {
  constexpr auto directed = orientation::directed;
  constexpr auto undirected = orientation::undirected;
  std::vector<named_graph> graphs;
  const auto add = [&](const char* name, csr<> graph) {
    graphs.push_back({name, std::move(graph)});
  };
  add("one vertex", graph_of(1, {}, directed));
  add("self-loop", graph_of(1, {{0, 0, {}}}, undirected));
  add("self-loops only", graph_of(3, {{0, 0, {}}, {1, 1, {}}, {2, 2, {}}}, directed));
  add("two vertices, one way", graph_of(2, {{0, 1, {}}}, directed));
  add("two vertices, other way", graph_of(2, {{1, 0, {}}}, directed));
  add("duplicates", graph_of(3, {{0, 1, {}}, {0, 1, {}}, {1, 0, {}}, {1, 2, {}}}, directed));
  for (const std::uint64_t n : {31, 32, 33, 255, 256, 257, 511, 512, 513, 4095, 4096, 4097}) {
    add("path", generate_path<>(n));
    add("star", generate_star<>(n));
  }
  add("long path", generate_path<>(3000));
  add("large star", generate_star<>(100000));
  add("binary tree", generate_tree<>(14, 2));
  add("bushy tree", generate_tree<>(3, 40));
  add("grid with holes", generate_grid<>(150, 130, 30, 3));
  add("rmat", generate_rmat<>(14, 16, 5));
  add("urand", generate_urand<>(13, 8, 7));
  std::vector<edge<>> in_star;
  std::vector<edge<>> late;
  std::vector<edge<>> ladder;
  for (vertex_id v = 1; v < 30000; ++v) {
    in_star.push_back({v, 0, {}});
  }
  in_star.push_back({0, 29999, {}});
  for (vertex_id v = 0; v < 2000; ++v) {
    late.push_back({299999, 299998 - v, {}});
    late.push_back({299998 - v, 299000 - v, {}});
    ladder.push_back({2 * v, 2 * v + 2, {}});
    ladder.push_back({2 * v, 2 * v + 1, {}});
    ladder.push_back({2 * v + 1, 2 * v + 2, {}});
  }
  add("in-star", graph_of(30000, in_star, directed));
  add("edges at the end of the ids", graph_of(300000, late, directed));
  add("ladder", graph_of(4001, ladder, directed));
  add("triangle beside isolated vertices",
      graph_of(1000003, {{0, 1, {}}, {1, 2, {}}, {2, 0, {}}}, undirected));
  add("two components", graph_of(7, {{0, 1, {}}, {2, 3, {}}, {3, 4, {}}, {4, 5, {}}}, undirected));
  return graphs;
}

}  // namespace tendril::test
