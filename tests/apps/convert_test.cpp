#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;

void convert(const program_folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "convert");
  const program_result result = folder.run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
}

// The distances from the first vertex, by position: what a format must not change.
std::vector<std::string> distances(const program_folder& folder, const std::string& input,
                                   const std::string& source) {
  const program_result result =
      folder.run({"sssp", input, "--source", source, "--out", "distances", "--quiet"});
  EXPECT_EQ(result.status, 0) << result.err;
  std::vector<std::string> column;
  for (const auto& row : rows_of(folder.read("distances"))) {
    column.push_back(row[1]);
  }
  return column;
}

// 1 -> 3 -> 2 is shorter than 1 -> 2; 4 leads to 1.
constexpr const char* weighted_gr = "p sp 4 4\na 1 2 9\na 1 3 1\na 3 2 2\na 4 1 5\n";

TEST(program_convert, weighted_graphs_survive_every_format) {
  const program_folder folder;
  folder.write("in.gr", weighted_gr);
  const std::vector<std::string> expected = {"0", "3", "1", "-1"};
  EXPECT_EQ(distances(folder, "in.gr", "1"), expected);
  for (const std::string out : {"out.tgr", "out.mtx", "out.wel", "out.gr", "out.wsg", "out.mtx.gz",
                                "out.wel.gz", "out.gr.gz"}) {
    SCOPED_TRACE(out);
    convert(folder, {"in.gr", out});
    const bool from_zero = out == "out.wsg";
    EXPECT_EQ(distances(folder, out, from_zero ? "0" : "1"), expected);
    const json info = report_of(folder, {"info", out});
    EXPECT_EQ(info["directed"], true);
    EXPECT_EQ(info["num_edges"], 4);
    EXPECT_EQ(info["weights"]["type"], "int32");
    EXPECT_EQ(info["gzipped"], out.ends_with(".gz"));
  }
}

// What comes back would be another graph, or have other names.
TEST(program_convert, what_a_format_does_not_keep_is_told) {
  const program_folder folder;
  folder.write("five.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 2\n1 2\n4 4\n");
  folder.write("names.el", "from to\n10 70\n70 999999999999\n");
  EXPECT_EQ(folder.run({"convert", "five.mtx", "five.el"}).out,
            "five.el: 5 vertices, 2 edges, directed; 2 vertices without edges not kept\n");
  EXPECT_EQ(folder.run({"convert", "five.mtx", "FIVE.EL.GZ"}).out,
            "FIVE.EL.GZ: 5 vertices, 2 edges, directed; 2 vertices without edges not kept\n");
  EXPECT_EQ(folder.run({"convert", "names.el", "names.mtx"}).out,
            "names.mtx: 3 vertices, 2 edges, directed; the vertices are numbered from 1, their "
            "names are not kept\n");
  EXPECT_EQ(folder.run({"convert", "names.el", "names.tgr"}).out,
            "names.tgr: 3 vertices, 2 edges, directed\n");
  EXPECT_NE(folder.run({"info", "names.el"}).out.find("(el); line 1 names the columns\n"),
            std::string::npos);
  // The file's vertex 1 is the .sg's 0, and the other way round.
  folder.write("zero.el", "0 1\n1 2\n");
  EXPECT_EQ(folder.run({"convert", "five.mtx", "five.sg"}).out,
            "five.sg: 5 vertices, 2 edges, directed; the vertices are numbered from 0, their "
            "names are not kept\n");
  EXPECT_EQ(folder.run({"convert", "zero.el", "ZERO.GR.GZ"}).out,
            "ZERO.GR.GZ: 3 vertices, 2 edges, directed; the vertices are numbered from 1, their "
            "names are not kept; each edge is given a weight of 1\n");
  EXPECT_EQ(folder.run({"convert", "five.mtx", "five.gr"}).out,
            "five.gr: 5 vertices, 2 edges, directed; each edge is given a weight of 1\n");
  EXPECT_EQ(folder.run({"convert", "zero.el", "zero.sg"}).out,
            "zero.sg: 3 vertices, 2 edges, directed\n");
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  EXPECT_EQ(folder.run({"convert", "empty.mtx", "empty.sg"}).out,
            "empty.sg: 0 vertices, 0 edges, directed\n");
  for (const std::string out : {"path.el.gz", "path.wel", "path.gr"}) {
    const std::string told = folder.run({"generate", "path:3", out}).out;
    EXPECT_EQ(told.substr(0, told.find(';')), out + ": 3 vertices, 4 edges, undirected");
    EXPECT_NE(told.find("; reads back as directed, each edge both ways\n"), std::string::npos)
        << told;
  }
  for (const std::string out : {"path.tgr", "path.sg", "path.mtx"}) {
    EXPECT_EQ(folder.run({"generate", "path:3", out}).out.find("directed, each"),
              std::string::npos);
  }
}

TEST(program_convert, undirected_graphs_stay_undirected_where_the_format_can_say_so) {
  const program_folder folder;
  folder.write("in.mtx",
               "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n"
               "2 1\n3 2\n3 3\n");
  for (const std::string out : {"out.tgr", "out.mtx", "out.sg"}) {
    SCOPED_TRACE(out);
    convert(folder, {"in.mtx", out});
    const json info = report_of(folder, {"info", out});
    EXPECT_EQ(info["directed"], false);
    EXPECT_EQ(info["num_edges"], 5);
    EXPECT_TRUE(info["weights"].is_null());
  }
  convert(folder, {"in.mtx", "out.el"});
  EXPECT_EQ(report_of(folder, {"info", "out.el"})["num_edges"], 5);
}

