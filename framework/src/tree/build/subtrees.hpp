#pragma once

#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "tendril/tree/quadtree.hpp"
#include "tree/build/key_order.hpp"

// From rows in Morton order to nodes in preorder: the second half of a build.

namespace tendril::build {

/// Below this many points a subtree is one task.
inline constexpr point_id task_points = point_id{1} << 13U;

template <coordinate Real>
class subtree_grower {
 public:
  using node_list = std::vector<quadtree_node<Real>>;

  /// @param rows       [num_points], in order
  /// @param positions  [num_points], the same order
  subtree_grower(std::span<const keyed_row> rows, std::span<const point<Real>> positions,
                 const quadtree_options& options)
      : rows_(rows), positions_(positions), options_(options) {}

  /// Appends the subtree of a range of positions. @pre first < end
  void grow(point_id first, point_id end, int depth, node_list& out) const {
    const std::size_t self = out.size();
    out.push_back({empty_box<Real>(), first, end, 0, static_cast<std::uint32_t>(depth)});
    if (!is_split(first, end, depth)) {
      for (const point<Real>& p : positions_.subspan(first, end - first)) {
        extend(out[self].bounds, p);
      }
    } else {
      const auto borders = child_borders(first, end, depth);
      if (end - first >= task_points) {
        grow_in_tasks(borders, depth + 1, out);
      } else {
        for (std::size_t child = 0; child < 4; ++child) {
          if (borders[child] < borders[child + 1]) {
            grow(borders[child], borders[child + 1], depth + 1, out);
          }
        }
      }
      for (std::size_t child = self + 1; child < out.size(); child = out[child].next) {
        extend(out[self].bounds, out[child].bounds);
      }
    }
    out[self].next = static_cast<node_id>(out.size());
  }

 private:
  [[nodiscard]] bool is_split(point_id first, point_id end, int depth) const {
    // Keys are cut to max_depth: equal ones cannot be told apart by any border.
    return end - first > options_.leaf_size && depth < options_.max_depth &&
           rows_[first].key != rows_[end - 1].key;
  }

  /// Child q holds positions [q] .. [q + 1] - 1.
  [[nodiscard]] std::array<point_id, 5> child_borders(point_id first, point_id end,
                                                      int depth) const {
    const int shift = 2 * (finest_level - 1 - depth);
    std::array<point_id, 5> borders{first, end, end, end, end};
    const auto* begin = rows_.data() + first;
    for (morton_key quadrant = 1; quadrant < 4; ++quadrant) {
      begin = std::partition_point(begin, rows_.data() + end, [&](const keyed_row& row) {
        return ((row.key >> shift) & 3U) < quadrant;
      });
      borders[quadrant] = static_cast<point_id>(begin - rows_.data());
    }
    return borders;
  }

  // The first child grows in place; its siblings in lists of their own, appended in order.
  void grow_in_tasks(const std::array<point_id, 5>& borders, int depth, node_list& out) const {
    std::array<node_list, 4> lists;
    tbb::task_group tasks;
    std::size_t first_child = 0;
    while (borders[first_child] == borders[first_child + 1]) {
      ++first_child;
    }
    for (std::size_t child = first_child + 1; child < 4; ++child) {
      if (borders[child] < borders[child + 1]) {
        tasks.run([this, &borders, &lists, child, depth] {
          grow(borders[child], borders[child + 1], depth, lists[child]);
        });
      }
    }
    tasks.run_and_wait([&] { grow(borders[first_child], borders[first_child + 1], depth, out); });
    for (const node_list& list : lists) {
      const auto base = static_cast<node_id>(out.size());
      for (quadtree_node<Real> node : list) {
        node.next += base;
        out.push_back(node);
      }
    }
  }

  std::span<const keyed_row> rows_;
  std::span<const point<Real>> positions_;
  const quadtree_options& options_;
};

}  // namespace tendril::build
