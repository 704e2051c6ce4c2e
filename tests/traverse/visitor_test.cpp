#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "on_battery.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"

// Visitors that a user would write, and what the engine promises to call.

namespace {

using namespace tendril;
using test::all_ways;
using test::make_graph;

// The two visitors of the library's introduction, word for word.
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

TEST(visitor, hops_finds_depths) {
  host_engine engine;
  auto g = engine.place(generate_grid(20, 20));
  auto depth = engine.array<std::int32_t>(g.num_vertices(), -1);
  tendril::traverse(engine, g, {0}, hops{.depth = depth.data()});
  const auto found = depth.to_host();
  for (vertex_id v = 0; v < g.num_vertices(); ++v) {
    ASSERT_EQ(found[v], static_cast<std::int32_t>(v / 20 + v % 20));
  }
}

TEST(visitor, cheapest_finds_distances) {
  host_engine engine;
  const csr<float> graph =
      test::with_weights<float>(generate_grid(30, 30), test::weights_kind::mixed);
  auto g = engine.place(graph);
  auto distance = engine.array<float>(g.num_vertices(), std::numeric_limits<float>::infinity());
  const std::vector<vertex_id> sources{7};
  tendril::traverse(engine, g, sources, cheapest{.distance = distance.data()});
  EXPECT_EQ(distance.to_host(), oracle::dijkstra_distances(graph, sources));
}

/// Weak components by the smallest label, on an undirected graph: every vertex is a source.
struct smallest_label {
  using kind = relaxing;
  vertex_id* label;
  void start(vertex_id v) const { label[v] = v; }
  [[nodiscard]] bool visit(edge<> e) const { return lower(label[e.target], load(label[e.source])); }
};

TEST(visitor, labels_find_components) {
  host_engine engine({.threads = 3});
  const csr<> graph = generate_grid(70, 40, 45, 11);
  const auto placed = engine.place(graph);
  auto label = engine.array(graph.num_vertices(), no_vertex);
  std::vector<vertex_id> everyone(graph.num_vertices());
  std::iota(everyone.begin(), everyone.end(), 0U);
  traverse(engine, placed, everyone, smallest_label{label.data()});
  // Breadth-first from the smallest vertex of each component gives the same labels.
  std::vector<vertex_id> expected(graph.num_vertices(), no_vertex);
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    if (expected[v] == no_vertex) {
      const auto depth = oracle::bfs_depths(graph, std::vector{v});
      for (vertex_id u = 0; u < graph.num_vertices(); ++u) {
        expected[u] = depth[u] == unreached ? expected[u] : v;
      }
    }
  }
  EXPECT_EQ(label.to_host(), expected);
}

/// Depths over edges between vertices of the same parity only.
struct same_parity_hops {
  using kind = first_visit;
  std::int32_t* depth;
  void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
  [[nodiscard]] bool admits(edge<> e) const { return (e.source + e.target) % 2 == 0; }
};

TEST(visitor, a_filter_is_honoured_in_every_direction) {
  const csr<> graph = generate_rmat(12, 8, 5);
  test::pairs admitted;
  for (vertex_id u = 0; u < graph.num_vertices(); ++u) {
    for (auto i = graph.offsets()[u]; i < graph.offsets()[u + 1]; ++i) {
      if ((u + graph.targets()[i]) % 2 == 0) {
        admitted.emplace_back(u, graph.targets()[i]);
      }
    }
  }
  const vertex_id source = graph.targets()[0];
  const auto expected =
      oracle::bfs_depths(make_graph(graph.num_vertices(), admitted), std::vector{source});
  host_engine engine({.threads = 2});
  const auto placed = engine.place(graph);
  for (const direction way : all_ways) {
    auto depth = engine.array(graph.num_vertices(), unreached);
    traverse(engine, placed, {source}, same_parity_hops{depth.data()}, {.way = way});
    EXPECT_EQ(depth.to_host(), expected) << to_string(way);
  }
}

