#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "apps/picture.hpp"
#include "apps/program.hpp"
#include "draw/axis.hpp"
#include "support/frontier_plot.hpp"

namespace tendril::test {
namespace {

using draw::axis;

std::vector<level_report> levels_of(const std::vector<vertex_id>& sizes,
                                    const std::vector<direction>& ways = {}) {
  std::vector<level_report> levels;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    level_report level;
    level.level = static_cast<std::int32_t>(i);
    level.frontier = sizes[i];
    level.way = i < ways.size() ? ways[i] : direction::push;
    levels.push_back(level);
  }
  return levels;
}

const app::plot_captions captions = {"A title", "a note", "level"};

// A bar for each level, and the legend's swatch.
TEST(frontier_plot, bars_are_as_high_as_the_frontier_on_a_linear_scale) {
  const ptree picture = parse(app::plot_frontier(levels_of({1, 4, 2}), captions));
  const auto push = elements(picture, "rect", "push");
  ASSERT_EQ(push.size(), 4U);
  EXPECT_TRUE(elements(picture, "rect", "pull").empty());
  const double unit = attribute(push[1], "height");
  EXPECT_NEAR(attribute(push[2], "height"), 4 * unit, 0.05);
  EXPECT_NEAR(attribute(push[3], "height"), 2 * unit, 0.05);
  const double floor = attribute(push[1], "y") + unit;
  EXPECT_NEAR(attribute(push[2], "y") + 4 * unit, floor, 0.05);
  EXPECT_LT(attribute(push[1], "x"), attribute(push[2], "x"));
  EXPECT_TRUE(contains(words(picture, "label"), "vertices in the frontier"));
}

TEST(frontier_plot, wide_ranges_get_a_logarithmic_scale) {
  const ptree picture = parse(app::plot_frontier(levels_of({1, 100, 10'000}), captions));
  const auto push = elements(picture, "rect", "push");
  ASSERT_EQ(push.size(), 4U);
  const double first = attribute(push[1], "height");
  const double second = attribute(push[2], "height");
  const double third = attribute(push[3], "height");
  EXPECT_GT(first, 0);
  EXPECT_NEAR(third - second, second - first, 0.05);  // equal factors, equal steps
  EXPECT_TRUE(contains(words(picture, "label"), "vertices in the frontier (log scale)"));
  for (const std::string tick : {"1", "10", "100", "1,000", "10,000"}) {
    EXPECT_TRUE(contains(words(picture, "tick"), tick)) << tick;
  }
}

TEST(frontier_plot, push_and_pull_are_told_apart) {
  const ptree picture = parse(app::plot_frontier(
      levels_of({1, 3, 2}, {direction::push, direction::pull, direction::push}), captions));
  EXPECT_EQ(elements(picture, "rect", "push").size(), 3U);
  EXPECT_EQ(elements(picture, "rect", "pull").size(), 2U);
  EXPECT_TRUE(contains(words(picture, "label"), "push"));
  EXPECT_TRUE(contains(words(picture, "label"), "pull"));
}

TEST(frontier_plot, names_what_it_shows) {
  const ptree picture =
      parse(app::plot_frontier(levels_of({1, 1234567}), {"a < b & \"c\"", "x > y", "round"}));
  EXPECT_EQ(words(picture, "title"), std::vector<std::string>{"a < b & \"c\""});
  EXPECT_EQ(words(picture, "note"), std::vector<std::string>{"x > y"});
  EXPECT_EQ(picture.get<std::string>("title"), "a < b & \"c\"");
  EXPECT_TRUE(contains(words(picture, "label"), "round"));
  EXPECT_TRUE(contains(words(picture, "value"), "1,234,567"));
  EXPECT_TRUE(contains(words(picture, "tick"), "1 M"));
}

TEST(frontier_plot, halves_of_a_million_are_not_rounded) {
  const auto ticks = words(parse(app::plot_frontier(levels_of({1600000}), captions)), "tick");
  EXPECT_TRUE(contains(ticks, "1.5 M"));
  EXPECT_FALSE(contains(ticks, "2 M"));
}

TEST(frontier_plot, what_is_no_utf8_is_replaced) {
  const ptree picture =
      parse(app::plot_frontier(levels_of({1}), {"caf\xC3\xA9", "b\xFF.el\x80", "a\x01z"}));
  EXPECT_EQ(words(picture, "title"), std::vector<std::string>{"caf\xC3\xA9"});
  EXPECT_EQ(words(picture, "note"), std::vector<std::string>{"b\xEF\xBF\xBD.el\xEF\xBF\xBD"});
  EXPECT_TRUE(contains(words(picture, "label"), "a z"));
}

TEST(frontier_plot, many_levels_share_bars_and_keep_the_widest) {
  std::vector<vertex_id> sizes(5000, 3);
  sizes[2501] = 40;
  const ptree picture = parse(app::plot_frontier(levels_of(sizes), captions));
  const auto push = elements(picture, "rect", "push");
  EXPECT_LE(push.size(), 621U);
  EXPECT_TRUE(contains(words(picture, "value"), "40"));
  EXPECT_TRUE(contains(words(picture, "label"), "level; each bar: the widest of 9 levels"));
  for (std::size_t i = 2; i < push.size(); ++i) {  // without gaps or overlaps
    EXPECT_NEAR(attribute(push[i], "x"),
                attribute(push[i - 1], "x") + attribute(push[i - 1], "width"), 0.03);
  }
}

TEST(frontier_plot, no_level_and_one_level_are_drawn_too) {
  const ptree none = parse(app::plot_frontier({}, captions));
  EXPECT_TRUE(elements(none, "rect", "push").empty());
  EXPECT_EQ(elements(parse(app::plot_frontier(levels_of({1}), captions)), "rect", "push").size(),
            2U);
}

TEST(frontier_plot, is_drawn_by_the_program) {
  const program_folder folder;
  folder.write("tree.el", "0 1\n0 2\n1 3\n");
  EXPECT_EQ(folder.run({"bfs", "tree.el", "--source", "0", "--plot", "p.svg"}).status, 0);
  const ptree picture = parse(folder.read("p.svg"));
  EXPECT_EQ(elements(picture, "rect", "push").size(), 4U);
  EXPECT_EQ(words(picture, "title"), std::vector<std::string>{"Breadth-first search of tree.el"});
  EXPECT_TRUE(
      words(picture, "note").front().starts_with("from 0: 4 of 4 vertices reached in 2 steps; "));
}

TEST(axis_ticks, are_round_numbers_inside_the_axis) {
  EXPECT_EQ(ticks(axis{.lowest = 0, .highest = 9.9}, 6), (std::vector<double>{0, 2, 4, 6, 8}));
  EXPECT_EQ(ticks(axis{.lowest = -0.5, .highest = 2.5}, 14), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(ticks(axis{.lowest = 0, .highest = 1600}, 6),
            (std::vector<double>{0, 500, 1000, 1500}));
  const axis small{.is_logarithmic = true, .lowest = 0.5, .highest = 2000};
  EXPECT_EQ(ticks(small, 6), (std::vector<double>{1, 10, 100, 1000}));
  const axis large{.is_logarithmic = true, .lowest = 0.5, .highest = 4e9};
  EXPECT_EQ(ticks(large, 6), (std::vector<double>{1, 100, 1e4, 1e6, 1e8}));
}

TEST(axis_position, is_proportional_to_the_value_or_its_logarithm) {
  const axis linear{.lowest = 0, .highest = 10, .from = 100, .to = 0};
  EXPECT_DOUBLE_EQ(linear.position(0), 100);
  EXPECT_DOUBLE_EQ(linear.position(2.5), 75);
  const axis logarithmic{
      .is_logarithmic = true, .lowest = 1, .highest = 1000, .from = 0, .to = 300};
  EXPECT_DOUBLE_EQ(logarithmic.position(1), 0);
  EXPECT_DOUBLE_EQ(logarithmic.position(10), 100);
}

}  // namespace
}  // namespace tendril::test
