#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/cuda/traverse.cuh"

namespace {

using namespace tendril;
using test::gpu;

struct hops {
  using kind = first_visit;
  std::int32_t* depth;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
};

/// Counts every call, so that a vertex that arrives twice is seen.
struct arrivals {
  using kind = first_visit;
  std::int32_t* depth;
  std::uint32_t* times;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const {
    depth[v] = level;
    add(times[v], 1U);
  }
};

struct hops_and_parents {
  using kind = first_visit;
  std::int32_t* depth;
  vertex_id* parent;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const {
    depth[v] = level;
    parent[v] = v;
  }
  TENDRIL_HD void arrive(edge<> e, std::int32_t level) const {
    depth[e.target] = level;
    parent[e.target] = e.source;
  }
};

/// Walks edges from a smaller to a larger id only, and counts levels.
struct uphill {
  using kind = first_visit;
  std::int32_t* depth;
  std::int32_t* levels;  ///< [3]: begun, ended, asked to stop
  std::int32_t last_level;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
  TENDRIL_HD bool admits(edge<> e) const { return e.source < e.target; }
  TENDRIL_HD void level_begins(std::int32_t level) const { levels[0] = level + 1; }
  TENDRIL_HD void level_ends(std::int32_t level) const { levels[1] = level + 1; }
  TENDRIL_HD bool stops(std::int32_t level) const {
    levels[2] += 1;
    return level == last_level;
  }
};

traverse_options by(direction way) {
  traverse_options options;
  options.way = way;
  return options;
}
bfs_options search_by(direction way) {
  bfs_options options;
  options.way = way;
  return options;
}

std::vector<vertex_id> some_sources(const csr<>& graph) {
  std::set<vertex_id> sources{0, graph.num_vertices() / 2, graph.num_vertices() - 1};
  return {sources.begin(), sources.end()};
}

/// What is wrong with the parent of v; empty: nothing.
std::string parent_fault(const csr_view<>& graph, const std::vector<std::int32_t>& depth,
                         const std::vector<vertex_id>& parent, vertex_id v) {
  const vertex_id p = parent[v];
  if (depth[v] <= 0) {
    return p == (depth[v] == 0 ? v : no_vertex) ? "" : "source or unreached";
  }
  if (p >= graph.num_vertices() || depth[p] != depth[v] - 1) {
    return "not one level up";
  }
  const bool is_joined = std::binary_search(graph.targets + graph.first_edge(p),
                                            graph.targets + graph.last_edge(p), v);
  return is_joined ? "" : "no edge from the parent";
}

void expect_parents(const csr<>& graph, const std::vector<std::int32_t>& depth,
                    const std::vector<vertex_id>& parent) {
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    const std::string fault = parent_fault(graph.view(), depth, parent, v);
    if (!fault.empty()) {
      FAIL() << "parent " << parent[v] << " of " << v << ": " << fault;
    }
  }
}

/// Vertices reached and the largest depth.
std::pair<std::uint64_t, std::int32_t> extent(const std::vector<std::int32_t>& depth) {
  std::uint64_t reached = 0;
  std::int32_t deepest = 0;
  for (const std::int32_t d : depth) {
    reached += d != unreached ? 1 : 0;
    deepest = std::max(deepest, d);
  }
  return {reached, deepest};
}

TEST_F(gpu, depths_and_parents_for_every_graph_direction_and_driver) {
  const auto all_engines = test::engines();
  for (const auto& [graph_name, graph] : test::awkward_graphs()) {
    const auto sources = some_sources(graph);
    std::vector<std::vector<std::int32_t>> expected;
    for (const vertex_id source : sources) {
      expected.push_back(test::plain_depths(graph, {source}));
    }
    for (const auto& [engine_name, options] : all_engines) {
      cuda_engine engine(options);
      const auto placed = engine.place(graph);
      for (const direction way : {direction::automatic, direction::push, direction::pull}) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
          SCOPED_TRACE(graph_name + " of " + std::to_string(graph.num_vertices()) + ", " +
                       engine_name + ", " + std::string(to_string(way)) + ", source " +
                       std::to_string(sources[i]));
          const auto found = bfs(engine, placed, {sources[i]}, search_by(way));
          const auto depth = found.depth.to_host();
          ASSERT_EQ(depth, expected[i]);
          expect_parents(graph, depth, found.parent.to_host());
          auto plain = engine.array(graph.num_vertices(), unreached);
          const auto report = traverse(engine, placed, {sources[i]}, hops{plain.data()}, by(way));
          ASSERT_EQ(plain.to_host(), expected[i]);
          const auto [reached, deepest] = extent(expected[i]);
          ASSERT_EQ(report.entered, reached);
          ASSERT_EQ(report.levels.size(), static_cast<std::size_t>(deepest) + 1);
          ASSERT_EQ(report.end, ending::exhausted);
        }
      }
    }
  }
}

