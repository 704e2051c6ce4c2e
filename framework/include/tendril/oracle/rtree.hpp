#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tendril/tree/geometry.hpp"
#include "tendril/tree/points.hpp"

// Boost.Geometry's R-tree as an oracle for queries. Its distances are squared in double: not for
// coordinates whose squares overflow or vanish.

namespace tendril::oracle {

/// An R-tree of points, packed.
class rtree {
 public:
  /// Holds copies.
  /// @param positions  [rows.size()], host memory
  /// @param rows       what each position is called
  rtree(std::span<const point<double>> positions, std::span<const point_id> rows);
  /// Of points whose row is their number.
  explicit rtree(const points<double>& from);
  /// The other is left without an index.
  rtree(rtree&& other) noexcept;
  /// The other is left without an index.
  rtree& operator=(rtree&& other) noexcept;
  ~rtree();

  /// Rows in a closed box, ascending.
  [[nodiscard]] std::vector<point_id> rows_in(const box<double>& b) const;

  /// Distances of the `count` nearest points, ascending.
  [[nodiscard]] std::vector<double> nearest_distances(const point<double>& p, unsigned count) const;

 private:
  class index;
  std::unique_ptr<index> index_;
};

}  // namespace tendril::oracle
