#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/program.hpp"

// Commands that give each vertex a label.

namespace tendril::test {

// c - a - b, and d - e with a loop; names are sorted.
TEST(program_labels, components_are_called_by_their_first_vertex_and_counted) {
  const program_folder folder;
  folder.write("two.tsv", "c\ta\na\tb\nd\te\ne\te\n");
  const auto report = report_of(folder, {"components", "two.tsv", "--check", "--out", "of.tsv"});
  EXPECT_EQ(report["components"], 2);
  EXPECT_EQ(report["largest"], 3);
  EXPECT_EQ(report["check"], "passed");
  EXPECT_EQ(folder.read("of.tsv"), "# vertex\tcomponent\na\ta\nb\ta\nc\ta\nd\td\ne\td\n");
}

TEST(program_labels, have_no_sources_and_may_be_none) {
  const program_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  const auto report = report_of(folder, {"components", "empty.mtx", "--check"});
  EXPECT_EQ(report["components"], 0);
  EXPECT_FALSE(report.contains("sources"));
  EXPECT_NE(folder.run({"components", "path:3"}).out.find("\nresult   1 component; the largest"),
            std::string::npos);
  expect_failure(folder, {"components", "path:3", "--source", "0"}, 2, "--source");
}

// a -> b -> c, d -> b, d -> c; e leads to a.
TEST(program_labels, voronoi_cells_are_called_by_the_nearest_source) {
  const program_folder folder;
  folder.write("of.tsv", "a\tb\nb\tc\nd\tb\nd\tc\ne\ta\n");
  const auto report = report_of(folder, {"voronoi", "of.tsv", "--source", "d", "--source", "a",
                                         "--check", "--out", "cells.tsv"});
  EXPECT_EQ(report["reached"], 4);
  EXPECT_EQ(report["depth"], 1);
  EXPECT_EQ(report["check"], "passed");
  EXPECT_EQ(folder.read("cells.tsv"),
            "# vertex\tsteps\tsource\na\t0\ta\nb\t1\ta\nc\t1\td\nd\t0\td\ne\t-1\t-1\n");
  expect_failure(folder, {"voronoi", "of.tsv", "--source", "f"}, 3, "found f");
}

}  // namespace tendril::test
