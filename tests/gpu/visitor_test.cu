#include <gtest/gtest.h>

#include "gpu/arrivals.hpp"
#include "gpu/gpu_test.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/cuda/traverse.cuh"

// What the engine promises to call, by visitors that count.

namespace {

using namespace tendril;
using test::arrivals;
using test::gpu;

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

/// Hands the source's id down the tree: what arrived a level before has to be there. Runs on the
/// small kernel as well.
struct root_of {
  using kind = first_visit;
  vertex_id* root;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t /*level*/) const { root[v] = v; }
  TENDRIL_HD void arrive(edge<> e, std::int32_t /*level*/) const {
    root[e.target] = root[e.source];
  }
};

/// Labels vertices with the smallest source id that reaches them.
struct smallest_label {
  using kind = relaxing;
  vertex_id* label;
  TENDRIL_HD void start(vertex_id v) const { label[v] = v; }
  TENDRIL_HD bool visit(edge<> e) const { return lower(label[e.target], load(label[e.source])); }
};

traverse_options by(direction way) {
  traverse_options options;
  options.way = way;
  return options;
}

struct expected_levels {
  explicit expected_levels(const csr<>& graph, const std::vector<std::int32_t>& depth) {
    for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
      if (depth[v] != unreached) {
        const auto level = static_cast<std::size_t>(depth[v]);
        vertices.resize(std::max(vertices.size(), level + 1));
        edges.resize(vertices.size());
        vertices[level] += 1;
        edges[level] += graph.view().degree(v);
        ++reached;
      }
    }
  }
  std::vector<std::uint64_t> vertices;
  std::vector<std::uint64_t> edges;
  std::uint64_t reached = 0;
};

void expect_arrivals(cuda_engine& engine, const csr<>& graph, const cuda_graph<>& placed,
                     const std::vector<vertex_id>& sources, direction way,
                     const std::vector<std::int32_t>& expected) {
  auto depth = engine.array(graph.num_vertices(), unreached);
  auto times = engine.array(graph.num_vertices(), 0U);
  const auto report =
      traverse(engine, placed, sources, arrivals{depth.data(), times.data()}, by(way));
  ASSERT_EQ(depth.to_host(), expected);
  std::vector<std::uint32_t> once(graph.num_vertices());
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    once[v] = expected[v] == unreached ? 0 : 1;
  }
  ASSERT_EQ(times.to_host(), once);
  const expected_levels levels(graph, expected);
  ASSERT_EQ(report.entered, levels.reached);
  ASSERT_EQ(report.levels.size(), levels.vertices.size());
  for (std::size_t i = 0; i < levels.vertices.size(); ++i) {
    ASSERT_EQ(report.levels[i].frontier, levels.vertices[i]) << "level " << i;
    ASSERT_EQ(report.levels[i].frontier_edges, levels.edges[i]) << "level " << i;
    ASSERT_TRUE(way == direction::automatic || report.levels[i].way == way);
  }
}

void expect_arrivals_everywhere(const std::vector<test::battery_case>& graphs) {
  auto engines = test::engines();
  for (const auto& [name, graph, unused] : graphs) {
    const auto sources = test::some_sources(graph.num_vertices());
    const auto expected = oracle::bfs_depths(graph, sources);
    for (auto& [engine_name, engine, tests_schedules] : engines) {
      const auto placed = engine.place(graph);
      for (const direction way : test::ways_for(tests_schedules)) {
        SCOPED_TRACE(name + ", " + engine_name + ", " + std::string(to_string(way)));
        ASSERT_NO_FATAL_FAILURE(expect_arrivals(engine, graph, placed, sources, way, expected));
      }
    }
  }
}

TEST_F(gpu, a_vertex_of_the_battery_arrives_once_and_levels_count_right) {
  expect_arrivals_everywhere(test::battery());
}
TEST_F(gpu, a_vertex_of_a_large_graph_arrives_once_and_levels_count_right) {
  expect_arrivals_everywhere(test::large_graphs());
}

