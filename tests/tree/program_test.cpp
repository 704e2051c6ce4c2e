// `tendril quadtree` and `tendril nbody`, run as a child process.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "apps/program.hpp"

namespace tendril::test {
namespace {

using boost::property_tree::ptree;
using json = nlohmann::json;
using table = std::vector<std::vector<std::string>>;

constexpr const char* square = "name,y,x\na,0,0\nb,0,2\nc,2,0\n\"d, e\",2,2\nf,1,1\n";

TEST(program_quadtree, answers_and_checks_queries) {
  const program_folder folder;
  folder.write("square.csv", square);
  folder.write("queries.txt", "# closed\nrange 1 1 2 2\n\nknn 2,0.5,2\ncircle 1 1 1\n");
  const program_result result =
      folder.run({"quadtree", "square.csv", "--leaf-size", "1", "--range", "0,0,1,2", "--queries",
                  "queries.txt", "--check", "--out", "found.tsv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("passed: the tree has its certificate"), std::string::npos)
      << result.out;
  EXPECT_EQ(rows_of(folder.read("found.tsv")), (table{{"0", "0", "0", "0"},
                                                      {"0", "2", "0", "2"},
                                                      {"0", "4", "1", "1"},
                                                      {"1", "3", "2", "2"},
                                                      {"1", "4", "1", "1"},
                                                      {"2", "1", "2", "0", "0.5"},
                                                      {"2", "4", "1", "1", "1.118033988749895"},
                                                      {"3", "4", "1", "1"}}));
}

TEST(program_quadtree, checks_queries_that_find_nothing) {
  const program_folder folder;
  for (const char* points : {"uniform:0", "uniform:500"}) {
    const program_result result =
        folder.run({"quadtree", points, "--knn", "2,2,0", "--range", "1,1,0,0", "--range",
                    "7,7,8,8", "--circle", "0.5,0.5,-1", "--check"});
    EXPECT_EQ(result.status, 0) << points << result.out << result.err;
  }
}

TEST(program_quadtree, reports_the_tree) {
  const program_folder folder;
  folder.write("square.csv", square);
  const json report = report_of(folder, {"quadtree", "square.csv", "--xy", "x,y", "--leaf-size",
                                         "1", "--max-depth", "1", "--knn", "0,0,9"});
  EXPECT_EQ(report["num_points"], 5);
  EXPECT_EQ(report["num_nodes"], 5);
  EXPECT_EQ(report["num_leaves"], 4);
  EXPECT_EQ(report["largest_leaf"], 2);
  EXPECT_EQ(report["bounds"], (json{0.0, 0.0, 2.0, 2.0}));
  EXPECT_EQ(report["queries"][0]["found"], 5);
  EXPECT_EQ(report["check"], "not run");
  EXPECT_EQ(report_of(folder, {"quadtree", "clusters:1000:3:7"})["seed"], 7);
}

TEST(program_quadtree, builds_by_a_sort_on_the_cpu_and_refuses_other_ways) {
  const program_folder folder;
  const json report = report_of(
      folder, {"quadtree", "uniform:100", "--engine", "host", "--build", "sort", "--check"});
  EXPECT_EQ(report["build"], "sort");
  EXPECT_TRUE(report["launches"].is_null());
  EXPECT_EQ(report["check"], "passed");
  const program_result refused =
      folder.run({"quadtree", "uniform:100", "--engine", "host", "--build", "level"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "tendril: --build level applies to a GPU, and --engine host was given\n");
  EXPECT_EQ(folder.run({"quadtree", "uniform:100", "--engine", "host", "--device", "0"}).status, 2);
}

TEST(program_quadtree, says_that_there_is_no_gpu) {
  ::setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  const program_folder folder;
  EXPECT_EQ(folder.run({"quadtree", "uniform:100", "--engine", "cuda"}).status, 4);
  const program_result grown = folder.run({"quadtree", "uniform:100", "--build", "child-grid"});
  EXPECT_EQ(grown.status, 4);
  EXPECT_NE(grown.err.find("--build child-grid needs a GPU: "), std::string::npos) << grown.err;
  EXPECT_EQ(folder.run({"nbody", "plummer:100", "--engine", "cuda"}).status, 4);
  EXPECT_EQ(report_of(folder, {"nbody", "plummer:100"})["engine"], "host");
  const bool looks_for_gpus = report_of(folder, {"devices"})["gpu_engine"];
  for (const char* command : {"quadtree", "nbody"}) {
    const std::string said = folder.run({command, "uniform:100"}).err;
    EXPECT_EQ(said.starts_with("tendril: --engine auto takes the CPU: "), looks_for_gpus) << said;
  }
  EXPECT_EQ(report_of(folder, {"quadtree", "uniform:100"})["engine"], "host");
  ::unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST(program_quadtree, checks_neighbours_whose_squares_no_double_holds) {
  const program_folder folder;
  folder.write("far.txt", "0 0\n1e300 0\n-1e300 -1e300\n0 1e-300\n1e-200 0\n");
  for (const char* query : {"0,0,4", "1e300,1e300,5", "1e-200,1e-300,3"}) {
    const program_result found = folder.run({"quadtree", "far.txt", "--knn", query, "--check"});
    EXPECT_EQ(found.status, 0) << query << found.out << found.err;
  }
}

TEST(program_quadtree, clips_or_refuses_what_is_outside) {
  const program_folder folder;
  folder.write("square.csv", square);
  const std::vector<std::string> bounded{"quadtree", "square.csv", "--engine",
                                         "host",     "--bounds",   "0,0,1,1"};
  const program_result refused = folder.run(bounded);
  EXPECT_EQ(refused.status, 3);
  EXPECT_EQ(refused.err,
            "tendril: square.csv:3: expected a point in (0, 0) .. (1, 1), found (2, 0)\n");
  auto clipped = bounded;
  clipped.insert(clipped.end(), {"--clip", "--check", "--knn", "9,9,3"});
  EXPECT_EQ(report_of(folder, clipped)["num_points"], 2);
}

ptree picture_of(const program_folder& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"quadtree"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"--plot", "tree.svg"});
  EXPECT_EQ(folder.run(all).status, 0);
  std::istringstream text(folder.read("tree.svg"));
  ptree picture;
  boost::property_tree::read_xml(text, picture);  // throws where it is not well-formed
  return picture.get_child("svg");
}

/// How often a command occurs in the path data of each element of a class.
std::vector<std::ptrdiff_t> occurrences(const ptree& picture, const std::string& style,
                                        char command) {
  std::vector<std::ptrdiff_t> counts;
  for (const auto& [tag, element] : picture) {
    if (element.get<std::string>("<xmlattr>.class", "") == style) {
      const auto data = element.get<std::string>("<xmlattr>.d");
      counts.push_back(std::count(data.begin(), data.end(), command));
    }
  }
  return counts;
}

// By hand: cut at 1, three quadrants hold a corner each; the last holds (1, 1) and (2, 2) and is
// cut again. So three leaves of depth 1, two of depth 2, then a swatch for each depth.
TEST(program_quadtree, draws_every_leaf_and_point) {
  const program_folder folder;
  folder.write("square.csv", square);
  const ptree picture = picture_of(folder, {"square.csv", "--leaf-size", "1"});
  EXPECT_EQ(occurrences(picture, "cell", 'z'), (std::vector<std::ptrdiff_t>{3, 2, 1, 1}));
  EXPECT_EQ(occurrences(picture, "points", 'h'), (std::vector<std::ptrdiff_t>{5}));
  EXPECT_EQ(picture.get<std::string>("desc"),
            "5 points in 5 leaves, 2 levels below the root; a leaf holds at most 1");
}

TEST(program_quadtree, draws_awkward_points) {
  const program_folder folder;
  folder.write("huge.txt", "1e308 -1e308\n-1e308 1e308\n0 0\n");
  folder.write("line.txt", "1 5\n2 5\n3 5\n");
  folder.write("tiny.txt", "0 0\n1e-323 1e-323\n");
  for (const char* points :
       {"uniform:1", "uniform:0", "clusters:200000:3", "huge.txt", "line.txt", "tiny.txt"}) {
    const ptree picture = picture_of(folder, {points});
    EXPECT_EQ(folder.read("tree.svg").find("nan"), std::string::npos) << points;
    EXPECT_LT(folder.read("tree.svg").size(), 1'000'000U) << points;
    EXPECT_LE(picture.get<double>("<xmlattr>.width"), 1700) << points;
  }
}

TEST(program_quadtree, names_what_is_wrong) {
  const program_folder folder;
  folder.write("bad.txt", "0 0\n1 nan\n");
  folder.write("square.csv", square);
  folder.write("queries.txt", "range 0 0 1 1\nsphere 1 2 3\n");
  expect_failure(folder, {"quadtree", "bad.txt"}, 3,
                 "bad.txt:2: expected a finite number, found 'nan'");
  expect_failure(folder, {"quadtree", "none.txt"}, 3, "none.txt");
  expect_failure(folder, {"quadtree", "square.csv", "--xy", "x,z"}, 3, "expected a column 'z'");
  expect_failure(folder, {"quadtree", "square.csv", "--range", "0,0,1"}, 2,
                 "--range: expected X0,Y0,X1,Y1, found 0,0,1");
  expect_failure(folder, {"quadtree", "square.csv", "--knn", "0,0,-1"}, 2, "--knn: expected K");
  expect_failure(folder, {"quadtree", "square.csv", "--queries", "queries.txt"}, 3,
                 "queries.txt:2: expected range, circle or knn, found sphere");
  expect_failure(folder, {"quadtree", "uniform:x"}, 2, "uniform:N[:SEED]");
  expect_failure(folder, {"nbody", "square.csv"}, 3, "square.csv:2: expected a finite number");
  folder.write("heavy.txt", "# x y mass\n0 0 1\n\n1 1 -2\n");
  expect_failure(folder, {"nbody", "heavy.txt"}, 3,
                 "heavy.txt:4: expected a finite velocity and a mass of 0 or more");
  expect_failure(folder, {"nbody", "uniform:10", "--columns", "1,2,3"}, 2, "columns");
}

// The two bodies of nbody's own test: one period of 4 pi.
TEST(program_nbody, moves_bodies_and_keeps_their_energy) {
  const program_folder folder;
  folder.write("pair.txt", "-1 0 1 0 -0.5\n1 0 1 0 0.5\n");
  const json report =
      report_of(folder, {"nbody", "pair.txt", "--columns", "1,2,3,4,5", "--steps", "2000", "--dt",
                         "0.006283185307179587", "--out", "end.tsv"});
  EXPECT_EQ(report["num_bodies"], 2);
  EXPECT_EQ(report["mass"], 2);
  EXPECT_DOUBLE_EQ(report["energy_at_start"], -0.25);
  EXPECT_LT(report["energy_drift"], 1e-6);
  EXPECT_NEAR(std::stod(rows_of(folder.read("end.tsv"))[1][0]), 1, 1e-3);
}

TEST(program_nbody, what_has_no_double_is_refused) {
  const program_folder folder;
  folder.write("far.txt", "0 0 1\n-1e200 0 1\n");
  folder.write("heavy.txt", "0 0 1e200\n1 1 1\n");
  folder.write("fast.txt", "0 0 1 0 0\n1 1 1 0 1e200\n");
  folder.write("near.txt", "0 0 1\n1e-161 0 1\n-1e-161 0 1\n");
  folder.write("away.txt", "0 0 0 0 0\n1 1 0 1e90 0\n");
  const std::string moderate = "expected a place, a velocity and a mass of at most 1e+100, found ";
  expect_failure(folder, {"nbody", "far.txt"}, 3,
                 "far.txt:2: " + moderate + "(-1e+200, 0), (0, 0) and 1\n");
  expect_failure(folder, {"nbody", "heavy.txt"}, 3, "heavy.txt:1: " + moderate);
  expect_failure(folder, {"nbody", "fast.txt", "--columns", "1,2,3,4,5"}, 3, "fast.txt:2: ");
  expect_failure(folder, {"nbody", "near.txt"}, 3,
                 "near.txt:1: expected an acceleration that a double holds, found ");
  expect_failure(folder,
                 {"nbody", "away.txt", "--columns", "1,2,3,4,5", "--steps", "2", "--dt", "1e90"}, 3,
                 "away.txt: after 2 steps: row 1: " + moderate);
}

// The point lies beyond the disc by less than a rounding of its distance.
TEST(program_quadtree, a_point_beside_the_border_of_a_disc_passes_the_check) {
  const program_folder folder;
  folder.write("one.txt", "5.7 3.3\n");
  const auto run =
      folder.run({"quadtree", "one.txt", "--engine", "host", "--check", "--circle", "0.1,0,6.5"});
  EXPECT_EQ(run.status, 0) << run.out;
}

// Pulls cancel in the middle of a lattice: errors are small beside them, not beside what is left.
TEST(program_nbody, a_lattice_passes_the_check) {
  const program_folder folder;
  std::string bodies;
  for (int i = 0; i < 400; ++i) {
    bodies += std::to_string(i / 20) + ' ' + std::to_string(i % 20) + " 1\n";
  }
  folder.write("lattice.txt", bodies);
  const auto run =
      folder.run({"nbody", "lattice.txt", "--engine", "host", "--theta", "1", "--check"});
  EXPECT_EQ(run.status, 0) << run.out;
}

TEST(program_nbody, theta_zero_passes_the_strict_check) {
  const program_folder folder;
  for (const char* theta : {"0", "0.5"}) {
    const program_result result =
        folder.run({"nbody", "plummer:2000", "--theta", theta, "--softening", "0.05", "--check"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
}

}  // namespace
}  // namespace tendril::test
