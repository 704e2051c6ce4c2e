#pragma once

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "tendril/tree/points.hpp"

// Boost.Geometry's R-tree as an oracle for queries. Its distances are squared in double: not for
// coordinates whose squares overflow or vanish.

namespace tendril::oracle {

/// An R-tree of points, packed.
class rtree {
 public:
  template <coordinate Real>
  explicit rtree(const points<Real>& from) {
    std::vector<entry> entries;
    entries.reserve(from.num_points());
    for (point_id row = 0; row < from.num_points(); ++row) {
      entries.emplace_back(position(from[row]), row);
    }
    tree_ = index(entries);
  }

  /// @param rows  what each position is called
  template <coordinate Real>
  rtree(std::span<const point<Real>> positions, std::span<const point_id> rows) {
    std::vector<entry> entries;
    entries.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      entries.emplace_back(position(positions[i]), rows[i]);
    }
    tree_ = index(entries);
  }

  /// Rows in a closed box, ascending.
  template <coordinate Real>
  [[nodiscard]] std::vector<point_id> rows_in(const box<Real>& b) const {
    std::vector<point_id> rows;
    if (b.low.x <= b.high.x && b.low.y <= b.high.y) {
      const corners sides(position(b.low), position(b.high));
      for (auto found = tree_.qbegin(boost::geometry::index::intersects(sides));
           found != tree_.qend(); ++found) {
        rows.push_back(found->second);
      }
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  /// Number of points in a closed box.
  template <coordinate Real>
  [[nodiscard]] std::size_t count_in(const box<Real>& b) const {
    const corners sides(position(b.low), position(b.high));
    return static_cast<std::size_t>(
        std::distance(tree_.qbegin(boost::geometry::index::intersects(sides)), tree_.qend()));
  }

  /// Distances of the `count` nearest points, ascending.
  template <coordinate Real>
  [[nodiscard]] std::vector<double> nearest_distances(const point<Real>& p, unsigned count) const {
    std::vector<double> distances;
    const planar from = position(p);
    for (auto found = tree_.qbegin(boost::geometry::index::nearest(from, count));
         found != tree_.qend(); ++found) {
      distances.push_back(boost::geometry::distance(from, found->first));
    }
    std::sort(distances.begin(), distances.end());
    return distances;
  }

 private:
  using planar = boost::geometry::model::d2::point_xy<double>;
  using corners = boost::geometry::model::box<planar>;
  using entry = std::pair<planar, point_id>;
  using index = boost::geometry::index::rtree<entry, boost::geometry::index::quadratic<16>>;

  template <coordinate Real>
  [[nodiscard]] static planar position(const point<Real>& p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y)};
  }

  index tree_;
};

}  // namespace tendril::oracle
