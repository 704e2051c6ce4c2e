#include "tendril/graph/analyse.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <random>

#include "graph/graph_testing.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/graph/read.hpp"

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
using tendril::testing::in_chunks;
using tendril::testing::on_several_thread_counts;
using tendril::testing::random_below;

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

// Sizes of components, by labels that are lowered until none changes.
std::map<vertex_id, vertex_id> expected_components(const std::vector<edge<>>& edges,
                                                   vertex_id num_vertices) {
  std::vector<vertex_id> label(num_vertices);
  std::iota(label.begin(), label.end(), vertex_id{0});
  for (bool changed = true; changed;) {
    changed = false;
    for (const edge<>& e : edges) {
      const vertex_id low = std::min(label[e.source], label[e.target]);
      changed = changed || label[e.source] != low || label[e.target] != low;
      label[e.source] = label[e.target] = low;
    }
  }
  std::map<vertex_id, vertex_id> sizes;
  for (const vertex_id each : label) {
    ++sizes[each];
  }
  return sizes;
}

TEST(analyse, counts_components_alike_on_any_number_of_threads) {
  std::mt19937 random(11);
  constexpr vertex_id num_vertices = 60'000;
  std::vector<edge<>> edges(45'000);  // near the threshold where a giant component appears
  for (edge<>& e : edges) {
    e = {random_below(random, num_vertices), random_below(random, num_vertices), {}};
  }
  vertex_id largest = 0;
  vertex_id isolated = 0;
  const auto expected = expected_components(edges, num_vertices);
  for (const auto& [label, size] : expected) {
    largest = std::max(largest, size);
    isolated += size == 1 ? 1 : 0;
  }
  const csr<> graph = build_csr(in_chunks(edges, 1'000), num_vertices);
  on_several_thread_counts([&] {
    const graph_counts counts = analyse(graph);
    EXPECT_EQ(counts.num_components, expected.size());
    EXPECT_EQ(counts.largest_component, largest);
    EXPECT_EQ(counts.num_isolated, isolated);
  });
}

TEST(analyse, follows_a_long_path_and_a_wide_star) {
  EXPECT_EQ(analyse(tendril::generate("path:300000")).num_components, 1U);
  EXPECT_EQ(analyse(tendril::generate("star:300000")).num_components, 1U);
}

// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): in the order of the table
struct file_counts {
  const char* name;
  vertex_id num_vertices;
  edge_offset num_edges, num_self_loops, num_duplicates, num_simple_edges;
  vertex_id num_components, largest_component, num_isolated;
  edge_offset max_degree;
  const char* max_degree_name;
};

// Counted by the parsers that made the folder's expected.json, cross-checked with networkx.
constexpr file_counts known_files[] = {
    {"ca-GrQc.mtx", 5'242, 28'980, 12, 0, 14'484, 355, 4'158, 1, 81, "4234"},
    {"cs-stanford.mtx.gz", 9'914, 36'854, 1'299, 0, 27'427, 522, 8'929, 488, 277, "6562"},
    {"gapbs_4.mtx", 14, 256, 36, 198, 53, 2, 13, 1, 12, "1"},
    {"west0479.mtx", 479, 1'910, 8, 0, 1'889, 1, 479, 0, 12, "436"},
    {"young1c.mtx", 841, 4'089, 841, 0, 1'624, 1, 841, 0, 4, "31"},
    {"bcspwr10.mtx", 5'300, 21'842, 5'300, 0, 8'271, 1, 5'300, 0, 13, "4892"},
    {"p2p-Gnutella08.txt", 6'301, 20'777, 0, 0, 20'777, 2, 6'299, 0, 48, "5831"},
};

TEST(analyse, agrees_with_counts_of_real_files_made_elsewhere) {
  const char* const named = std::getenv("TENDRIL_SHARED_DATASETS");
  const std::filesystem::path folder = named != nullptr ? named : TENDRIL_SHARED_DATASETS_DEFAULT;
  if (!std::filesystem::exists(folder / "expected.json")) {
    GTEST_SKIP() << "no shared datasets in " << folder;
  }
  for (const file_counts& expected : known_files) {
    SCOPED_TRACE(expected.name);
    const auto file = tendril::read_graph_file(folder / expected.name);
    const graph_counts counts = analyse(file.graph);
    EXPECT_EQ(counts.num_vertices, expected.num_vertices);
    EXPECT_EQ(counts.num_edges, expected.num_edges);
    EXPECT_EQ(counts.num_self_loops, expected.num_self_loops);
    EXPECT_EQ(counts.num_duplicates, expected.num_duplicates);
    EXPECT_EQ(counts.num_simple_edges, expected.num_simple_edges);
    EXPECT_EQ(counts.num_components, expected.num_components);
    EXPECT_EQ(counts.largest_component, expected.largest_component);
    EXPECT_EQ(counts.num_isolated, expected.num_isolated);
    EXPECT_EQ(counts.max_degree, expected.max_degree);
    EXPECT_EQ(file.names.name(counts.max_degree_vertex), expected.max_degree_name);
  }
}

}  // namespace
