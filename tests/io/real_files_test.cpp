#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "io/io_support.hpp"

// What is read from real files, against the counts in expected.json beside them, which were made
// with other parsers. Skipped where that folder is absent.

namespace {

std::filesystem::path folder() {
  const char* const named = std::getenv("TENDRIL_SHARED_DATASETS");
  return named != nullptr ? named : TENDRIL_SHARED_DATASETS_DEFAULT;
}

struct counts {
  std::uint64_t loops = 0;
  std::uint64_t duplicates = 0;
  double weight = 0;
};

/// Rows are sorted by target: duplicates are neighbours.
counts count(const tendril::csr<double>& graph) {
  counts found;
  const auto view = graph.view();
  for (tendril::vertex_id v = 0; v < view.num_vertices(); ++v) {
    for (auto i = view.first_edge(v); i < view.last_edge(v); ++i) {
      found.loops += view.target(i) == v ? 1U : 0U;
      found.duplicates += i > view.first_edge(v) && view.target(i) == view.target(i - 1) ? 1U : 0U;
      found.weight += view.weight(i);
    }
  }
  return found;
}

void expect_counts(const std::string& name, const nlohmann::json& expected) {
  SCOPED_TRACE(name);
  const auto file = tendril::read_graph_file<double>(folder() / name);
  EXPECT_EQ(file.graph.num_vertices(), expected.at("vertices"));
  if (expected.value("file_field", "") != "complex") {  // counted there as a pattern
    EXPECT_EQ(file.facts.has_weights, expected.at("weighted"));
  }
  // The counts take an undirected edge that the file lists once (PACE) for one arc.
  const bool listed_once = expected.value("file_p_tag", "") == "tw";
  const auto arcs = expected.at("arcs_in_file").get<std::uint64_t>();
  EXPECT_EQ(file.graph.num_edges(), listed_once ? 2 * arcs : arcs);
  const counts found = count(file.graph);
  EXPECT_EQ(found.loops, expected.at("self_loop_lines"));
  EXPECT_EQ(found.duplicates, expected.at("duplicate_arc_lines"));
  if (expected.contains("total_weight_of_all_arc_lines")) {
    const double weight = expected.at("total_weight_of_all_arc_lines");
    EXPECT_NEAR(found.weight, weight, 1e-9 * std::abs(weight) + 1e-9);
  }
}

class real_files_read : public testing::Test {
 protected:
  void SetUp() override {
    std::ifstream in(folder() / "expected.json");
    if (!in) {
      GTEST_SKIP() << "no expected.json in " << folder() << " (TENDRIL_SHARED_DATASETS)";
    }
    graphs = nlohmann::json::parse(in).at("graphs");
  }

  nlohmann::json graphs;  // NOLINT(*-non-private-member-variables-in-classes): gtest's way
};

TEST_F(real_files_read, have_the_expected_counts) {
  for (const auto& [name, expected] : graphs.items()) {
    if (name != "gapbs_4.graph" && name != "gapbs_4w.graph" && name != "lagraph_matrix_int64.mtx") {
      expect_counts(name, expected);
    }
  }
}

TEST_F(real_files_read, one_sided_metis_lists_are_refused_unless_read_as_directed) {
  const auto path = folder() / "gapbs_4w.graph";
  EXPECT_EQ(io_test::refusal(path),
            "gapbs_4w.graph:2: expected the edge (1, 2) in the lists of both ends with the same "
            "weight, found it in the list of 1 only");
  tendril::read_options directed;
  directed.kind = tendril::orientation::directed;
  const auto graph = tendril::read_graph<std::int32_t>(path, directed);
  EXPECT_EQ(graph.num_vertices(), 14U);
  EXPECT_EQ(graph.num_edges(), 53U);
}

TEST_F(real_files_read, metis_vertex_sizes_that_are_declared_must_be_there_unless_arcs_are_read) {
  // Format 100 without a single size: read by the book its first neighbours would be sizes.
  EXPECT_EQ(io_test::refusal(folder() / "gapbs_4.graph"),
            "gapbs_4.graph:3: expected a size or weight of the vertex (a whole number, not "
            "negative), found the end of "
            "the line");
}

TEST_F(real_files_read, integers_beyond_double_are_refused_and_their_pattern_is_read) {
  const auto path = folder() / "lagraph_matrix_int64.mtx";
  EXPECT_EQ(io_test::refusal<double>(path),
            "lagraph_matrix_int64.mtx:7: expected a value that double holds exactly, found "
            "\"-9223372036854775800\"");
  EXPECT_EQ(tendril::read_graph<>(path).num_edges(), 12U);
}

TEST_F(real_files_read, arrays_are_read_as_their_triangle_says) {
  const auto graph = tendril::read_graph<double>(folder() / "lagraph_full_symmetric.mtx");
  ASSERT_EQ(graph.num_edges(), 16U);
  EXPECT_TRUE(graph.is_undirected());
  // Ten values: columns from the diagonal down. Row 1 mirrors column 1.
  EXPECT_EQ(graph.weights()[3], 22.269603729248047);
  EXPECT_EQ(graph.weights()[15], 3.9635860919952393);
}

}  // namespace
