#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

namespace tendril::test {

// c - a - b, and d - e with a loop.
TEST(program_components, are_called_by_their_first_vertex_and_counted) {
  const program_folder folder;
  folder.write("two.tsv", "c\ta\na\tb\nd\te\ne\te\n");
  const auto report = report_of(folder, {"components", "two.tsv", "--check", "--out", "of.tsv"});
  EXPECT_EQ(report["components"], 2);
  EXPECT_EQ(report["largest"], 3);
  EXPECT_EQ(report["check"], "passed");
  EXPECT_FALSE(report.contains("sources"));
  EXPECT_EQ(folder.read("of.tsv"), "# vertex\tcomponent\nc\tc\na\tc\nb\tc\nd\td\ne\td\n");
  EXPECT_NE(folder.run({"components", "two.tsv"}).out.find("\nresult   2 components; the largest"),
            std::string::npos);
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  EXPECT_EQ(report_of(folder, {"components", "empty.mtx", "--check"})["components"], 0);
  expect_failure(folder, {"components", "path:3", "--source", "0"}, 2, "--source");
}

}  // namespace tendril::test