TEST_F(gpu, parents_of_a_visitor_without_hooks_on_narrow_graphs) {
  for (const char* text : {"grid:300x280:30", "path:70000", "tree:13:2", "grid:3000x3"}) {
    const csr<> graph = generate(text);
    for (const auto& [name, options] : test::engines()) {
      cuda_engine engine(options);
      const auto placed = engine.place(graph);
      for (const vertex_id source : some_sources(graph)) {
        SCOPED_TRACE(std::string(text) + ", " + name + ", source " + std::to_string(source));
        auto depth = engine.array(graph.num_vertices(), unreached);
        auto parent = engine.array(graph.num_vertices(), no_vertex);
        traverse(engine, placed, {source}, hops_and_parents{depth.data(), parent.data()});
        const auto depths = depth.to_host();
        ASSERT_EQ(depths, test::plain_depths(graph, {source}));
        expect_parents(graph, depths, parent.to_host());
      }
    }
  }
}

TEST_F(gpu, a_vertex_arrives_once) {
  const csr<> graph = generate_rmat<>(15, 16, 11);
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      auto depth = engine.array(graph.num_vertices(), unreached);
      auto times = engine.array(graph.num_vertices(), 0U);
      traverse(engine, placed, {1, 2, 3, 2, 1}, arrivals{depth.data(), times.data()}, by(way));
      const auto expected = test::plain_depths(graph, {1, 2, 3});
      ASSERT_EQ(depth.to_host(), expected);
      std::vector<std::uint32_t> once(graph.num_vertices());
      for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
        once[v] = expected[v] == unreached ? 0 : 1;
      }
      ASSERT_EQ(times.to_host(), once);
    }
  }
}

TEST_F(gpu, filters_edges_shows_levels_and_stops) {
  const csr<> graph = generate_grid<>(40, 40);
  std::vector<edge<>> kept;
  for (vertex_id v = 0; v < 1600; ++v) {
    for (auto e = graph.view().first_edge(v); e < graph.view().last_edge(v); ++e) {
      if (v < graph.view().target(e)) {
        kept.push_back({v, graph.view().target(e), {}});
      }
    }
  }
  const csr<> up = test::graph_of(1600, kept, orientation::directed);
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      auto depth = engine.array(1600, unreached);
      auto levels = engine.array(3, std::int32_t{0});
      auto report =
          traverse(engine, placed, {41}, uphill{depth.data(), levels.data(), -1}, by(way));
      EXPECT_EQ(depth.to_host(), test::plain_depths(up, {41}));
      const auto count = static_cast<std::int32_t>(report.levels.size());
      EXPECT_EQ(levels.to_host(), (std::vector<std::int32_t>{count, count, count}));
      EXPECT_EQ(report.end, ending::exhausted);

      depth = engine.array(1600, unreached);
      report = traverse(engine, placed, {41}, uphill{depth.data(), levels.data(), 4}, by(way));
      EXPECT_EQ(depth.to_host(), test::plain_depths(up, {41}, 5));
      EXPECT_EQ(report.end, ending::stopped_by_visitor);
      EXPECT_EQ(report.levels.size(), 5U);
    }
  }
}

TEST_F(gpu, a_depth_limit_and_a_hook_after_each_level) {
  const csr<> graph = generate_grid<>(64, 64, 20, 9);
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    for (const std::int32_t limit : {0, 1, 7}) {
      auto depth = engine.array(4096, unreached);
      std::vector<std::int32_t> seen;
      const auto report = traverse(
          engine, placed, {70}, hops{depth.data()},
          {direction::automatic, limit, [&](const level_report& l) { seen.push_back(l.level); }});
      auto again = engine.array(4096, unreached);
      traverse(engine, placed, {70}, hops{again.data()}, {direction::automatic, limit, {}});
      EXPECT_EQ(again.to_host(), depth.to_host());
      EXPECT_EQ(depth.to_host(), test::plain_depths(graph, {70}, limit));
      EXPECT_EQ(report.end, ending::depth_limit);
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(limit));
    }
  }
}