// A binary tree with a path of 20,000 behind it. Every push marks once the tree has left the small
// frontiers, so the log is full, and the traversal looked at, while one vertex is in a bitmap.
TEST_F(gpu, a_frontier_in_a_bitmap_is_not_handed_to_the_small_kernel) {
  constexpr vertex_id tree = (1U << 15U) - 1;  // up to 16,384 vertices on a level
  constexpr vertex_id n = tree + 20000;
  test::pairs edges;
  std::vector<std::int32_t> expected{0};
  for (vertex_id v = 1; v < n; ++v) {
    const vertex_id parent = v < tree ? (v - 1) / 2 : v - 1;
    edges.emplace_back(parent, v);
    expected.push_back(expected[parent] + 1);
  }
  cuda_options options;
  options.tuning.dense_vertices = 0;
  options.tuning.dense_push = 1U << 30U;
  cuda_engine engine(options);
  const csr<> graph = test::make_graph(n, edges, orientation::undirected);
  expect_arrivals(engine, graph, engine.place(graph), {0}, direction::automatic, expected);
}

// Set once for all graphs: engines of several threads may run it at once.
TEST_F(gpu, the_small_kernel_may_use_all_shared_memory_whatever_the_graph) {
  cuda_engine engine;
  const csr<> graph = generate_grid<>(40, 40);
  expect_arrivals(engine, graph, engine.place(graph), {0}, direction::automatic,
                  oracle::bfs_depths(graph, std::vector<vertex_id>{0}));
  cudaFuncAttributes attributes{};
  TENDRIL_CUDA_CHECK(cudaFuncGetAttributes(
      &attributes, tendril::cuda::small_kernel<std::uint32_t, none, arrivals>));
  EXPECT_EQ(static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes),
            engine.device().shared_bytes);
}

/// Rows of the complete bipartite graph of two equal sides: every vertex to all of the other side.
__global__ void fill_bipartite(edge_offset* offsets, vertex_id* targets, vertex_id side) {
  const edge_offset first = static_cast<edge_offset>(blockIdx.x) * side;
  for (vertex_id i = threadIdx.x; i < side; i += blockDim.x) {
    targets[first + i] = (blockIdx.x < side ? side : 0) + i;
  }
  if (threadIdx.x == 0) {
    offsets[blockIdx.x] = first;
    offsets[blockIdx.x + 1] = first + side;
  }
}

// 2 x 46400 x 46400 stored edges, more than 2^32: the other side is one edge away, the own side
// two.
TEST_F(gpu, positions_of_more_than_32_bits) {
  constexpr vertex_id side = 46400;
  constexpr vertex_id n = 2 * side;
  constexpr edge_offset num_edges = 2 * static_cast<edge_offset>(side) * side;
  static_assert(num_edges > edge_offset{1} << 32U);
  cuda_engine engine;
  if (engine.device().free_bytes < 20'000'000'000U) {
    GTEST_SKIP() << "needs 20 GB of GPU memory, free " << engine.device().free_bytes;
  }
  const tendril::cuda::device_buffer<edge_offset> offsets(n + std::size_t{1}, engine.stream());
  const tendril::cuda::device_buffer<vertex_id> targets(num_edges, engine.stream());
  fill_bipartite<<<n, 256, 0, engine.stream()>>>(offsets.data(), targets.data(), side);
  TENDRIL_CUDA_CHECK_LAUNCH();
  const auto placed = engine.place_device(
      csr_view<>{offsets.data(), targets.data(), nullptr, n, num_edges}, orientation::undirected);
  for (const vertex_id source : {vertex_id{0}, n - 1}) {
    for (const direction way : test::all_ways) {
      SCOPED_TRACE(std::string(to_string(way)) + ", source " + std::to_string(source));
      auto depth = engine.array(n, unreached);
      auto times = engine.array(n, 0U);
      const auto report =
          traverse(engine, placed, {source}, arrivals{depth.data(), times.data()}, by(way));
      std::vector<std::int32_t> expected(n);
      for (vertex_id v = 0; v < n; ++v) {
        expected[v] = v == source ? 0 : ((v < side) == (source < side) ? 2 : 1);
      }
      ASSERT_EQ(depth.to_host(), expected);
      ASSERT_EQ(times.to_host(), std::vector<std::uint32_t>(n, 1));
      ASSERT_EQ(report.levels[1].frontier_edges, edge_offset{side} * side);
    }
  }
}

