#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "datasets/expected.hpp"
#include "tendril/graph/analyse.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/read.hpp"

// The files that the scripts of datasets/ made, against datasets/expected.json.

namespace {

using tendril::csr;
using tendril::edge_offset;
using tendril::vertex_id;

const std::filesystem::path folder = TENDRIL_DATASETS;

class made_file : public testing::TestWithParam<std::string> {};

TEST_P(made_file, has_the_counts_of_the_catalogue) {
  const auto expected = datasets::read_facts(folder).at("graphs").at(GetParam());
  const auto [graph, names, facts] = tendril::read_graph_file(folder / GetParam());
  const auto counts = tendril::analyse(graph);
  EXPECT_EQ(counts.num_vertices, expected.at("vertices"));
  EXPECT_EQ(counts.num_edges, expected.at("edges"));
  EXPECT_EQ(counts.num_self_loops, expected.at("self_loops"));
  EXPECT_EQ(counts.num_duplicates, expected.at("duplicates"));
  EXPECT_EQ(counts.num_simple_edges, expected.at("simple_edges"));
  EXPECT_EQ(counts.num_components, expected.at("components"));
  EXPECT_EQ(counts.largest_component, expected.at("largest_component"));
  EXPECT_EQ(counts.num_isolated, 0U);
  EXPECT_EQ(counts.max_degree, expected.at("max_degree"));
  EXPECT_EQ(names.name(counts.max_degree_vertex), expected.at("max_degree_vertex"));
  EXPECT_EQ(tendril::analyse(tendril::transpose(graph)).max_degree, expected.at("max_in_degree"));
  EXPECT_TRUE(facts.gzipped);
}

TEST_P(made_file, is_searched_as_the_catalogue_says) {
  const auto [graph, names, facts] = tendril::read_graph_file(folder / GetParam());
  const auto searches = datasets::read_facts(folder).at("graphs").at(GetParam()).at("bfs");
  EXPECT_EQ(searches.size(), 2U);
  for (const auto& [source, bfs] : searches.items()) {
    SCOPED_TRACE("from " + source);
    datasets::expect_search(graph, names.at(source), datasets::search_of(bfs));
  }
}

INSTANTIATE_TEST_SUITE_P(graphs, made_file,
                         testing::Values("packages.tsv.gz", "words.tsv.gz", "karate.mtx.gz"),
                         [](const auto& test) {
                           return test.param.substr(0, test.param.find('.'));
                         });

edge_offset degree(const csr<>& graph, vertex_id v) {
  return graph.view().degree(v);
}

bool has_edge(const csr<>& graph, vertex_id source, vertex_id target) {
  const auto* row = graph.targets().data();
  const auto* first = row + graph.view().first_edge(source);
  const auto* last = row + graph.view().last_edge(source);
  return std::find(first, last, target) != last;
}

// Figures that the literature gives of the club: instructor 1, president 34.
TEST(karate, is_the_graph_of_the_literature) {
  const auto [graph, names, facts] = tendril::read_graph_file(folder / "karate.mtx.gz");
  EXPECT_TRUE(graph.is_undirected());
  EXPECT_EQ(facts.stored_entries, 78U);
  EXPECT_EQ(degree(graph, names.at("34")), 17U);
  EXPECT_EQ(degree(graph, names.at("1")), 16U);
  EXPECT_EQ(degree(graph, names.at("33")), 12U);
  EXPECT_EQ(degree(graph, names.at("12")), 1U);
  EXPECT_FALSE(has_edge(graph, names.at("1"), names.at("34")));
}

TEST(words, are_joined_in_both_directions_where_one_letter_differs) {
  const auto [graph, names, facts] = tendril::read_graph_file(folder / "words.tsv.gz");
  EXPECT_TRUE(has_edge(graph, names.at("stone"), names.at("store")));
  EXPECT_TRUE(has_edge(graph, names.at("store"), names.at("stone")));
  EXPECT_FALSE(has_edge(graph, names.at("stone"), names.at("stare")));
  const auto view = graph.view();
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    for (edge_offset e = view.first_edge(v); e < view.last_edge(v); ++e) {
      ASSERT_TRUE(has_edge(graph, view.target(e), v)) << names.name(v);
    }
  }
}

// Control fields of Debian 12: bash pre-depends on libc6; libc6 does not ask for bash.
TEST(packages, point_from_a_package_to_what_it_asks_for) {
  const auto [graph, names, facts] = tendril::read_graph_file(folder / "packages.tsv.gz");
  EXPECT_FALSE(graph.is_undirected());
  EXPECT_TRUE(has_edge(graph, names.at("bash"), names.at("libc6")));
  EXPECT_FALSE(has_edge(graph, names.at("libc6"), names.at("bash")));
}

}  // namespace