TEST_F(gpu, reports_the_same_levels_as_the_definition) {
  const csr<> graph = generate_rmat<>(13, 16, 2);
  const std::vector<vertex_id> sources{5, 17, 4000};
  const auto expected = test::plain_depths(graph, sources);
  std::vector<std::uint64_t> vertices;
  std::vector<std::uint64_t> edges;
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    if (expected[v] != unreached) {
      const auto level = static_cast<std::size_t>(expected[v]);
      vertices.resize(std::max(vertices.size(), level + 1));
      edges.resize(vertices.size());
      vertices[level] += 1;
      edges[level] += graph.view().degree(v);
    }
  }
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    for (const direction way : {direction::automatic, direction::push, direction::pull}) {
      auto depth = engine.array(graph.num_vertices(), unreached);
      const auto report = traverse(engine, placed, sources, hops{depth.data()}, by(way));
      ASSERT_EQ(report.levels.size(), vertices.size());
      for (std::size_t i = 0; i < vertices.size(); ++i) {
        EXPECT_EQ(report.levels[i].frontier, vertices[i]) << "level " << i;
        EXPECT_EQ(report.levels[i].frontier_edges, edges[i]) << "level " << i;
        if (way != direction::automatic) {
          EXPECT_EQ(report.levels[i].way, way);
        }
      }
    }
  }
}

TEST_F(gpu, zero_work_is_no_work) {
  cuda_engine engine;
  const std::vector<vertex_id> no_sources;
  const auto empty = engine.place(csr<>());
  auto nothing = engine.array(0, unreached);
  EXPECT_TRUE(traverse(engine, empty, no_sources, hops{nothing.data()}).levels.empty());
  EXPECT_THROW(traverse(engine, empty, {0}, hops{nothing.data()}), input_error);
  const auto edgeless = engine.place(test::graph_of(3, {}, orientation::directed));
  EXPECT_TRUE(traverse(engine, edgeless, no_sources, hops{nothing.data()}).levels.empty());
  EXPECT_THROW(traverse(engine, edgeless, {3}, hops{nothing.data()}), input_error);
  EXPECT_EQ(bfs(engine, edgeless, {0}).depth.to_host(),
            (std::vector<std::int32_t>{0, unreached, unreached}));
}

TEST_F(gpu, five_thousand_hubs_of_forty_leaves_lose_none) {
  std::vector<edge<>> edges;
  constexpr vertex_id hubs = 5000;
  for (vertex_id hub = 1; hub <= hubs; ++hub) {
    edges.push_back({0, hub, {}});
    for (vertex_id leaf = 0; leaf < 40; ++leaf) {
      edges.push_back({hub, hubs + 1 + (hub - 1) * 40 + leaf, {}});
    }
  }
  const csr<> graph = test::graph_of(205001, edges, orientation::directed);
  for (const auto& [name, options] : test::engines()) {
    SCOPED_TRACE(name);
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    for (int run = 0; run < 5; ++run) {
      const auto depth = bfs(engine, placed, {0}).depth.to_host();
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 0), 1);
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 1), 5000);
      EXPECT_EQ(std::count(depth.begin(), depth.end(), 2), 200000);
    }
  }
}

TEST_F(gpu, random_graphs_repeat_their_depths) {
  std::mt19937 random(20260101);
  cuda_engine engine;
  cuda_options plain;
  plain.tuning.use_small = false;
  cuda_engine large(plain);
  for (int round = 0; round < 1000; ++round) {
    const auto n = static_cast<vertex_id>(1 + random() % 3000);
    const std::size_t m = random() % (4 * n);
    std::vector<edge<>> edges;
    for (std::size_t i = 0; i < m; ++i) {
      edges.push_back(
          {static_cast<vertex_id>(random() % n), static_cast<vertex_id>(random() % n), {}});
    }
    const auto kind = round % 2 == 0 ? orientation::directed : orientation::undirected;
    const csr<> graph = test::graph_of(n, edges, kind);
    const auto source = static_cast<vertex_id>(random() % n);
    const auto expected = test::plain_depths(graph, {source});
    for (cuda_engine* each : {&engine, &large}) {
      const auto placed = each->place(graph);
      for (const direction way : {direction::automatic, direction::push, direction::pull}) {
        auto depth = each->array(n, unreached);
        traverse(*each, placed, {source}, hops{depth.data()}, by(way));
        ASSERT_EQ(depth.to_host(), expected) << "round " << round;
      }
    }
  }
}

}  // namespace
