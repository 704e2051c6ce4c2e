// `tendril quadtree` on a GPU, run as a child process.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"
#include "tendril/cuda/device.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;

class gpu_program_quadtree : public ::testing::Test {
 protected:
  void SetUp() override {
    const cuda_devices found = find_cuda_devices();
    if (found.usable.empty()) {
      GTEST_SKIP() << found.reason;
    }
  }
};

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
  EXPECT_NE(result.out.find("launches 1 child grid, 1 tail launch, 0 refused"), std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace tendril::test
