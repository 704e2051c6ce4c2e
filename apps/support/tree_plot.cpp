#include "support/tree_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/svg.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

using draw::anchor;
using draw::pixels;
using draw::svg;

constexpr double longest_side = 1500;
constexpr double shortest_side = 640;
constexpr double margin = 72;
constexpr double caption_height = 84;
constexpr point_id most_points = 60'000;
constexpr double smallest_cell = 0.4;   // pixels: what is narrower is not drawn
constexpr double steps_per_pixel = 10;  // places of points are whole numbers of these

// Paper and inks. A leaf is the darker the deeper it lies: about as dense as its points are.
constexpr std::string_view paper = "#f3ead6";
struct ink {
  double red;
  double green;
  double blue;
};
constexpr std::array<ink, 7> washes{{{239, 228, 203},
                                     {234, 215, 180},
                                     {230, 197, 146},
                                     {223, 166, 104},
                                     {207, 122, 69},
                                     {168, 71, 47},
                                     {111, 34, 38}}};

constexpr std::string_view tree_colours =
    ".cell { stroke: #4a3424; stroke-opacity: 0.55; }\n"
    ".points { fill: none; stroke: #1b2540; stroke-linecap: round; }\n"
    ".frame { fill: none; stroke: #3b2a20; }\n"
    ".name, .remark, .depth { font-family: Georgia, 'DejaVu Serif', 'Times New Roman', serif; "
    "fill: #3b2a20; }\n"
    ".name { font-size: 30px; }\n"
    ".remark { font-size: 16px; fill: #6d5a49; }\n"
    ".depth { font-size: 13px; fill: #6d5a49; }\n";

/// From an interval of coordinates to pixels. Quarters keep the largest doubles from overflowing.
struct pixel_axis {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;

  [[nodiscard]] double operator()(double value) const {
    const double part = (value / 4 - low / 4) / (high / 4 - low / 4);
    return from + std::clamp(part, 0.0, 1.0) * (to - from);
  }
  [[nodiscard]] double quarter_length() const { return high / 4 - low / 4; }
};

/// The interval, or where it is too short to be drawn a longer one around it.
pixel_axis axis_over(double low, double high) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double centre = low / 2 + high / 2;
  if (high / 4 - low / 4 > std::abs(centre) * 1e-12) {
    return {low, high};
  }
  const double half = std::min(std::max(std::abs(centre) / 2, 0.5), largest / 2);
  return {std::max(centre - half, -largest), std::min(centre + half, largest)};
}

struct frame {
  pixel_axis x;
  pixel_axis y;  // upwards
  double width = 0;
  double height = 0;
};

frame frame_over(const quadtree_view<double>& tree) {
  const box<double> bounds =
      tree.num_nodes() > 0 ? tree.node(0).bounds : box<double>{{0, 0}, {1, 1}};
  frame f{axis_over(bounds.low.x, bounds.high.x), axis_over(bounds.low.y, bounds.high.y)};
  const double ratio = f.y.quarter_length() / f.x.quarter_length();
  f.width = ratio > 1 ? std::max(longest_side / ratio, shortest_side) : longest_side;
  f.height = ratio > 1 ? longest_side : std::max(longest_side * ratio, shortest_side);
  f.x.from = margin;
  f.x.to = margin + f.width;
  f.y.from = margin + f.height;
  f.y.to = margin;
  return f;
}

/// The depths that leaves have.
struct depth_range {
  std::uint32_t least = 0;
  std::uint32_t most = 0;

  [[nodiscard]] std::size_t size() const { return most - least + 1; }
};

depth_range leaf_depths(const quadtree_view<double>& tree) {
  depth_range depths{finest_level, 0};
  for (node_id n = 0; n < tree.num_nodes(); ++n) {
    if (tree.is_leaf(n)) {
      depths.least = std::min(depths.least, tree.node(n).depth);
      depths.most = std::max(depths.most, tree.node(n).depth);
    }
  }
  return depths.least <= depths.most ? depths : depth_range{};
}

/// The wash of the i-th of several depths: fill="rgb(...)". Few depths take the light ones, so that
/// points can be seen on them.
std::string wash(std::size_t i, std::size_t count) {
  const auto last = static_cast<double>(washes.size() - 1);
  const double per_depth = std::min(1.0, last / std::max(static_cast<double>(count - 1), 1.0));
  const double at = per_depth * static_cast<double>(i);
  const std::size_t below = std::min(static_cast<std::size_t>(at), washes.size() - 2);
  const double part = at - static_cast<double>(below);
  const ink& a = washes[below];
  const ink& b = washes[below + 1];
  const auto blend = [part](double x, double y) {
    return std::to_string(std::lround(std::lerp(x, y, part)));
  };
  return "fill=\"rgb(" + blend(a.red, b.red) + ' ' + blend(a.green, b.green) + ' ' +
         blend(a.blue, b.blue) + ")\"";
}

std::string line_width(double width) {
  return " stroke-width=\"" + pixels(width) + '"';
}

