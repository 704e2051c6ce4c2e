#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tree/build/checks.hpp"

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
