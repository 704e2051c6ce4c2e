#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"

// Queries with answers as vectors of vectors, and what they should be by looking at every point.

namespace tendril::testing {

template <class Lists, class Value>
std::vector<std::vector<Value>> lists_of(const Lists& offsets, const Value* values) {
  std::vector<std::vector<Value>> lists;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) {
    lists.emplace_back(values + offsets.data()[q], values + offsets.data()[q + 1]);
  }
  return lists;
}

template <coordinate Real, class Shape>
std::vector<std::vector<point_id>> reported(host_engine& engine, const quadtree<Real>& tree,
                                            const std::vector<Shape>& shapes,
                                            query_order order = query_order::morton) {
  const auto found = report_in(engine, tree, std::span<const Shape>(shapes), order);
  return lists_of(found.offsets, found.rows.data());
}

template <coordinate Real>
std::vector<std::vector<neighbour>> nearest_of(host_engine& engine, const quadtree<Real>& tree,
                                               const std::vector<point<Real>>& positions,
                                               std::int64_t count,
                                               const nearest_options& options = {}) {
  const auto found =
      find_nearest(engine, tree, std::span<const point<Real>>(positions), count, options);
  return lists_of(found.offsets, found.found.data());
}

/// Rows that lie in a closed box, by definition.
template <coordinate Real>
std::vector<point_id> rows_in(const points<Real>& set, const box<Real>& b) {
  std::vector<point_id> rows;
  for (point_id row = 0; row < set.num_points(); ++row) {
    const point<Real> p = set[row];
    if (p.x >= b.low.x && p.x <= b.high.x && p.y >= b.low.y && p.y <= b.high.y) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// The C library's distance, good to an ulp over the whole range of doubles.
template <coordinate Real>
double true_distance(const point<Real>& a, const point<Real>& b) {
  return std::hypot(static_cast<double>(a.x) - static_cast<double>(b.x),
                    static_cast<double>(a.y) - static_cast<double>(b.y));
}

}  // namespace tendril::testing
