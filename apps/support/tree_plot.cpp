#include "support/tree_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "support/svg.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

constexpr double longest_side = 1500;
constexpr double shortest_side = 500;
constexpr double margin = 48;
constexpr double caption_height = 76;
constexpr point_id most_points = 60'000;
constexpr double smallest_cell = 0.4;  // pixels: what is narrower is not drawn

constexpr std::string_view background = "#05060f";
// From sparse to dense.
constexpr std::array<std::string_view, 12> palette{"#0c0f24", "#141538", "#22194f", "#361d63",
                                                   "#4f2070", "#6b2575", "#892d74", "#a9386c",
                                                   "#c8495d", "#e2644a", "#f48a3a", "#fbb84c"};

constexpr std::string_view style_sheet =
    ".border { fill: none; stroke: #cfd6ff; stroke-opacity: 0.16; stroke-width: 0.5; }\n"
    ".points { fill: none; stroke: #fff6dc; stroke-linecap: round; }\n"
    ".caption { font-size: 24px; font-weight: 600; fill: #f3ecd8; letter-spacing: 0.02em; }\n"
    ".remark { font-size: 14px; fill: #9aa0c4; }\n"
    ".legend { font-size: 12px; fill: #9aa0c4; }\n";

/// Appends a command of path data: "M3 4.5".
void append(std::string& data, char command, std::initializer_list<double> numbers) {
  data += command;
  const char* separator = "";
  for (const double number : numbers) {
    data.append(separator).append(pixels(number));
    separator = " ";
  }
}

void append_box(std::string& data, double left, double top, double width, double height) {
  append(data, 'M', {left, top});
  append(data, 'h', {width});
  append(data, 'v', {height});
  append(data, 'h', {-width});
  data += 'z';
}

/// From an interval of coordinates to pixels. Halves keep the largest doubles from overflowing.
struct pixel_axis {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;

  [[nodiscard]] double operator()(double value) const {
    const double part = (value / 4 - low / 4) / (high / 4 - low / 4);
    return from + std::clamp(part, 0.0, 1.0) * (to - from);
  }
};

struct frame {
  pixel_axis x;
  pixel_axis y;  // upwards
  double width = 0;
  double height = 0;
};

/// A little more than low .. high, and never empty.
pixel_axis widened(double low, double high) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double centre = low / 2 + high / 2;
  double half = high / 2 - low / 2;
  if (!(half > std::abs(centre) * 1e-12)) {
    half = std::max(std::abs(centre) / 2, 0.5);
  }
  half = std::min(half * 1.03, largest / 2);
  return {std::max(centre - half, -largest), std::min(centre + half, largest), 0, 1};
}

frame frame_of(const quadtree_view<double>& tree) {
  frame f;
  const box<double> bounds =
      tree.num_nodes() > 0 ? tree.node(0).bounds : box<double>{{0, 0}, {1, 1}};
  f.x = widened(bounds.low.x, bounds.high.x);
  f.y = widened(bounds.low.y, bounds.high.y);
  const double ratio = (f.y.high / 4 - f.y.low / 4) / (f.x.high / 4 - f.x.low / 4);
  f.width = ratio > 1 ? std::max(longest_side / ratio, shortest_side) : longest_side;
  f.height = ratio > 1 ? longest_side : std::max(longest_side * ratio, shortest_side);
  f.x.from = margin;
  f.x.to = margin + f.width;
  f.y.from = margin + f.height;
  f.y.to = margin;
  return f;
}

/// The cell in pixels: left, top, width, height.
struct pixel_box {
  double left;
  double top;
  double width;
  double height;
};

pixel_box pixels_of(const frame& f, const box<double>& cell) {
  const double left = f.x(cell.low.x);
  const double top = f.y(cell.high.y);
  return {left, top, f.x(cell.high.x) - left, f.y(cell.low.y) - top};
}

/// Binary logarithm of points by area, the root's area being 1.
double density_of(const quadtree_node<double>& leaf) {
  return std::log2(static_cast<double>(leaf.num_points())) + 2.0 * leaf.depth;
}

/// Leaf cells by colour, as path data; the last one holds the borders.
std::vector<std::string> cell_paths(const quadtree_view<double>& tree, const frame& f) {
  double sparsest = 1e9;
  double densest = -1e9;
  for (node_id n = 0; n < tree.num_nodes(); ++n) {
    if (tree.is_leaf(n)) {
      sparsest = std::min(sparsest, density_of(tree.node(n)));
      densest = std::max(densest, density_of(tree.node(n)));
    }
  }
  const double classes = static_cast<double>(palette.size()) - 1e-9;
  std::vector<std::string> paths(palette.size() + 1);
  for (node_id n = 0; n < tree.num_nodes(); ++n) {
    const pixel_box b = pixels_of(f, tree.cell(n));
    if (!tree.is_leaf(n) || b.width < smallest_cell || b.height < smallest_cell) {
      continue;
    }
    const double part =
        densest > sparsest ? (density_of(tree.node(n)) - sparsest) / (densest - sparsest) : 0.5;
    append_box(paths[static_cast<std::size_t>(part * classes)], b.left, b.top, b.width, b.height);
    append_box(paths.back(), b.left, b.top, b.width, b.height);
  }
  return paths;
}

std::string point_path(const quadtree_view<double>& tree, const frame& f, point_id step) {
  std::string data;
  for (point_id i = 0; i < tree.num_points(); i += step) {
    const point<double> p = tree.positions[i];
    append(data, 'M', {f.x(p.x), f.y(p.y)});
    append(data, 'h', {0});
  }
  return data;
}

void draw_legend(svg& picture, double right, double top) {
  constexpr double swatch = 16;
  const double left = right - swatch * static_cast<double>(palette.size());
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double x = left + swatch * static_cast<double>(i);
    std::string data;
    append_box(data, x, top, swatch, 10);
    picture.path(data, "fill=\"" + std::string(palette[i]) + '"');
  }
  picture.text(left, top + 26, "sparse", "legend", anchor::start);
  picture.text(right, top + 26, "dense", "legend", anchor::end);
}

}  // namespace

std::string plot_tree(const quadtree_view<double>& tree, const tree_captions& captions) {
  const frame f = frame_of(tree);
  const double total_width = f.width + 2 * margin;
  const double total_height = f.height + margin + caption_height + margin / 2;
  svg picture(total_width, total_height, captions.title, captions.note,
              {.background = background, .style_sheet = style_sheet});
  const std::vector<std::string> paths = cell_paths(tree, f);
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (!paths[i].empty()) {
      picture.path(paths[i], "fill=\"" + std::string(palette[i]) + '"');
    }
  }
  picture.path(paths.back(), "class=\"border\"");
  if (tree.num_points() > 0) {
    const point_id step = (tree.num_points() - 1) / most_points + 1;
    const double num_drawn = std::ceil(tree.num_points() / static_cast<double>(step));
    const double size = std::clamp(90 / std::sqrt(num_drawn), 0.7, 5.0);
    const double opacity = std::clamp(60 / std::sqrt(num_drawn), 0.45, 0.95);
    picture.path(point_path(tree, f, step), "class=\"points\" stroke-width=\"" + pixels(size) +
                                                "\" stroke-opacity=\"" + pixels(opacity) + '"');
  }
  const double baseline = margin + f.height + 46;
  picture.text(margin, baseline, captions.title, "caption");
  picture.text(margin, baseline + 26, captions.note, "remark");
  draw_legend(picture, margin + f.width, baseline - 14);
  return std::move(picture).finish();
}

}  // namespace tendril::app
