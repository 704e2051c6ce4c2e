#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;
using table_rows = std::vector<std::vector<std::string>>;

// 0 -> 1 -> 3 -> 4, 0 -> 2; 5 -> 6 apart.
constexpr const char* two_trees = "0 1\n0 2\n1 3\n3 4\n5 6\n";

TEST(program_bfs, finds_depths_and_parents) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  for (const std::string direction : {"auto", "push", "pull"}) {
    SCOPED_TRACE(direction);
    const program_result result =
        folder.run({"bfs", "trees.el", "--engine", "host", "--source", "0", "--check", "--out",
                    "depths.tsv", "--direction", direction});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(folder.read("depths.tsv").substr(0, 21), "# vertex\tdepth\tparent");
    EXPECT_EQ(rows_of(folder.read("depths.tsv")), (table_rows{{"0", "0", "-1"},
                                                              {"1", "1", "0"},
                                                              {"2", "1", "0"},
                                                              {"3", "2", "1"},
                                                              {"4", "3", "3"},
                                                              {"5", "-1", "-1"},
                                                              {"6", "-1", "-1"}}));
    EXPECT_NE(result.out.find("from 0: 5 of 7 vertices reached in 3 steps"), std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("passed: depths are Boost.Graph's"), std::string::npos) << result.out;
  }
}

TEST(program_bfs, reports_as_json) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  const json report =
      report_of(folder, {"bfs", "trees.el", "--source", "0", "--runs", "4", "--direction", "push",
                         "--check", "--threads", "2", "--engine", "host"});
  EXPECT_EQ(report["command"], "bfs");
  EXPECT_EQ(report["version"], TENDRIL_VERSION);
  EXPECT_EQ(report["input"], "trees.el");
  EXPECT_EQ(report["num_vertices"], 7);
  EXPECT_EQ(report["num_edges"], 5);
  EXPECT_EQ(report["directed"], true);
  EXPECT_EQ(report["weights"], "none");
  EXPECT_TRUE(report["seed"].is_null());
  EXPECT_EQ(report["engine"], "host");
  EXPECT_TRUE(report["device"].is_string());
  EXPECT_EQ(report["threads"], 2);
  EXPECT_EQ(report["source"], 0);
  EXPECT_EQ(report["sources"], json::array({0}));
  EXPECT_TRUE(report["source_seed"].is_null());
  EXPECT_EQ(report["reached"], 5);
  EXPECT_EQ(report["depth"], 3);
  EXPECT_EQ(report["ending"], "exhausted");
  EXPECT_EQ(report["runs"], 4);
  EXPECT_EQ(report["times_ms"].size(), 4U);
  EXPECT_GT(report["min_ms"], 0.0);
  EXPECT_LE(report["min_ms"], report["median_ms"]);
  EXPECT_EQ(report["edges_traversed"], 4);
  EXPECT_GT(report["edges_per_second"], 0.0);
  EXPECT_EQ(report["direction"], json({"push", "push", "push", "push"}));
  EXPECT_EQ(report["frontier"], json({1, 2, 1, 1}));
  EXPECT_EQ(report["check"], "passed");
  EXPECT_TRUE(report["check_text"].is_string());
  EXPECT_TRUE(report.contains("driver"));
  EXPECT_TRUE(report.contains("schedule"));
}

TEST(program_bfs, says_when_nothing_was_checked) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  EXPECT_EQ(report_of(folder, {"bfs", "trees.el"})["check"], "not run");
}

TEST(program_bfs, writes_json_to_a_file_beside_the_text) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  const program_result result =
      folder.run({"bfs", "trees.el", "--source", "0", "--json", "r.json"});
  EXPECT_NE(result.out.find("5 of 7"), std::string::npos);
  EXPECT_EQ(json::parse(folder.read("r.json"))["reached"], 5);
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"r.json", "trees.el"}));
}

