#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "tendril/tree/points.hpp"

namespace tendril::oracle {

/// What all other bodies do to one.
struct direct_pull {
  point<double> acceleration;  ///< G = 1
  double sum_of_sizes;         ///< of each body's part, which may cancel in the acceleration
};

/// The sum over all other bodies, in long double and in the order of the rows.
[[nodiscard]] inline direct_pull pull_on(const points<double>& bodies,
                                         std::span<const double> masses, point_id row,
                                         double softening) {
  long double x = 0;
  long double y = 0;
  long double sizes = 0;
  for (point_id other = 0; other < bodies.num_points(); ++other) {
    const long double dx = static_cast<long double>(bodies[other].x) - bodies[row].x;
    const long double dy = static_cast<long double>(bodies[other].y) - bodies[row].y;
    const long double square = dx * dx + dy * dy + static_cast<long double>(softening) * softening;
    if (other != row && square > 0) {
      const long double force = masses[other] / (square * std::sqrt(square));
      x += force * dx;
      y += force * dy;
      sizes += force * std::hypot(dx, dy);
    }
  }
  return {{static_cast<double>(x), static_cast<double>(y)}, static_cast<double>(sizes)};
}

}  // namespace tendril::oracle
