#pragma once

#include <algorithm>
#include <string>

#include "tendril/core/error.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

// What every way of building refuses, in the same words.

namespace tendril::build {

/// @throws usage_error for options that mean nothing
void check_options(const quadtree_options& options);

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

/// @param position_of  called with the row that is refused: where that point is
/// @throws input_error naming the first row that cannot be in the tree
template <coordinate Real, class PositionOf>
void require_usable(const survey<Real>& found, const quadtree_options& options,
                    const PositionOf& position_of) {
  const auto refuse = [&](point_id row, const std::string& expected) {
    throw row_error(row,
                    "expected " + expected + ", found " + to_string(point<Real>(position_of(row))));
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

}  // namespace tendril::build
