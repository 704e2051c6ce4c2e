#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"
#include "support/reach_report.hpp"
#include "tendril/graph/builder.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;
using table = std::vector<std::vector<std::string>>;

// 1 -> 2 -> 3, 1 -> 3, and 9 -> 1.
constexpr const char* small = "1 2\n2 3\n1 3\n9 1\n";

TEST(program_reach, counts_from_each_source_by_the_names_of_the_file) {
  const program_folder folder;
  folder.write("small.el", small);
  folder.write("from.txt", "# queries\n9\n1\n3\n9\n");
  const program_result result = folder.run({"reach", "small.el", "--sources", "from.txt", "--check",
                                            "--histogram", "--out", "reach.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  const std::vector<std::string> nine = {"9", "4", "2", "1.25", "0.6", "1,1,2"};
  const table rows = rows_of(folder.read("reach.tsv"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], nine);
  EXPECT_EQ(rows[3], nine);  // asked twice, answered twice
  EXPECT_EQ(rows[2], (std::vector<std::string>{"3", "1", "0", "0", "0", "1"}));
  EXPECT_EQ(rows[1][0], "1");
  EXPECT_EQ(rows[1][5], "1,2");
  EXPECT_NE(result.out.find("4 queries: reached 1 to 4 (median 4) vertices, in 0 to 2 (median 2)"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("passed: every query counts what Boost.Graph's"), std::string::npos);
}

TEST(program_reach, answers_every_vertex_and_random_ones) {
  const program_folder folder;
  const json all =
      report_of(folder, {"reach", "grid:20x30", "--sources", "all", "--check", "--way", "batch"});
  EXPECT_EQ(all["num_queries"], 600);
  EXPECT_EQ(all["lanes"], 512);
  EXPECT_EQ(all["passes"], 2);
  EXPECT_EQ(all["depth"]["max"], 48);  // corner to corner
  EXPECT_EQ(all["reached"]["min"], 600);
  EXPECT_EQ(all["check"], "passed");
  EXPECT_FALSE(all["queries"][0].contains("histogram"));
  const json some = report_of(folder, {"reach", "rmat:10:8", "--sources", "random:70", "--check",
                                       "--lanes", "9", "--way", "batch"});
  EXPECT_EQ(some["num_queries"], 70);
  EXPECT_EQ(some["passes"], 8);
  EXPECT_TRUE(some["source_seed"].is_number());
  EXPECT_EQ(some["way"], "batch");
  EXPECT_EQ(some["way_reason"], "");
}

TEST(program_reach, runs_narrow_queries_side_by_side_and_says_why) {
  const program_folder folder;
  const json narrow = report_of(folder, {"reach", "path:100", "--sources", "all", "--check"});
  EXPECT_EQ(narrow["way"], "streams");
  EXPECT_NE(narrow["way_reason"], "");
  EXPECT_EQ(narrow["lanes"], 0);
  EXPECT_EQ(narrow["depth"]["max"], 99);
  EXPECT_EQ(narrow["check"], "passed");
}

TEST(program_reach, refuses_bad_queries) {
  const program_folder folder;
  folder.write("small.el", small);
  folder.write("none.txt", "# nothing\n");
  folder.write("far.txt", "1\n77\n");
  expect_failure(folder, {"reach", "small.el"}, 2, "expected --sources FILE|random:K|all");
  expect_failure(folder, {"reach", "small.el", "--sources", "none.txt"}, 3, "none.txt:1: expected");
  expect_failure(folder, {"reach", "small.el", "--sources", "far.txt"}, 3,
                 "far.txt:2: expected a vertex");
  expect_failure(folder, {"reach", "small.el", "--sources", "random:0"}, 2, "found random:0");
  expect_failure(folder, {"reach", "small.el", "--source", "77"}, 3, "found 77");
  expect_failure(folder, {"reach", "small.el", "--source", "1", "--lanes", "0"}, 2, "--lanes");
}

TEST(program_reach, ways_belong_to_engines) {
  const hidden_gpus hidden;
  const program_folder folder;
  const auto expect_failure = [&](std::vector<std::string> options, int status,
                                  const std::string& text) {
    options.insert(options.begin(), {"reach", "path:9", "--source", "1"});
    const program_result result = folder.run(options);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("tendril: " + text), std::string::npos) << result.err;
  };
  expect_failure({"--engine", "cuda"}, 4, "--engine cuda: ");
  expect_failure({"--way", "blocks"}, 4, "--way blocks needs a GPU: ");
  expect_failure({"--way", "blocks", "--engine", "host"}, 2, "--way blocks is a GPU's");
  expect_failure({"--way", "streams", "--engine", "cuda"}, 2, "--way streams is the CPU's");
  expect_failure({"--way", "streams", "--device", "0"}, 2, "--way streams is the CPU's");
  expect_failure({"--way", "batch", "--slots", "2"}, 2, "--slots applies to queries side by side");
  expect_failure({"--way", "streams", "--lanes", "64"}, 2, "--lanes applies to queries in a batch");
  expect_failure({"--slots", "0"}, 2, "--slots: expected at least 1, found 0");
  expect_failure({"--plot", "no/such/folder.svg"}, 4, "no/such/folder.svg");
}

TEST(program_reach, streams_run_on_the_cpu_and_on_so_many_slots) {
  const json report = report_of(program_folder(), {"reach", "path:100", "--sources", "all", "--way",
                                                   "streams", "--threads", "4", "--slots", "2"});
  EXPECT_EQ(report["engine"], "host");
  EXPECT_EQ(report["engine_reason"], "--way streams is the CPU's");
  EXPECT_EQ(report["way"], "streams");
  EXPECT_EQ(report["way_reason"], "");
  EXPECT_EQ(report["slots"], 2);
  EXPECT_EQ(report["threads"], 4);
  EXPECT_TRUE(report["place"].is_null());
}

// 0 -> 1 -> 2, and 3 alone.
TEST(program_reach, check_finds_the_query_that_is_wrong) {
  edge_list<none> edges;
  edges.append({{0, 1, {}}, {1, 2, {}}});
  const csr<none> graph = build_csr(std::move(edges), 4, {});
  const app::chosen_sources sources = {{0, 3}, false};
  reach_result result;
  result.queries = {{3, 2, 3}, {1, 0, 0}};
  result.histograms = {{1, 1, 1}, {1}};
  EXPECT_TRUE(app::check_reach(graph, sources, result).passed);
  result.histograms[1] = {1, 1};
  EXPECT_EQ(app::check_reach(graph, sources, result).text,
            "query 1: its histogram differs from Boost.Graph's");
  result.queries[0].reached = 4;
  EXPECT_EQ(app::check_reach(graph, sources, result).text,
            "query 0: reached 4 vertices, the farthest 2 steps away; Boost.Graph 3 and 2");
  EXPECT_FALSE(app::check_reach(graph, sources, result).passed);
}

TEST(program_reach, an_empty_graph_has_no_query) {
  const program_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  const json report = report_of(folder, {"reach", "empty.mtx", "--sources", "all", "--check"});
  EXPECT_EQ(report["num_queries"], 0);
  EXPECT_TRUE(report["queries"].empty());
}

}  // namespace
}  // namespace tendril::test
