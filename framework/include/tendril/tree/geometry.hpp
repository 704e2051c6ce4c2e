#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "tendril/core/target.hpp"

// Points, boxes and distances in the plane. Every function here gives the same bits on both
// engines: products and sums that a compiler might fuse are written with fma, and nothing else is
// used but correctly rounded operations.

namespace tendril {

/// Types of a coordinate. Cell borders and distances are computed in double for both.
template <class T>
concept coordinate = std::same_as<T, float> || std::same_as<T, double>;

/// Row of a point in the input, or a position among the points of a tree: 0 .. num_points - 1.
using point_id = std::uint32_t;

/// No point. Never a valid id, so num_points < 2^32.
inline constexpr point_id no_point = std::numeric_limits<point_id>::max();

/// A position in the plane.
template <coordinate Real = double>
struct point {
  Real x;  ///< across
  Real y;  ///< up

  friend constexpr bool operator==(const point&, const point&) = default;  ///< -0 equals 0
};

/// low.x <= x <= high.x and low.y <= y <= high.y: closed on every side. A box whose low exceeds its
/// high on either axis holds nothing.
template <coordinate Real = double>
struct box {
  point<Real> low;   ///< lower border on each axis
  point<Real> high;  ///< upper border on each axis

  friend constexpr bool operator==(const box&, const box&) = default;  ///< corner by corner
};

namespace detail {

// Limits of a type as variables: device code may read those, but not call std::numeric_limits.
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T>
inline constexpr T largest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T lowest = std::numeric_limits<T>::lowest();

}  // namespace detail

/// The box that holds nothing and that any point extends.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline box<Real> empty_box() {
  return {{detail::infinity<Real>, detail::infinity<Real>},
          {-detail::infinity<Real>, -detail::infinity<Real>}};
}

/// Extends a box to hold another.
template <coordinate Real>
TENDRIL_HD inline void extend(box<Real>& b, const box<Real>& other) {
  b.low.x = other.low.x < b.low.x ? other.low.x : b.low.x;
  b.low.y = other.low.y < b.low.y ? other.low.y : b.low.y;
  b.high.x = other.high.x > b.high.x ? other.high.x : b.high.x;
  b.high.y = other.high.y > b.high.y ? other.high.y : b.high.y;
}

/// Extends a box to hold a point. A zero is stored as +0, whatever its sign.
template <coordinate Real>
TENDRIL_HD inline void extend(box<Real>& b, const point<Real>& p) {
  const point<Real> unsigned_zeros{p.x + Real{0}, p.y + Real{0}};
  extend(b, box<Real>{unsigned_zeros, unsigned_zeros});
}

/// True if the point lies in the box, be it on a border. A NaN lies in none.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline bool contains(const box<Real>& b, const point<Real>& p) {
  return b.low.x <= p.x && p.x <= b.high.x && b.low.y <= p.y && p.y <= b.high.y;
}

/// True if every point of `inner` lies in `outer`. @pre inner is not empty
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline bool contains(const box<Real>& outer, const box<Real>& inner) {
  return contains(outer, inner.low) && contains(outer, inner.high);
}

/// True if the boxes have a point in common, be it on a border.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline bool overlap(const box<Real>& a, const box<Real>& b) {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y;
}

/// Length of the vector (dx, dy), also where its square would overflow or vanish. Never decreases
/// when |dx| or |dy| grows, so a bound computed from a box holds for the points in it.
[[nodiscard]] TENDRIL_HD inline double length(double dx, double dy) {
  // Within these limits squares neither overflow nor lose what matters; the scale is a power of two
  // and changes no bit.
  constexpr double large = 0x1p500;
  constexpr double small = 0x1p-450;
  constexpr double scale = 0x1p600;
  const double ax = std::fabs(dx);
  const double ay = std::fabs(dy);
  const double longer = ax > ay ? ax : ay;
  if (longer > large) {
    const double sx = ax / scale;
    const double sy = ay / scale;
    return std::sqrt(std::fma(sx, sx, sy * sy)) * scale;
  }
  if (longer < small) {
    const double sx = ax * scale;
    const double sy = ay * scale;
    return std::sqrt(std::fma(sx, sx, sy * sy)) / scale;
  }
  return std::sqrt(std::fma(ax, ax, ay * ay));
}

/// Distance in the plane; see length.
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline double distance(const point<Real>& a, const point<Real>& b) {
  return length(static_cast<double>(a.x) - static_cast<double>(b.x),
                static_cast<double>(a.y) - static_cast<double>(b.y));
}

namespace detail {

/// How far x lies outside low .. high.
[[nodiscard]] TENDRIL_HD inline double outside_by(double low, double high, double x) {
  return x < low ? low - x : (x > high ? x - high : 0.0);
}

/// How far x lies from the farther of low and high.
[[nodiscard]] TENDRIL_HD inline double farther_by(double low, double high, double x) {
  const double below = std::fabs(x - low);
  const double above = std::fabs(high - x);
  return below > above ? below : above;
}

}  // namespace detail

/// No point of the box is nearer to p. 0 inside. @pre the box is not empty
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline double nearest_distance(const box<Real>& b, const point<Real>& p) {
  return length(detail::outside_by(b.low.x, b.high.x, p.x),
                detail::outside_by(b.low.y, b.high.y, p.y));
}

/// No point of the box is farther from p. @pre the box is not empty
template <coordinate Real>
[[nodiscard]] TENDRIL_HD inline double farthest_distance(const box<Real>& b, const point<Real>& p) {
  return length(detail::farther_by(b.low.x, b.high.x, p.x),
                detail::farther_by(b.low.y, b.high.y, p.y));
}

}  // namespace tendril