TEST(program_bfs, quiet_prints_nothing) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  const program_result result = folder.run({"bfs", "trees.el", "--quiet", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(rows_of(folder.read("d.tsv")).size(), 7U);
}

TEST(program_bfs, several_sources_are_one_wave) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  folder.write("sources.txt", "# where to start\n3\r\n\n  5  \n");
  const table_rows expected = {{"0", "-1", "-1"}, {"1", "-1", "-1"}, {"2", "-1", "-1"},
                               {"3", "0", "-1"},  {"4", "1", "3"},   {"5", "0", "-1"},
                               {"6", "1", "5"}};
  const std::vector<std::vector<std::string>> ways = {{"--source", "3", "--source", "5"},
                                                      {"--sources", "sources.txt"}};
  for (const auto& way : ways) {
    std::vector<std::string> arguments = {"bfs", "trees.el", "--check", "--out", "d.tsv"};
    arguments.insert(arguments.end(), way.begin(), way.end());
    const program_result result = folder.run(arguments);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(rows_of(folder.read("d.tsv")), expected);
    EXPECT_NE(result.out.find("from 2 sources: 4 of 7 vertices reached in 1 step\n"),
              std::string::npos)
        << result.out;
  }
}

TEST(program_bfs, vertices_keep_the_names_of_the_file) {
  const program_folder folder;
  folder.write("packages.tsv", "bash\tlibc\nlibc\tbase\nvim\tlibc\n");
  const program_result result =
      folder.run({"bfs", "packages.tsv", "--source", "bash", "--check", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      rows_of(folder.read("d.tsv")),
      (table_rows{
          {"base", "2", "libc"}, {"bash", "0", "-1"}, {"libc", "1", "bash"}, {"vim", "-1", "-1"}}));
  EXPECT_NE(result.out.find("from bash: 3 of 4 vertices reached in 2 steps"), std::string::npos)
      << result.out;
  EXPECT_EQ(report_of(folder, {"bfs", "packages.tsv", "--source", "bash"})["source"], "bash");
}

// A byte order mark is no part of the first name.
TEST(program_bfs, names_with_tabs_and_quotes_are_fields_of_their_own) {
  const program_folder folder;
  folder.write("odd.csv", "\"a\tb\",\"say \"\"c\"\"\"\nd\\e,\"a\tb\"\n");
  folder.write("sources.txt",
               "\xEF\xBB\xBF"
               "d\\e\n");
  const program_result result =
      folder.run({"bfs", "odd.csv", "--sources", "sources.txt", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(folder.read("d.tsv"),
            "# vertex\tdepth\tparent\na\\tb\t1\td\\\\e\nd\\\\e\t0\t-1\nsay \"c\"\t2\ta\\tb\n");
}

TEST(program_bfs, a_source_may_be_called_like_a_comment) {
  const program_folder folder;
  folder.write("notes.el", "a #h\nb a\n");
  folder.write("sources.txt", "#h\n# a\n#a\nb\n");
  const json report = report_of(folder, {"bfs", "notes.el", "--sources", "sources.txt"});
  EXPECT_EQ(report["sources"], json::array({"#h", "b"}));
}

TEST(program_bfs, sparse_ids_are_kept) {
  const program_folder folder;
  folder.write("sparse.el", "10 4000000000\n4000000000 70\n");
  const json report = report_of(folder, {"bfs", "sparse.el", "--source", "4000000000"});
  EXPECT_EQ(report["num_vertices"], 3);
  EXPECT_EQ(report["source"], 4000000000U);
  EXPECT_EQ(report["reached"], 2);
}

TEST(program_bfs, depth_limit_and_target_end_the_search) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  const json limited =
      report_of(folder, {"bfs", "trees.el", "--source", "0", "--depth-limit", "1", "--check"});
  EXPECT_EQ(limited["reached"], 3);
  EXPECT_EQ(limited["depth"], 1);
  EXPECT_EQ(limited["ending"], "depth limit");
  const json stopped =
      report_of(folder, {"bfs", "trees.el", "--source", "0", "--target", "3", "--check"});
  EXPECT_EQ(stopped["reached"], 4);
  EXPECT_EQ(stopped["depth"], 2);
  EXPECT_EQ(stopped["ending"], "stopped by the visitor");
}

TEST(program_bfs, direction_of_the_file_can_be_overruled) {
  const program_folder folder;
  folder.write("trees.el", two_trees);
  EXPECT_EQ(report_of(folder, {"bfs", "trees.el", "--source", "4"})["reached"], 1);
  const json both = report_of(folder, {"bfs", "trees.el", "--source", "4", "--undirected"});
  EXPECT_EQ(both["reached"], 5);
  EXPECT_EQ(both["num_edges"], 10);
  EXPECT_EQ(both["directed"], false);
}

TEST(program_bfs, random_source_has_edges_and_repeats_with_its_seed) {
  const program_folder folder;
  folder.write("star.mtx", "%%MatrixMarket matrix coordinate pattern general\n50 50 1\n37 2\n");
  for (const std::string seed : {"1", "2", "3"}) {
    const json report = report_of(folder, {"bfs", "star.mtx", "--seed", seed});
    EXPECT_EQ(report["source"], 37);  // the only vertex with an edge
    EXPECT_EQ(report["source_seed"], std::stoi(seed));
  }
  const json first = report_of(folder, {"bfs", "rmat:8:8", "--sources", "random:3"});
  const json again = report_of(folder, {"bfs", "rmat:8:8", "--sources", "random:3"});
  EXPECT_EQ(first["sources"].size(), 3U);
  EXPECT_EQ(first["sources"], again["sources"]);
  EXPECT_EQ(first["source_seed"], 27491095);
  const json other = report_of(folder, {"bfs", "rmat:8:8", "--sources", "random:3", "--seed", "5"});
  EXPECT_NE(first["sources"], other["sources"]);
}

TEST(program_bfs, generators_have_known_depths) {
  const program_folder folder;
  const json path = report_of(folder, {"bfs", "path:1000", "--source", "0", "--check"});
  EXPECT_EQ(path["depth"], 999);
  EXPECT_EQ(path["reached"], 1000);
  const json grid = report_of(folder, {"bfs", "grid:20x30", "--source", "0", "--check"});
  EXPECT_EQ(grid["depth"], 19 + 29);
  const json star = report_of(folder, {"bfs", "star:100", "--source", "99", "--check"});
  EXPECT_EQ(star["depth"], 2);
  EXPECT_EQ(report_of(folder, {"bfs", "rmat:10:8:7", "--check"})["seed"], 7);
}

TEST(program_bfs, long_searches_are_summed_up) {
  const program_folder folder;
  const std::string out =
      folder.run({"bfs", "path:1000", "--source", "0", "--direction", "push"}).out;
  EXPECT_NE(out.find("1,000: push 0 - 999; the widest is 0 with 1 vertex"), std::string::npos)
      << out;
}

TEST(program_bfs, empty_graph_has_no_source_and_reaches_nothing) {
  const program_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  const program_result result = folder.run({"bfs", "empty.mtx", "--check", "--plot", "p.svg"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("from no source: 0 of 0 vertices reached\n"), std::string::npos)
      << result.out;
  const json report = report_of(folder, {"bfs", "empty.mtx"});
  EXPECT_TRUE(report["source"].is_null());
  EXPECT_TRUE(report["depth"].is_null());
  EXPECT_EQ(report["frontier"], json::array());
}

TEST(program_bfs, h19_all_self_loops) {
  const program_folder folder;
  folder.write("loops.mtx",
               "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 1\n2 2\n3 3\n4 4\n");
  const program_result result =
      folder.run({"bfs", "loops.mtx", "--source", "2", "--check", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      rows_of(folder.read("d.tsv")),
      (table_rows{{"1", "-1", "-1"}, {"2", "0", "-1"}, {"3", "-1", "-1"}, {"4", "-1", "-1"}}));
}

}  // namespace
}  // namespace tendril::test
