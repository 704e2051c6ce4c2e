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
  /// @param rows  what each position is called
  rtree(std::span<const point<double>> positions, std::span<const point_id> rows);
  explicit rtree(const points<double>& from);
  rtree(rtree&& other) noexcept;
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
