#include "tendril/graph/analyse.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "graph/graph_testing.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"

namespace {

using tendril::analyse;
using tendril::build_csr;
using tendril::csr;
using tendril::edge;
using tendril::edge_offset;
using tendril::graph_counts;
using tendril::none;
using tendril::orientation;
using tendril::vertex_id;
using tendril::weak_components;
using tendril::testing::in_chunks;
using tendril::testing::on_several_thread_counts;
using tendril::testing::random_below;

using labels = std::vector<vertex_id>;

TEST(analyse, counts_a_directed_multigraph) {
  //  0 -> 1 twice, 1 -> 0, 0 -> 0, 2 -> 1, 3 -> 3, 4 alone
  const csr<> graph = build_csr(
      in_chunks<none>(
          {{0, 1, {}}, {0, 1, {}}, {1, 0, {}}, {0, 0, {}}, {2, 1, {}}, {3, 3, {}}, {3, 3, {}}}, 2),
      5);
  const graph_counts counts = analyse(graph);
  EXPECT_EQ(counts.num_vertices, 5U);
  EXPECT_EQ(counts.num_edges, 7U);
  EXPECT_EQ(counts.num_self_loops, 3U);
  EXPECT_EQ(counts.num_duplicates, 2U);
  EXPECT_EQ(counts.num_simple_edges, 2U);  // {0, 1} and {1, 2}
  EXPECT_EQ(counts.num_isolated, 2U);      // 3 and 4
  EXPECT_EQ(counts.max_degree, 1U);
  EXPECT_EQ(counts.max_degree_vertex, 0U);
  EXPECT_DOUBLE_EQ(counts.mean_degree, 7.0 / 5.0);
  EXPECT_EQ(counts.num_components, 3U);
  EXPECT_EQ(counts.largest_component, 3U);
}

TEST(analyse, counts_an_undirected_graph) {
  // 0 - 1 twice, 1 - 2, 2 - 2
  const csr<> graph =
      build_csr(in_chunks<none>({{0, 1, {}}, {1, 0, {}}, {1, 2, {}}, {2, 2, {}}}, 2), 3,
                {.kind = orientation::undirected});
  const graph_counts counts = analyse(graph);
  EXPECT_EQ(counts.num_edges, 7U);
  EXPECT_EQ(counts.num_self_loops, 1U);
  EXPECT_EQ(counts.num_duplicates, 2U);
  EXPECT_EQ(counts.num_simple_edges, 2U);
  EXPECT_EQ(counts.max_degree, 2U);
  EXPECT_EQ(counts.max_degree_vertex, 1U);
  EXPECT_EQ(counts.num_components, 1U);
}

TEST(analyse, takes_graphs_without_edges_or_vertices) {
  const graph_counts nothing = analyse(csr<>());
  EXPECT_EQ(nothing.num_vertices, 0U);
  EXPECT_EQ(nothing.num_components, 0U);
  EXPECT_EQ(nothing.max_degree_vertex, tendril::no_vertex);
  EXPECT_EQ(nothing.mean_degree, 0.0);
  const graph_counts isolated = analyse(build_csr(tendril::edge_list<>(), 1'000'000));
  EXPECT_EQ(isolated.num_isolated, 1'000'000U);
  EXPECT_EQ(isolated.num_components, 1'000'000U);
  EXPECT_EQ(isolated.largest_component, 1U);
  EXPECT_EQ(isolated.max_degree_vertex, 0U);
}

TEST(analyse, does_not_mind_rows_that_are_not_sorted) {
  const csr<float> graph({std::vector<edge_offset>{0, 3, 4}}, {std::vector<vertex_id>{1, 0, 1, 0}},
                         {std::vector<float>{1, 2, 3, 4}}, orientation::directed);
  const graph_counts counts = analyse(graph);
  EXPECT_EQ(counts.num_duplicates, 1U);
  EXPECT_EQ(counts.num_simple_edges, 1U);
}

TEST(weak_components, are_labelled_by_their_smallest_vertex) {
  // 4 -> 2 <- 5, 1 -> 3, 0 alone
  const csr<> graph = build_csr(in_chunks<none>({{4, 2, {}}, {5, 2, {}}, {3, 1, {}}}, 3), 6);
  EXPECT_EQ(weak_components(graph), (labels{0, 1, 2, 1, 2, 2}));
}

// A sequential union-find on the same edges.
labels expected_components(const std::vector<edge<>>& edges, vertex_id num_vertices) {
  labels label(num_vertices);
  std::iota(label.begin(), label.end(), vertex_id{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (const edge<>& e : edges) {
      const vertex_id low = std::min(label[e.source], label[e.target]);
      changed = changed || label[e.source] != low || label[e.target] != low;
      label[e.source] = label[e.target] = low;
    }
  }
  return label;
}

TEST(weak_components, agree_with_repeated_relabelling_on_any_number_of_threads) {
  std::mt19937 random(11);
  constexpr vertex_id num_vertices = 60'000;
  std::vector<edge<>> edges(45'000);  // near the threshold where a giant component appears
  for (edge<>& e : edges) {
    e = {random_below(random, num_vertices), random_below(random, num_vertices), {}};
  }
  const labels expected = expected_components(edges, num_vertices);
  const csr<> graph = build_csr(in_chunks(edges, 1'000), num_vertices);
  on_several_thread_counts([&] { EXPECT_EQ(weak_components(graph), expected); });
}

TEST(weak_components, follow_a_long_path_and_a_wide_star) {
  EXPECT_EQ(weak_components(tendril::generate("path:300000")), labels(300'000, 0));
  EXPECT_EQ(weak_components(tendril::generate("star:300000")), labels(300'000, 0));
}

}  // namespace
