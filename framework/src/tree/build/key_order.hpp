#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "tendril/core/error.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

// From rows of points to rows in Morton order: the first half of a build.

namespace tendril::build {

/// A row and the key that orders it.
struct keyed_row {
  morton_key key;
  point_id row;

  friend bool operator<(const keyed_row& a, const keyed_row& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

inline constexpr std::size_t row_grain = std::size_t{1} << 13U;

/// What has to be known of the points before they get keys.
template <coordinate Real>
struct survey {
  box<Real> bounds = empty_box<Real>();
  point_id first_bad = no_point;      ///< the first row that is not finite
  point_id first_outside = no_point;  ///< the first row outside the asked bounds
  point_id num_outside = 0;

  void join(const survey& other) {
    extend(bounds, other.bounds);
    first_bad = std::min(first_bad, other.first_bad);
    first_outside = std::min(first_outside, other.first_outside);
    num_outside += other.num_outside;
  }
};

template <coordinate Real>
[[nodiscard]] bool is_outside(const quadtree_options& options, const point<Real>& p) {
  return options.bounds && !contains(*options.bounds, point<double>{static_cast<double>(p.x),
                                                                    static_cast<double>(p.y)});
}

template <coordinate Real>
[[nodiscard]] survey<Real> survey_points(std::span<const point<Real>> from,
                                         const quadtree_options& options) {
  const tbb::blocked_range<std::size_t> all(0, from.size(), row_grain);
  return tbb::parallel_reduce(
      all, survey<Real>{},
      [&](const auto& range, survey<Real> found) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          const point<Real>& p = from[i];
          const auto row = static_cast<point_id>(i);
          if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
            found.first_bad = std::min(found.first_bad, row);
          } else if (is_outside(options, p)) {
            found.first_outside = std::min(found.first_outside, row);
            ++found.num_outside;
          } else {
            extend(found.bounds, p);
          }
        }
        return found;
      },
      [](survey<Real> a, const survey<Real>& b) {
        a.join(b);
        return a;
      });
}

/// @throws input_error naming the first row that cannot be in the tree
template <coordinate Real>
void require_usable(std::span<const point<Real>> from, const survey<Real>& found,
                    const quadtree_options& options) {
  const auto refuse = [&](point_id row, const std::string& expected) {
    throw input_error("row " + std::to_string(row) + ": expected " + expected + ", found " +
                      to_string(from[row]));
  };
  if (found.first_bad != no_point) {
    refuse(found.first_bad, "finite coordinates");
  }
  if (found.first_outside != no_point &&
      options.outside == quadtree_options::outside_points::refuse) {
    const box<double>& b = *options.bounds;
    refuse(found.first_outside, "a point in " + to_string(b.low) + " .. " + to_string(b.high));
  }
}

/// The rows inside the bounds, in the order of the tree's positions.
template <coordinate Real>
[[nodiscard]] page_vector<keyed_row> rows_in_order(std::span<const point<Real>> from,
                                                   const survey<Real>& found,
                                                   const cell_grid& cells,
                                                   const quadtree_options& options) {
  page_vector<keyed_row> rows(from.size());
  // Keys of rows outside are larger than any key; those rows are cut off after sorting.
  constexpr morton_key outside_key = ~morton_key{0};
  const int unused_bits = 2 * (finest_level - options.max_depth);
  parallel::for_each(from.size(), [&](std::size_t i) {
    const morton_key key = is_outside(options, from[i])
                               ? outside_key
                               : (cells.key(from[i]) >> unused_bits) << unused_bits;
    rows[i] = {key, static_cast<point_id>(i)};
  });
  tbb::parallel_sort(rows.begin(), rows.end());
  rows.resize(from.size() - found.num_outside);
  return rows;
}

}  // namespace tendril::build