TEST_F(gpu, filters_edges_shows_levels_and_stops) {
  const csr<> graph = generate_grid<>(40, 40);
  test::pairs kept;
  for (vertex_id v = 0; v < 1600; ++v) {
    for (auto e = graph.view().first_edge(v); e < graph.view().last_edge(v); ++e) {
      if (v < graph.view().target(e)) {
        kept.emplace_back(v, graph.view().target(e));
      }
    }
  }
  const auto all = oracle::bfs_depths(test::make_graph(1600, kept), std::vector<vertex_id>{41});
  for (auto& [name, engine, unused] : test::engines()) {
    SCOPED_TRACE(name);
    const auto placed = engine.place(graph);
    for (const direction way : test::all_ways) {
      auto depth = engine.array(1600, unreached);
      auto levels = engine.array(3, std::int32_t{0});
      auto report =
          traverse(engine, placed, {41}, uphill{depth.data(), levels.data(), -1}, by(way));
      EXPECT_EQ(depth.to_host(), all);
      const auto count = static_cast<std::int32_t>(report.levels.size());
      EXPECT_EQ(levels.to_host(), (std::vector<std::int32_t>{count, count, count}));
      EXPECT_EQ(report.end, ending::exhausted);

      depth = engine.array(1600, unreached);
      report = traverse(engine, placed, {41}, uphill{depth.data(), levels.data(), 4}, by(way));
      std::vector<std::int32_t> near = all;
      for (std::int32_t& d : near) {
        d = d > 5 ? unreached : d;
      }
      EXPECT_EQ(depth.to_host(), near);
      EXPECT_EQ(report.end, ending::stopped_by_visitor);
      EXPECT_EQ(report.levels.size(), 5U);
    }
  }
}

TEST_F(gpu, an_arrival_sees_what_arrived_a_level_before) {
  for (const char* text :
       {"grid:300x280:30", "path:20000", "tree:13:2", "grid:3000x3", "rmat:14:8"}) {
    const csr<> graph = generate(text);
    for (auto& [name, engine, tests_schedules] : test::engines()) {
      if (tests_schedules) {
        continue;
      }
      SCOPED_TRACE(std::string(text) + ", " + name);
      const auto placed = engine.place(graph);
      for (const vertex_id source : test::some_sources(graph.num_vertices())) {
        auto root = engine.array(graph.num_vertices(), no_vertex);
        traverse(engine, placed, {source}, root_of{root.data()});
        const auto found = root.to_host();
        const auto depth = oracle::bfs_depths(graph, std::vector<vertex_id>{source});
        for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
          ASSERT_EQ(found[v], depth[v] == unreached ? no_vertex : source) << "vertex " << v;
        }
      }
    }
  }
}

TEST_F(gpu, every_vertex_a_source_of_labels) {
  const csr<> graph = generate_grid<>(100, 80, 40, 5);
  std::vector<vertex_id> sources(graph.num_vertices());
  std::vector<vertex_id> expected(graph.num_vertices(), no_vertex);
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    sources[v] = v;
    if (expected[v] == no_vertex) {
      const auto depth = oracle::bfs_depths(graph, std::vector<vertex_id>{v});
      for (vertex_id u = 0; u < graph.num_vertices(); ++u) {
        expected[u] = depth[u] != unreached ? v : expected[u];
      }
    }
  }
  for (auto& [name, engine, unused] : test::engines()) {
    SCOPED_TRACE(name);
    const auto placed = engine.place(graph);
    auto label = engine.array(graph.num_vertices(), no_vertex);
    const auto report = traverse(engine, placed, sources, smallest_label{label.data()});
    EXPECT_EQ(label.to_host(), expected);
    EXPECT_EQ(report.levels.front().frontier, graph.num_vertices());
  }
}

}  // namespace