void append_box(std::string& data, double left, double top, double width, double height) {
  data.append("M").append(pixels(left)).append(" ").append(pixels(top));
  data.append("h").append(pixels(width)).append("v").append(pixels(height));
  data.append("h").append(pixels(-width)).append("z");
}

void draw_cells(svg& picture, const quadtree_view<double>& tree, const frame& f,
                const depth_range& depths) {
  std::vector<std::string> paths(depths.size());
  for (node_id n = 0; n < tree.num_nodes(); ++n) {
    if (!tree.is_leaf(n)) {
      continue;
    }
    const box<double> cell = tree.cell(n);
    const double left = f.x(cell.low.x);
    const double top = f.y(cell.high.y);
    const double width = f.x(cell.high.x) - left;
    const double height = f.y(cell.low.y) - top;
    if (width >= smallest_cell && height >= smallest_cell) {
      append_box(paths[tree.node(n).depth - depths.least], left, top, width, height);
    }
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!paths[i].empty()) {
      const double thinner = std::pow(0.8, static_cast<double>(i));
      picture.path(paths[i], "class=\"cell\" " + wash(i, paths.size()) +
                                 line_width(std::max(0.8 * thinner, 0.15)));
    }
  }
}

void draw_points(svg& picture, const quadtree_view<double>& tree, const frame& f) {
  if (tree.num_points() == 0) {
    return;
  }
  // Neighbours along the Z curve are near: a few digits take one to the next.
  const point_id step = (tree.num_points() - 1) / most_points + 1;
  std::string data;
  std::int64_t last_x = 0;
  std::int64_t last_y = 0;
  std::size_t num_drawn = 0;
  for (point_id i = 0; i < tree.num_points(); i += step) {
    const point<double> p = tree.positions[i];
    const std::int64_t x = std::llround(f.x(p.x) * steps_per_pixel);
    const std::int64_t y = std::llround(f.y(p.y) * steps_per_pixel);
    if (x == last_x && y == last_y) {
      continue;
    }
    data.append("m").append(std::to_string(x - last_x)).append(" ");
    data.append(std::to_string(y - last_y)).append("h0");
    last_x = x;
    last_y = y;
    ++num_drawn;
  }
  const double root = std::sqrt(static_cast<double>(num_drawn));
  picture.path(data, "class=\"points\" transform=\"scale(0.1)\" stroke-opacity=\"" +
                         pixels(std::clamp(120 / root, 0.7, 0.9)) + '"' +
                         line_width(std::clamp(210 / root, 0.8, 4.0) * steps_per_pixel));
}

void draw_frame(svg& picture, const frame& f) {
  constexpr double gap = 9;
  std::string inner;
  append_box(inner, margin, margin, f.width, f.height);
  picture.path(inner, "class=\"frame\"" + line_width(1.2));
  std::string outer;
  append_box(outer, margin - gap, margin - gap, f.width + 2 * gap, f.height + 2 * gap);
  picture.path(outer, "class=\"frame\"" + line_width(0.6));
}

/// A swatch for each depth, on the right; numbers below them where there is room.
void draw_legend(svg& picture, const frame& f, const depth_range& depths, double top) {
  const double swatch = std::min(26.0, 0.4 * f.width / static_cast<double>(depths.size()));
  const double right = margin + f.width;
  const double left = right - swatch * static_cast<double>(depths.size());
  constexpr double narrowest_number = 20;
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const double x = left + swatch * static_cast<double>(i);
    std::string data;
    append_box(data, x, top, swatch, 13);
    picture.path(data, "class=\"cell\" " + wash(i, depths.size()) + line_width(0.5));
    if (swatch >= narrowest_number || i == 0 || i + 1 == depths.size()) {
      picture.text(x + swatch / 2, top + 30, std::to_string(depths.least + i), "depth",
                   anchor::middle);
    }
  }
  picture.text(left - 10, top + 11, "depth", "depth", anchor::end);
}

/// The beginning of a text that is too long, without half a character of UTF-8.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) {
    --most;
  }
  return text.substr(0, most) + "...";
}

}  // namespace

std::string plot_tree(const quadtree_view<double>& tree, const tree_captions& captions) {
  const frame f = frame_over(tree);
  svg picture(f.width + 2 * margin, f.height + 2 * margin + caption_height, captions.title,
              captions.note, {.background = paper, .style_sheet = tree_colours});
  const depth_range depths = leaf_depths(tree);
  draw_cells(picture, tree, f, depths);
  draw_frame(picture, f);
  draw_points(picture, tree, f);
  const double below = margin + f.height;
  constexpr double letter = 18;  // of the title
  const auto most_letters = static_cast<std::size_t>(0.5 * f.width / letter);
  picture.text(margin, below + 58, shortened(captions.title, most_letters), "name");
  picture.text(margin, below + 88, captions.note, "remark");
  if (tree.num_nodes() > 0) {
    draw_legend(picture, f, depths, below + 30);
  }
  return std::move(picture).finish();
}

}  // namespace tendril::app