/// A directed filter sees the edge as it leads, pushed or pulled.
struct uphill_hops {
  using kind = first_visit;
  std::int32_t* depth;
  void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
  [[nodiscard]] bool admits(edge<std::int32_t> e) const {
    return e.source < e.target && e.weight == static_cast<std::int32_t>(e.target);
  }
};

TEST(visitor, a_filter_sees_source_target_and_weight_of_the_edge_itself) {
  // Vertex 2 could also be reached from 3 downhill; the edge 0 -> 3 has the wrong weight.
  const csr<> plain = make_graph(4, {{0, 1}, {0, 3}, {1, 2}, {2, 3}, {3, 2}});
  const csr<std::int32_t> graph(plain.offsets(), plain.targets(),
                                std::vector<std::int32_t>{1, 9, 2, 3, 2}, plain.kind());
  host_engine engine;
  const auto placed = engine.place(graph);
  for (const direction way : all_ways) {
    auto depth = engine.array(4, unreached);
    traverse(engine, placed, {0}, uphill_hops{depth.data()}, {.way = way});
    EXPECT_EQ(depth.to_host(), (std::vector<std::int32_t>{0, 1, 2, 3})) << to_string(way);
  }
}

/// Counts calls: per edge for admits (by its unique weight), per vertex for arrivals.
struct call_counter {
  using kind = first_visit;
  std::int32_t* admit_calls;
  std::int32_t* arrivals;
  void arrive(vertex_id v, std::int32_t /*level*/) const { add(arrivals[v], 1); }
  void arrive(edge<std::int32_t> e, std::int32_t /*level*/) const { add(arrivals[e.target], 1); }
  /// Refuses everything that does not lead from a source, so every edge of the sources is asked.
  [[nodiscard]] bool admits(edge<std::int32_t> e) const {
    add(admit_calls[e.weight], 1);
    return false;
  }
};

csr<std::int32_t> numbered(const csr<>& graph) {
  std::vector<std::int32_t> positions(graph.num_edges());
  std::iota(positions.begin(), positions.end(), 0);
  return {graph.offsets(), graph.targets(), std::move(positions), graph.kind()};
}

// Every other vertex is a source: each edge that leaves one for a vertex that is none is asked
// exactly once in a push; no other edge ever is.
TEST(coverage, a_push_asks_each_frontier_edge_exactly_once) {
  for (const auto& [name, plain, unused] : test::battery()) {
    std::vector<vertex_id> sources;
    for (vertex_id v = 0; v < plain.num_vertices(); v += 2) {
      sources.push_back(v);
    }
    const csr<std::int32_t> graph = numbered(plain);
    std::vector<std::int32_t> expected(graph.num_edges(), 0);
    for (const vertex_id u : sources) {
      for (auto i = graph.offsets()[u]; i < graph.offsets()[u + 1]; ++i) {
        expected[i] = graph.targets()[i] % 2 == 0 ? 0 : 1;
      }
    }
    for (const int threads : {1, 2, 4}) {
      host_engine engine({.threads = threads});
      auto calls = engine.array<std::int32_t>(graph.num_edges(), 0);
      auto arrivals = engine.array<std::int32_t>(graph.num_vertices(), 0);
      const auto placed = engine.place(graph);
      traverse(engine, placed, sources, call_counter{calls.data(), arrivals.data()},
               {.way = direction::push});
      EXPECT_EQ(calls.to_host(), expected) << name << ", threads " << threads;
    }
  }
}

struct arrival_counter {
  using kind = first_visit;
  std::int32_t* arrivals;
  void arrive(vertex_id v, std::int32_t /*level*/) const { add(arrivals[v], 1); }
  void arrive(edge<> e, std::int32_t /*level*/) const { add(arrivals[e.target], 1); }
};

