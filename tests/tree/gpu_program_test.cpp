// `tendril quadtree` on a GPU, run as a child process.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"
#include "gpu/needs_gpu.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;

class gpu_program_quadtree : public needs_gpu {};

TEST_F(gpu_program_quadtree, builds_in_every_way_and_passes_the_check) {
  const program_folder folder;
  for (const std::string build : {"auto", "sort", "child-grid", "level"}) {
    SCOPED_TRACE(build);
    const program_result result =
        folder.run({"quadtree", "clusters:100000:7", "--engine", "cuda", "--device", "0", "--build",
                    build, "--range", "0,0,0.5,0.5", "--check", "--runs", "3", "--json", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json report = json::parse(result.out);
    EXPECT_EQ(report["engine"], "cuda");
    EXPECT_EQ(report["build"], build == "auto" ? "sort" : build);
    EXPECT_EQ(report["check"], "passed");
    EXPECT_EQ(report["runs"], 3);
    const bool grows = build == "child-grid" || build == "level";
    EXPECT_EQ(report["launches"].is_object(), grows);
    if (grows) {
      EXPECT_GT(report["launches"]["tail_launches"], 0);
      EXPECT_EQ(report["launches"]["child_grids"] > 0, build == "child-grid");
      EXPECT_EQ(report["launches"]["refused"], 0);
    }
  }
}

TEST_F(gpu_program_quadtree, prints_what_was_launched) {
  const program_result result = program_folder().run(
      {"quadtree", "uniform:100000", "--engine", "cuda", "--build", "child-grid"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("built by child-grid in "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("launches 1 child grid, 0 tail launches, 0 refused"), std::string::npos)
      << result.out;
}

// The host engine's answers to the same queries, written by the same program.
TEST_F(gpu_program_quadtree, answers_queries_as_the_host_does) {
  const program_folder folder;
  folder.write("queries.txt",
               "range 0.2 0.1 0.9 0.9\nrange 1 1 0 0\nrange 7 7 8 8\ncircle 0.5 0.5 0.1\n"
               "circle 0.5 0.5 -1\nknn 0.3,0.3,9\nknn 2,2,0\nknn 0.5,0.5,5\n");
  for (const std::string engine : {"host", "cuda"}) {
    const program_result result =
        folder.run({"quadtree", "clusters:20000:5", "--engine", engine, "--queries", "queries.txt",
                    "--check", "--out", engine + ".tsv"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_EQ(result.out.find("thread") == std::string::npos, engine == "cuda") << result.out;
  }
  EXPECT_GT(rows_of(folder.read("host.tsv")).size(), 100U);
  EXPECT_EQ(folder.read("cuda.tsv"), folder.read("host.tsv"));
}

class gpu_program_nbody : public gpu_program_quadtree {};

TEST_F(gpu_program_nbody, moves_bodies_as_the_host_does) {
  const program_folder folder;
  for (const std::string engine : {"host", "cuda"}) {
    const program_result result =
        folder.run({"nbody", "plummer:3000", "--engine", engine, "--theta", "0.6", "--softening",
                    "0.05", "--steps", "3", "--check", "--out", engine + ".tsv"});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
  }
  EXPECT_EQ(folder.read("cuda.tsv"), folder.read("host.tsv"));
}

TEST_F(gpu_program_nbody, theta_zero_passes_the_strict_check) {
  const program_result result = program_folder().run(
      {"nbody", "plummer:5000", "--engine", "cuda", "--theta", "0", "--check", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.out << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["engine"], "cuda");
  EXPECT_EQ(report["check"], "passed");
}

}  // namespace
}  // namespace tendril::test
