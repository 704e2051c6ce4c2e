#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/expected.hpp"
#include "tendril/algorithms/sssp.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/read.hpp"

// Searches of the files in a folder of real graphs that lies beside the repository, against that
// folder's expected.json: depths and distances made with networkx and scipy.

namespace {

using tendril::vertex_id;

std::filesystem::path shared_folder() {
  const char* named = std::getenv("TENDRIL_SHARED_DATASETS");
  return named != nullptr ? named : TENDRIL_SHARED_DATASETS_DEFAULT;
}

bool is_absent() {
  return !std::filesystem::exists(shared_folder() / "expected.json");
}

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): GTEST_SKIP returns from the test
#define SKIP_IF_ABSENT()                                                                       \
  if (is_absent()) {                                                                           \
    GTEST_SKIP() << "no expected.json in " << shared_folder() << " (TENDRIL_SHARED_DATASETS)"; \
  }

const std::vector<std::string> weighted_names = {
    "cage8.mtx",
    "email-Eu-core.csv",
    "dolphins_multi_edge.csv",
    "dolphins_s_loop.csv",
    "karate-disjoint.csv",
    "example_weighted.graph",
    "gapbs_4w.graph",
    "gapbs_4.wel",
    "gapbs_4.gr",
    "gapbs_4w.mtx",
    "rMatGraph_WJ_5_100",
    "flights-airport.csv",
    "west_oakland.gr",
    "lagraph_ldbc-directed-example.mtx",
};

const std::vector<std::string> graph_names = {
    "karate.mtx",
    "chesapeake.mtx",
    "bcspwr10.mtx",
    "494_bus.mtx",
    "west0479.mtx",
    "young1c.mtx",
    "ca-GrQc.mtx",
    "cage8.mtx",
    "minnesota.mtx",
    "cs-stanford.mtx.gz",
    "p2p-Gnutella08.txt",
    "as20graph.txt",
    "facebook_1912.edges.gz",
    "email-Eu-core.csv",
    "dolphins_multi_edge.csv",
    "dolphins_s_loop.csv",
    "karate-disjoint.csv",
    "4elt.graph",
    "test.mgraph",
    "example_weighted.graph",
    "gapbs_4.graph",
    "gapbs_4w.graph",
    "gapbs_4.el",
    "gapbs_4.wel",
    "gapbs_4.gr",
    "gapbs_4.mtx",
    "gapbs_4w.mtx",
    "rMatGraph_J_5_100",
    "rMatGraph_WJ_5_100",
    "rmat10.el",
    "flights-airport.csv",
    "NY_pace.gr.gz",
    "west_oakland.gr",
    "skew_3x3.mtx",
    "lagraph_matrix_int64.mtx",
    "lagraph_ldbc-directed-example.mtx",
};

TEST(real_files, all_graphs_of_the_folder_are_tested) {
  SKIP_IF_ABSENT();
  const auto graphs = datasets::read_facts(shared_folder()).at("graphs");
  std::set<std::string> in_folder;
  std::set<std::string> with_distances;
  for (const auto& [name, facts] : graphs.items()) {
    in_folder.insert(name);
    if (facts.contains("dijkstra")) {
      with_distances.insert(name);
    }
  }
  const std::set<std::string> tested(graph_names.begin(), graph_names.end());
  EXPECT_EQ(in_folder, tested);
  EXPECT_EQ(with_distances, std::set<std::string>(weighted_names.begin(), weighted_names.end()));
}

/// A graph of the folder and what is known of it.
template <tendril::weight W>
struct real_graph {
  nlohmann::json facts;
  tendril::graph_file<W> file;
};

template <tendril::weight W>
real_graph<W> read(const std::string& name) {
  auto facts = datasets::read_facts(shared_folder()).at("graphs").at(name);
  tendril::read_options options;
  const bool is_matrix = facts.contains("file_symmetry");
  if (!is_matrix) {  // other formats cannot say it, or say it wrongly
    options.kind = facts.at("directed").get<bool>() ? tendril::orientation::directed
                                                    : tendril::orientation::undirected;
  }
  return {std::move(facts), tendril::read_graph_file<W>(shared_folder() / name, options)};
}

class real_file : public testing::TestWithParam<std::string> {};

TEST_P(real_file, is_searched_breadth_first_as_expected) {
  SKIP_IF_ABSENT();
  const auto [facts, file] = read<tendril::none>(GetParam());
  const auto& searches = facts.at("bfs");
  EXPECT_GT(searches.size(), 0U);
  for (const auto& [source, bfs] : searches.items()) {
    SCOPED_TRACE("from " + source);
    datasets::expect_search(file.graph, file.names.at(source),
                            datasets::search_of(bfs.at("along_arcs")));
  }
}

class weighted_file : public testing::TestWithParam<std::string> {};

TEST_P(weighted_file, has_the_expected_shortest_distances) {
  SKIP_IF_ABSENT();
  const auto [facts, file] = read<double>(GetParam());
  tendril::host_engine engine;
  const auto placed = engine.place(file.graph);
  for (const auto& [name, expected] : facts.at("dijkstra").items()) {
    SCOPED_TRACE("from " + name);
    const vertex_id source = file.names.at(name);
    const auto distance = tendril::sssp(engine, placed, {source}).distance.to_host();
    std::uint64_t reached = 0;
    double largest = 0;
    double sum = 0;
    for (const double d : distance) {
      if (std::isfinite(d)) {
        ++reached;
        largest = std::max(largest, d);
        sum += d;
      }
    }
    EXPECT_EQ(reached, expected.at("reached"));
    EXPECT_DOUBLE_EQ(largest, expected.at("max_distance"));
    // The sum was taken in another order: rounding grows with the number of terms.
    EXPECT_NEAR(sum, expected.at("sum_of_distances"), 1e-12 * sum);
    EXPECT_EQ(tendril::oracle::compare_sssp<double>(file.graph, {&source, 1}, distance),
              std::nullopt);
    EXPECT_EQ(tendril::oracle::certify_sssp<double>(file.graph, {&source, 1}, distance),
              std::nullopt);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(graphs, real_file, testing::ValuesIn(graph_names), test_name);
INSTANTIATE_TEST_SUITE_P(graphs, weighted_file, testing::ValuesIn(weighted_names), test_name);

}  // namespace
