#include "tendril/cuda/traverse_each.cuh"

#include <gtest/gtest.h>

#include "gpu/gpu_test.hpp"
#include "tendril/core/atomics.hpp"
#include "visitors.hpp"

// Visitors of one's own, a block to each traversal.

namespace {

using namespace tendril;
using test::gpu;
using test::hops;

/// Depths without the edges that weigh 3, until a depth.
struct light_hops {
  using kind = first_visit;
  std::int32_t* depth;
  std::int32_t last;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
  TENDRIL_HD bool admits(edge<std::int32_t> e) const { return e.weight != 3; }
  TENDRIL_HD bool stops(std::int32_t level) const { return level + 1 == last; }
};

/// Marks what it reaches; asks to stop once that is anything, by a helper with a name of its own.
struct marks_until_enough {
  using kind = first_visit;
  std::uint32_t* num_marked;
  TENDRIL_HD void arrive(vertex_id /*v*/, std::int32_t level) const {
    add(*num_marked, level > 0 ? 1U : 0U);
  }
  [[nodiscard]] TENDRIL_HD bool has_enough() const { return load(*num_marked) != 0; }
  [[nodiscard]] TENDRIL_HD bool stops(std::int32_t /*level*/) const { return has_enough(); }
};

TEST_F(gpu, each_traversal_ends_the_level_in_which_it_stops) {
  cuda_engine engine;
  const auto placed = engine.place(generate("star:300000"));
  auto marked = engine.array(1, 0U);
  const std::vector<marks_until_enough> visitors = {{marked.data()}};
  EXPECT_EQ(traverse_each(engine, placed, {0}, visitors).front().reached, 300000U);
  EXPECT_EQ(marked.to_host().front(), 299999U);
}

TEST_F(gpu, each_traversal_has_its_own_visitor) {
  cuda_engine engine;
  for (const char* text : {"grid:60x50:30", "star:3000", "rmat:13:16", "grid:1700x1300:30"}) {
    const csr<> graph = generate(text);
    const auto placed = engine.place(graph);
    const std::vector<vertex_id> sources = {0, graph.num_vertices() / 2, 0};
    std::vector<cuda_array<std::int32_t>> depths;
    std::vector<hops> visitors;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      depths.push_back(engine.array(graph.num_vertices(), unreached));
      visitors.push_back({depths.back().data()});
    }
    const auto answers = traverse_each(engine, placed, sources, visitors);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto expected = oracle::bfs_depths(graph, std::span(&sources[i], 1));
      ASSERT_EQ(depths[i].to_host(), expected) << text << ", traversal " << i;
      EXPECT_EQ(answers[i].depth, *std::max_element(expected.begin(), expected.end())) << text;
    }
  }
}

// 0 - 1 - 2 - 3 - 4 in weights 1, 1, 3, 1, and a way round 2 - 5 - 3.
TEST_F(gpu, each_traversal_filters_edges_and_stops) {
  cuda_engine engine;
  const csr<std::int32_t> graph(std::vector<edge_offset>{0, 1, 2, 4, 5, 5, 6},
                                std::vector<vertex_id>{1, 2, 3, 5, 4, 3},
                                std::vector<std::int32_t>{1, 1, 3, 1, 1, 1}, orientation::directed);
  const auto placed = engine.place(graph);
  auto all = engine.array(6, unreached);
  auto some = engine.array(6, unreached);
  const std::vector<light_hops> visitors = {{all.data(), 100}, {some.data(), 3}};
  const auto answers = traverse_each(engine, placed, {0, 0}, visitors);
  EXPECT_EQ(all.to_host(), (std::vector<std::int32_t>{0, 1, 2, 4, 5, 3}));
  EXPECT_EQ(some.to_host(), (std::vector<std::int32_t>{0, 1, 2, -1, -1, 3}));
  EXPECT_EQ(answers[0], (reach_summary{6, 5, 15}));
  EXPECT_EQ(answers[1], (reach_summary{4, 3, 6}));
}

TEST_F(gpu, traverse_each_wants_a_visitor_for_each_source) {
  cuda_engine engine;
  const auto placed = engine.place(generate_path(4));
  EXPECT_THROW(traverse_each(engine, placed, {0, 1}, std::vector<hops>(1)), usage_error);
}

}  // namespace
