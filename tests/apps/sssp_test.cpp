#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;
using table = std::vector<std::vector<std::string>>;

// The way round, 0 -> 2 -> 1, is shorter than 0 -> 1.
constexpr const char* detour = "0 1 4\n0 2 1\n2 1 2\n1 3 5\n4 0 1\n";
const table detour_rows = {
    {"0", "0", "-1"}, {"1", "3", "2"}, {"2", "1", "0"}, {"3", "8", "1"}, {"4", "-1", "-1"}};

TEST(program_sssp, finds_distances_and_parents_in_every_weight_type) {
  const program_folder folder;
  folder.write("detour.wel", detour);
  for (const std::string weights : {"auto", "int32", "float", "double"}) {
    SCOPED_TRACE(weights);
    const program_result result = folder.run(
        {"sssp", "detour.wel", "--source", "0", "--check", "--out", "d.tsv", "--weights", weights});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(rows_of(folder.read("d.tsv")), detour_rows);
    EXPECT_NE(result.out.find("from 0: 4 of 5 vertices reached at distances up to 8\n"),
              std::string::npos)
        << result.out;
    EXPECT_NE(result.out.find("passed: distances are those of Boost.Graph's Dijkstra"),
              std::string::npos)
        << result.out;
  }
}

TEST(program_sssp, weights_are_int32_where_all_are_whole_else_double) {
  const program_folder folder;
  folder.write("whole.wel", detour);
  folder.write("fraction.wel", "0 1 0.5\n1 2 0.25\n");
  folder.write("none.el", "0 1\n1 2\n");
  const json whole = report_of(folder, {"sssp", "whole.wel", "--source", "0"});
  EXPECT_EQ(whole["weights"], "int32");
  EXPECT_EQ(whole["depth"], 8);
  EXPECT_TRUE(whole["depth"].is_number_integer());
  const json fraction = report_of(folder, {"sssp", "fraction.wel", "--source", "0", "--check"});
  EXPECT_EQ(fraction["weights"], "double");
  EXPECT_EQ(fraction["depth"], 0.75);
  const json unweighted = report_of(folder, {"sssp", "none.el", "--source", "0"});
  EXPECT_EQ(unweighted["weights"], "int32");
  EXPECT_EQ(unweighted["depth"], 2);
}

TEST(program_sssp, float_distances_are_written_with_their_own_digits) {
  const program_folder folder;
  folder.write("tenth.wel", "0 1 0.1\n");
  EXPECT_EQ(
      report_of(folder, {"sssp", "tenth.wel", "--source", "0", "--weights", "float"})["depth"],
      0.1);
}

TEST(program_sssp, distances_may_be_subnormal) {
  const program_folder folder;
  folder.write("tiny.wel", "0 1 1e-310\n");
  EXPECT_EQ(report_of(folder, {"sssp", "tiny.wel", "--source", "0", "--check"})["depth"], 1e-310);
}

TEST(program_sssp, distances_beyond_32_bits_are_right) {
  const program_folder folder;
  folder.write("far.wel", "0 1 2000000000\n1 2 2000000000\n");
  EXPECT_EQ(report_of(folder, {"sssp", "far.wel", "--source", "0", "--check"})["depth"],
            4000000000);
}

TEST(program_sssp, h24_zero_weights_neither_loop_nor_make_parent_cycles) {
  const program_folder folder;
  folder.write("zero.wel", "0 1 0\n1 2 0\n2 0 0\n2 3 5\n3 3 0\n3 4 0\n4 3 0\n0 4 6\n4 5 1\n");
  const program_result result =
      folder.run({"sssp", "zero.wel", "--source", "0", "--check", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(rows_of(folder.read("d.tsv")), (table{{"0", "0", "-1"},
                                                  {"1", "0", "0"},
                                                  {"2", "0", "1"},
                                                  {"3", "5", "2"},
                                                  {"4", "5", "3"},
                                                  {"5", "6", "4"}}));
}

TEST(program_sssp, negative_weights_are_refused_by_the_first_edge) {
  const program_folder folder;
  folder.write("negative.gr", "p sp 3 3\na 1 2 4\na 2 3 -2\na 3 1 -7\n");
  const program_result result = folder.run({"sssp", "negative.gr", "--source", "1"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(
      result.err.find("tendril: negative.gr:3: expected finite weights of 0 or more, found the "
                      "edge 2 -> 3 of weight -2"),
      std::string::npos)
      << result.err;
}

TEST(program_sssp, distances_that_overflow_are_refused_by_the_names_of_the_file) {
  const program_folder folder;
  folder.write("far.wel", "a b 1e308\nb c 1e308\n");
  expect_failure(folder, {"sssp", "far.wel", "--source", "a"}, 3,
                 "tendril: far.wel: expected distances that a double holds, found a larger one "
                 "over the edge b -> c of weight 1e+308\n");
}

// The line is that of the edge: not of a comment, of a weight of -0, or of another spelling.
TEST(program_sssp, the_line_of_a_negative_weight_is_the_edges) {
  const program_folder folder;
  const auto refusal = [&folder](const std::string& name, const std::string& text) {
    folder.write(name, text);
    const std::string told = folder.run({"sssp", name}).err;
    return told.substr(0, told.find(": expected finite"));
  };
  EXPECT_EQ(refusal("a.gr", "c a 1 2 -5\np sp 2 2\na 1 2 -0.0\na 01 2 -5\n"), "tendril: a.gr:4");
  EXPECT_EQ(refusal("a.wel", "# 1 2 -5\n 1 2 -0\n\n1, 0002,-5e0\n"), "tendril: a.wel:4");
  EXPECT_EQ(refusal("b.wel", "a,b,1\n// a,b,-2\n01,1,-0e9\n1,01,2\n 01, \"1\",-3\n"),
            "tendril: b.wel:5");
  EXPECT_EQ(refusal("a.mtx",
                    "%%MatrixMarket matrix coordinate real general\n% 1 2 -5\n2 2 2\n"
                    "2 1 -1e-400\n1 2 -.5\n"),
            "tendril: a.mtx:5");
}

TEST(program_sssp, weights_that_the_type_cannot_hold_are_refused) {
  const program_folder folder;
  folder.write("fraction.wel", "0 1 0.5\n");
  const program_result result = folder.run({"sssp", "fraction.wel", "--weights", "int32"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("fraction.wel:1:"), std::string::npos) << result.err;
}

TEST(program_sssp, generated_weights_pass_the_check) {
  const program_folder folder;
  for (const std::string weights : {"int32", "float", "double"}) {
    EXPECT_EQ(report_of(folder, {"sssp", "rmat:9:8", "--check", "--weights", weights})["check"],
              "passed");
  }
}

TEST(program_sssp, h19_all_self_loops) {
  const program_folder folder;
  folder.write("loops.mtx",
               "%%MatrixMarket matrix coordinate pattern general\n4 4 4\n1 1\n2 2\n3 3\n4 4\n");
  const program_result result =
      folder.run({"sssp", "loops.mtx", "--source", "2", "--check", "--out", "d.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(rows_of(folder.read("d.tsv")),
            (table{{"1", "-1", "-1"}, {"2", "0", "-1"}, {"3", "-1", "-1"}, {"4", "-1", "-1"}}));
}

}  // namespace
}  // namespace tendril::test
