#include "support/reach_plot.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/picture.hpp"
#include "apps/program.hpp"

namespace tendril::test {
namespace {

/// Three queries on blocks 3 and 7: two at once, then one after the shorter of them.
app::reach_command_report report_of_blocks() {
  app::reach_command_report report;
  report.input = "maps/road.gr";
  report.engine = {"cuda", "Hopper", ""};
  report.names = vertex_names(10);
  report.sources.ids = {5, 0, 9};
  report.result.queries.resize(3);
  report.result.report.way = reach_way::blocks;
  report.result.report.reason = "a query enters 7 vertices";
  report.result.report.slots = 2;
  report.result.timeline = {{0, 500, 0, 1, 3}, {0, 1000, 1, 1, 7}, {600, 1000, 2, 1, 3}};
  return report;
}

/// The path of each colour, in the order of the picture.
std::vector<std::string> strokes(const ptree& picture) {
  std::vector<std::string> found;
  for (const auto& [tag, element] : picture) {
    if (tag == "path" && element.get_optional<std::string>("<xmlattr>.stroke-width")) {
      found.push_back(element.get<std::string>("<xmlattr>.d"));
    }
  }
  return found;
}

// 1000 ns are 900 pixels after 64; rows of 24 pixels begin at 86.
TEST(reach_plot, draws_each_query_in_the_row_of_its_slot_and_its_neighbours_in_another_shade) {
  const ptree picture = parse(app::plot_reach(report_of_blocks()));
  EXPECT_EQ(strokes(picture), (std::vector<std::string>{"M64 98h450M64 122h900", "M604 98h360"}));
  EXPECT_EQ(words(picture, "on"), (std::vector<std::string>{"5", "0", "9"}));
  EXPECT_EQ(words(picture, "title"), std::vector<std::string>{"3 queries over road.gr on Hopper"});
  EXPECT_EQ(words(picture, "note"),
            std::vector<std::string>{"blocks, 2 at a time: a query enters 7 vertices; on average "
                                     "1.90 ran at a time"});
  EXPECT_TRUE(contains(words(picture, "tick"), "block 3"));
  EXPECT_TRUE(contains(words(picture, "tick"), "block 7"));
  EXPECT_TRUE(contains(words(picture, "label"), "1.00 us"));
}

TEST(reach_plot, draws_passes_in_one_row_with_their_queries) {
  app::reach_command_report report = report_of_blocks();
  report.result.report.way = reach_way::batch;
  report.result.report.lanes = 512;
  report.result.report.passes = 2;
  report.result.timeline = {{0, 600, 0, 512, 0}, {600, 1000, 1, 1, 0}};
  const ptree picture = parse(app::plot_reach(report));
  EXPECT_EQ(strokes(picture), (std::vector<std::string>{"M64 98h540", "M604 98h360"}));
  EXPECT_EQ(words(picture, "on"), (std::vector<std::string>{"512 queries", "1 query"}));
  EXPECT_TRUE(contains(words(picture, "tick"), "passes"));
}

TEST(reach_plot, of_no_query_is_a_picture_too) {
  app::reach_command_report report = report_of_blocks();
  report.sources.ids.clear();
  report.result = {};
  EXPECT_EQ(words(parse(app::plot_reach(report)), "title"),
            std::vector<std::string>{"0 queries over road.gr on Hopper"});
}

TEST(reach_plot, many_queries_make_a_small_file) {
  app::reach_command_report report = report_of_blocks();
  report.sources.ids.assign(500'000, 1);
  report.result.timeline.clear();
  for (std::uint64_t i = 0; i < 500'000; ++i) {
    report.result.timeline.push_back({i, i + 1, static_cast<std::size_t>(i), 1, 4});
  }
  EXPECT_LT(app::plot_reach(report).size(), 10'000U);
}

TEST(reach_plot, mean_at_a_time_is_busy_time_by_length) {
  EXPECT_DOUBLE_EQ(app::mean_at_a_time(report_of_blocks().result.timeline), 1.9);
  EXPECT_DOUBLE_EQ(app::mean_at_a_time({}), 0);
}

TEST(reach_plot, is_drawn_by_the_program) {
  const program_folder folder;
  const program_result result = folder.run({"reach", "grid:30x30", "--sources", "random:5", "--way",
                                            "streams", "--slots", "1", "--plot", "p.svg"});
  ASSERT_EQ(result.status, 0) << result.err;
  const ptree picture = parse(folder.read("p.svg"));
  EXPECT_EQ(words(picture, "title").front().find("5 queries over grid:30x30 on "), 0U);
  EXPECT_TRUE(contains(words(picture, "tick"), "thread 0"));
  EXPECT_EQ(strokes(picture).size(), 2U);
}

}  // namespace
}  // namespace tendril::test
