#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "tendril/tree/points.hpp"

namespace tendril::oracle {

/// Acceleration of one body by the sum over all others, in long double and in the order of the
/// rows.
[[nodiscard]] inline point<double> direct_acceleration(const points<double>& bodies,
                                                       std::span<const double> masses, point_id row,
                                                       double softening) {
  long double x = 0;
  long double y = 0;
  for (point_id other = 0; other < bodies.num_points(); ++other) {
    const long double dx = static_cast<long double>(bodies[other].x) - bodies[row].x;
    const long double dy = static_cast<long double>(bodies[other].y) - bodies[row].y;
    const long double square = dx * dx + dy * dy + static_cast<long double>(softening) * softening;
    if (other != row && square > 0) {
      const long double force = masses[other] / (square * std::sqrt(square));
      x += force * dx;
      y += force * dy;
    }
  }
  return {static_cast<double>(x), static_cast<double>(y)};
}

}  // namespace tendril::oracle