TEST(program_convert, direction_loops_and_duplicates_are_as_asked) {
  const program_folder folder;
  folder.write("in.wel", "0 1 7\n0 1 3\n1 0 2\n1 1 1\n2 0 4\n");
  const auto edges_of = [&folder](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"in.wel", "out.wel"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    convert(folder, arguments);
    return folder.read("out.wel");
  };
  EXPECT_EQ(report_of(folder, {"info", "in.wel"})["num_edges"], 5);
  edges_of({"--drop-loops"});
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_self_loops"], 0);
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_edges"], 4);
  edges_of({"--merge-duplicates"});
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_duplicates"], 0);
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_edges"], 4);
  EXPECT_EQ(distances(folder, "out.wel", "0"), (std::vector<std::string>{"0", "3", "-1"}));
  edges_of({"--undirected"});  // each both ways, the loop once
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_edges"], 9);
  edges_of({"--undirected", "--drop-loops", "--merge-duplicates"});  // {0, 1} and {0, 2}
  EXPECT_EQ(report_of(folder, {"info", "out.wel"})["num_edges"], 4);
}

TEST(program_convert, weights_are_as_asked) {
  const program_folder folder;
  folder.write("in.wel", "0 1 7\n1 2 3\n");
  convert(folder, {"in.wel", "bare.el", "--weights", "none"});
  EXPECT_TRUE(report_of(folder, {"info", "bare.el"})["weights"].is_null());
  convert(folder, {"in.wel", "float.tgr", "--weights", "float"});
  EXPECT_EQ(distances(folder, "float.tgr", "0"), (std::vector<std::string>{"0", "7", "10"}));
  folder.write("fraction.wel", "0 1 0.5\n");
  EXPECT_EQ(folder.run({"convert", "fraction.wel", "x.wel", "--weights", "int32"}).status, 3);
  EXPECT_EQ(folder.run({"convert", "fraction.wel", "x.el"}).status, 2);  // would lose them
  EXPECT_FALSE(folder.exists("x.wel"));
  EXPECT_FALSE(folder.exists("x.el"));
}

TEST(program_convert, names_are_kept_where_the_format_holds_them) {
  const program_folder folder;
  folder.write("in.el", "bash libc\nlibc base\n");
  for (const std::string out : {"out.el", "out.tgr"}) {
    SCOPED_TRACE(out);
    convert(folder, {"in.el", out});
    const program_result result =
        folder.run({"bfs", out, "--source", "bash", "--out", "d.tsv", "--quiet"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(rows_of(folder.read("d.tsv")),
              (std::vector<std::vector<std::string>>{
                  {"base", "2", "libc"}, {"bash", "0", "-1"}, {"libc", "1", "bash"}}));
  }
}

TEST(program_convert, says_what_it_wrote_unless_quiet) {
  const program_folder folder;
  folder.write("in.el", "0 1\n1 2\n");
  EXPECT_EQ(folder.run({"convert", "in.el", "out.tgr"}).out,
            "out.tgr: 3 vertices, 2 edges, directed\n");
  EXPECT_EQ(folder.run({"convert", "in.el", "out.tgr", "--quiet"}).out, "");
}

TEST(program_convert, a_failure_leaves_the_old_file) {
  const program_folder folder;
  folder.write("bad.el", "0 1\n1 x y z\n-\n");
  folder.write("out.el", "5 6\n");
  EXPECT_EQ(folder.run({"convert", "bad.el", "out.el", "--format", "mtx"}).status, 3);
  EXPECT_EQ(folder.read("out.el"), "5 6\n");
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"bad.el", "out.el"}));
}

TEST(program_generate, makes_the_graph_that_the_text_names) {
  const program_folder folder;
  EXPECT_EQ(
      folder.run({"generate", "path:4", "path.el"}).out,
      "path.el: 4 vertices, 6 edges, undirected; reads back as directed, each edge both ways\n");
  EXPECT_EQ(folder.read("path.el"), "0 1\n1 0\n1 2\n2 1\n2 3\n3 2\n");
  EXPECT_EQ(folder.run({"generate", "tree:2:3", "tree.tgr"}).status, 0);
  EXPECT_EQ(report_of(folder, {"info", "tree.tgr"})["num_vertices"], 13);
  EXPECT_EQ(report_of(folder, {"info", "tree.tgr"})["num_components"], 1);
}

TEST(program_generate, is_the_same_for_a_seed_on_any_number_of_threads) {
  const program_folder folder;
  const auto make = [&folder](const std::string& spec, const std::string& threads) {
    const program_result result =
        folder.run({"generate", spec, "g.wel", "--weights", "int32", "--threads", threads});
    EXPECT_EQ(result.status, 0) << result.err;
    return folder.read("g.wel");
  };
  const std::string one = make("rmat:9:8:5", "1");
  EXPECT_EQ(one, make("rmat:9:8:5", "2"));
  EXPECT_NE(one, make("rmat:9:8:6", "2"));
}

TEST(program_generate, weights_are_left_out_unless_asked_for) {
  const program_folder folder;
  EXPECT_EQ(folder.run({"generate", "rmat:6:4", "plain.tgr"}).status, 0);
  EXPECT_TRUE(report_of(folder, {"info", "plain.tgr"})["weights"].is_null());
  EXPECT_EQ(folder.run({"generate", "rmat:6:4", "heavy.tgr", "--weights", "int32"}).status, 0);
  const json weights = report_of(folder, {"info", "heavy.tgr"})["weights"];
  EXPECT_EQ(weights["type"], "int32");
  EXPECT_GE(weights["lowest"], 1);
  EXPECT_LE(weights["highest"], 256);
}

}  // namespace
}  // namespace tendril::test
