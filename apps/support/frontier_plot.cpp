#include "support/frontier_plot.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "draw/axis.hpp"
#include "draw/svg.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

using draw::anchor;
using draw::axis;
using draw::svg;

constexpr const char* direction_colours = ".push { fill: #8fbfe0; }\n.pull { fill: #a63c1c; }\n";

// Pixels.
constexpr double width = 720;
constexpr double height = 400;
constexpr double left = 76;
constexpr double right = width - 24;
constexpr double top = 84;
constexpr double bottom = height - 58;
constexpr double widest_bar = 44;
constexpr double least_bar_height = 1.5;
constexpr std::size_t most_bars = 620;
constexpr double swatch = 11;

constexpr double log_scale_from = 50;  // largest frontier / smallest

struct bar {
  double first_level;
  double num_levels;
  level_report widest;
};

std::vector<bar> bars_of(std::span<const level_report> levels) {
  const std::size_t levels_per_bar = (levels.size() + most_bars - 1) / most_bars;
  std::vector<bar> bars;
  for (std::size_t first = 0; first < levels.size(); first += levels_per_bar) {
    const auto group = levels.subspan(first, std::min(levels_per_bar, levels.size() - first));
    const auto widest = std::max_element(
        group.begin(), group.end(),
        [](const level_report& a, const level_report& b) { return a.frontier < b.frontier; });
    bars.push_back({static_cast<double>(first), static_cast<double>(group.size()), *widest});
  }
  return bars;
}

axis level_axis(std::size_t num_levels) {
  return {.lowest = -0.5,
          .highest = std::max(1.0, static_cast<double>(num_levels)) - 0.5,
          .from = left,
          .to = right};
}

axis size_axis(std::span<const level_report> levels) {
  double least = 1;
  double most = 1;
  if (!levels.empty()) {
    const auto [low, high] = std::minmax_element(
        levels.begin(), levels.end(),
        [](const level_report& a, const level_report& b) { return a.frontier < b.frontier; });
    least = std::max(1.0, static_cast<double>(low->frontier));
    most = std::max(1.0, static_cast<double>(high->frontier));
  }
  if (most / least > log_scale_from) {
    // Half a vertex, so that a frontier of one has a bar.
    return {
        .is_logarithmic = true, .lowest = 0.5, .highest = most * 1.6, .from = bottom, .to = top};
  }
  return {.lowest = 0, .highest = most * 1.1, .from = bottom, .to = top};
}

std::string tick_text(double value) {
  if (value < 1e6) {
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  }
  const double millions = value / 1e6;
  const bool is_whole = millions == std::floor(millions);
  return (is_whole ? grouped(static_cast<std::uint64_t>(millions)) : number(millions)) + " M";
}

void draw_axes(svg& picture, const axis& x, const axis& y, const std::string& x_label) {
  for (const double value : ticks(y, 6)) {
    picture.line(left, y.position(value), right, y.position(value), "grid");
    picture.text(left - 8, y.position(value) + 4, tick_text(value), "tick", anchor::end);
  }
  for (const double value : ticks(x, 14)) {
    picture.line(x.position(value), bottom, x.position(value), bottom + 4, "axis");
    picture.text(x.position(value), bottom + 18, grouped(static_cast<std::uint64_t>(value)), "tick",
                 anchor::middle);
  }
  picture.text((left + right) / 2, height - 14, x_label, "label", anchor::middle);
  picture.upright_text(
      22, (top + bottom) / 2,
      y.is_logarithmic ? "vertices in the frontier (log scale)" : "vertices in the frontier",
      "label");
}

void draw_bars(svg& picture, const std::vector<bar>& bars, const axis& x, const axis& y) {
  for (const bar& each : bars) {
    const double begin = x.position(each.first_level - 0.5);
    const double slot = x.position(each.first_level - 0.5 + each.num_levels) - begin;
    // Narrow bars touch: gaps of part of a pixel would look like stripes.
    const double bar_width = slot < 5 ? slot : std::min(widest_bar, slot * 0.8);
    const double size = std::max(1.0, static_cast<double>(each.widest.frontier));
    const double bar_top = std::min(y.position(size), bottom - least_bar_height);
    picture.rectangle(begin + (slot - bar_width) / 2, bar_top, bar_width, bottom - bar_top,
                      to_string(each.widest.way));
  }
}

void draw_largest(svg& picture, const std::vector<bar>& bars, const axis& x, const axis& y) {
  const auto largest = std::max_element(bars.begin(), bars.end(), [](const bar& a, const bar& b) {
    return a.widest.frontier < b.widest.frontier;
  });
  const double centre = x.position(largest->first_level + (largest->num_levels - 1) / 2);
  const std::string size = grouped(largest->widest.frontier);
  const double half_text = 4 * static_cast<double>(size.size());
  picture.text(std::clamp(centre, left + half_text, right - half_text),
               y.position(std::max(1.0, static_cast<double>(largest->widest.frontier))) - 6, size,
               "value", anchor::middle);
}

// In the right corner, only what occurs.
void draw_legend(svg& picture, std::span<const level_report> levels) {
  double x = right - 42;
  for (const direction way : {direction::pull, direction::push}) {
    const bool occurs = std::any_of(levels.begin(), levels.end(),
                                    [way](const level_report& level) { return level.way == way; });
    if (occurs) {
      picture.rectangle(x, 26 - swatch + 1, swatch, swatch, to_string(way));
      picture.text(x + swatch + 6, 26, to_string(way), "label");
      x -= 64;
    }
  }
}

}  // namespace

std::string plot_frontier(std::span<const level_report> levels, const plot_captions& captions) {
  svg picture(width, height, captions.title, captions.note, {"#fff", direction_colours});
  picture.text(20, 26, captions.title, "title");
  picture.text(20, 46, captions.note, "note");
  draw_legend(picture, levels);
  const std::vector<bar> bars = bars_of(levels);
  const axis x = level_axis(levels.size());
  const axis y = size_axis(levels);
  std::string x_label = captions.x_label;
  if (bars.size() < levels.size()) {
    x_label += "; each bar: the widest of " +
               counted(static_cast<std::uint64_t>(bars.front().num_levels), "level", "levels");
  }
  draw_axes(picture, x, y, x_label);
  draw_bars(picture, bars, x, y);
  picture.line(left, bottom, right, bottom, "axis");
  if (!bars.empty()) {
    draw_largest(picture, bars, x, y);
  }
  return std::move(picture).finish();
}

}  // namespace tendril::app