TEST(coverage, each_reached_vertex_arrives_exactly_once) {
  for (const auto& [name, graph, unused] : test::battery()) {
    SCOPED_TRACE(name);
    test::on_threads_and_sources(
        graph, [](host_engine& engine, const host_graph<>& placed, const auto& sources) {
          auto expected = oracle::bfs_depths(placed.host(), sources);
          for (std::int32_t& value : expected) {
            value = value == unreached ? 0 : 1;
          }
          for (const direction way : all_ways) {
            auto arrivals = engine.array<std::int32_t>(expected.size(), 0);
            traverse(engine, placed, sources, arrival_counter{arrivals.data()}, {.way = way});
            EXPECT_EQ(arrivals.to_host(), expected) << to_string(way);
          }
        });
  }
}

/// Asks for every target of the frontier's edges, always.
struct insatiable {
  using kind = relaxing;
  std::int32_t* visits;  // per edge, by its number
  void start(vertex_id /*v*/) const {}
  [[nodiscard]] bool visit(edge<std::int32_t> e) const {
    add(visits[e.weight], 1);
    return true;
  }
};

// All edges of a complete graph claim their target in every level: it must enter the next frontier
// once, not once per edge.
TEST(coverage, a_relaxed_vertex_enters_the_next_frontier_once) {
  constexpr vertex_id n = 300;
  test::pairs edges;
  for (vertex_id u = 0; u < n; ++u) {
    for (vertex_id v = 0; v < n; ++v) {
      edges.emplace_back(u, v);
    }
  }
  const csr<std::int32_t> graph = numbered(make_graph(n, edges));
  for (const int threads : {1, 4}) {
    host_engine engine({.threads = threads});
    const auto placed = engine.place(graph);
    auto visits = engine.array<std::int32_t>(graph.num_edges(), 0);
    const auto report =
        traverse(engine, placed, {0}, insatiable{visits.data()}, {.depth_limit = 3});
    ASSERT_EQ(report.levels.size(), 3U);
    EXPECT_EQ(report.levels[1].frontier, n);
    EXPECT_EQ(report.levels[2].frontier, n);
    EXPECT_EQ(report.end, ending::depth_limit);
    // Edges of vertex 0 in three levels, those of the others in two.
    const auto counted = visits.to_host();
    for (std::size_t i = 0; i < counted.size(); ++i) {
      ASSERT_EQ(counted[i], i < n ? 3 : 2) << "edge " << i;
    }
  }
}

/// Records the order in which level hooks are called.
struct hook_recorder {
  using kind = first_visit;
  std::vector<std::string>* calls;
  std::int32_t last_level;
  void arrive(vertex_id /*v*/, std::int32_t /*level*/) const {}
  void level_begins(std::int32_t level) const {
    calls->push_back("begins " + std::to_string(level));
  }
  void level_ends(std::int32_t level) const { calls->push_back("ends " + std::to_string(level)); }
  [[nodiscard]] bool stops(std::int32_t level) const {
    calls->push_back("stops? " + std::to_string(level));
    return level == last_level;
  }
};

TEST(visitor, level_hooks_are_called_once_per_level_in_order) {
  host_engine engine;
  const auto graph = engine.place(generate_path(10));
  std::vector<std::string> calls;
  const auto report = traverse(engine, graph, {0}, hook_recorder{&calls, 1});
  EXPECT_EQ(calls, (std::vector<std::string>{"begins 0", "ends 0", "stops? 0", "begins 1", "ends 1",
                                             "stops? 1"}));
  EXPECT_EQ(report.end, ending::stopped_by_visitor);
  EXPECT_EQ(report.entered, 3U);
}

TEST(visitor, a_relaxing_one_cannot_be_pulled) {
  host_engine engine;
  const auto graph = engine.place(generate_path(3));
  auto label = engine.array(3, no_vertex);
  EXPECT_THROW(traverse(engine, graph, {0}, smallest_label{label.data()}, {.way = direction::pull}),
               usage_error);
}

}  // namespace
