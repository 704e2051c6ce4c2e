#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/core/shared_array.hpp"
#include "tendril/core/target.hpp"
#include "tendril/tree/geometry.hpp"

namespace tendril {

/// "(0.5, 1e-300)": for messages, with the fewest digits that read back as the same numbers.
template <coordinate Real>
[[nodiscard]] std::string to_string(const point<Real>& p);

/// A row of points or bodies is not what it should be: `row 3: expected ..., found ...`.
class row_error : public input_error {
 public:
  /// @param row     counted from 0
  /// @param reason  the text without the row
  row_error(std::uint64_t row, const std::string& reason)
      : input_error("row " + std::to_string(row) + ": " + reason), row_(row), reason_(reason) {}
  /// Counted from 0.
  [[nodiscard]] std::uint64_t row() const noexcept { return row_; }
  /// `expected ..., found ...`.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::uint64_t row_;
  std::string reason_;
};

/// A number of points, once each of them can have an id.
/// @throws usage_error for 2^32 - 1 points or more
[[nodiscard]] point_id checked_point_count(std::uint64_t count);

/// A trivially copyable look at points, in the memory space of whoever made it.
template <coordinate Real = double>
struct points_view {
  const point<Real>* positions = nullptr;  ///< [num_points]
  point_id point_count = 0;                ///< what num_points() says

  /// Number of points.
  [[nodiscard]] TENDRIL_HD point_id num_points() const { return point_count; }
  /// @pre i < num_points()
  [[nodiscard]] TENDRIL_HD point<Real> operator[](point_id i) const { return positions[i]; }
};

/// Immutable points in host memory, in the order of their input: point i is row i. Copies share.
template <coordinate Real = double>
class points {
 public:
  /// No points.
  points() = default;
  /// Shares the array. @throws usage_error for 2^32 - 1 points or more
  explicit points(shared_array<point<Real>> positions);
  /// Takes the vector over. @throws usage_error for 2^32 - 1 points or more
  explicit points(std::vector<point<Real>> positions)
      : points(shared_array<point<Real>>(std::move(positions))) {}

  /// Number of points.
  [[nodiscard]] point_id num_points() const noexcept {
    return static_cast<point_id>(positions_.size());
  }
  /// @pre i < num_points()
  [[nodiscard]] const point<Real>& operator[](point_id i) const { return positions_[i]; }
  /// [num_points], host memory.
  [[nodiscard]] std::span<const point<Real>> positions() const noexcept {
    return {positions_.data(), positions_.size()};
  }

  /// Host pointers; valid as long as these points or a copy live.
  [[nodiscard]] points_view<Real> view() const noexcept {
    return {positions_.data(), num_points()};
  }

 private:
  shared_array<point<Real>> positions_;
};

}  // namespace tendril
