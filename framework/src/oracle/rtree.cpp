#include "tendril/oracle/rtree.hpp"

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <utility>

namespace tendril::oracle {

namespace {

namespace geometry = boost::geometry;
using planar = geometry::model::d2::point_xy<double>;
using entry = std::pair<planar, point_id>;

planar position(const point<double>& p) {
  return {p.x, p.y};
}

}  // namespace

class rtree::index {
 public:
  explicit index(const std::vector<entry>& entries) : tree_(entries) {}

  /// Calls take(entry) for everything the predicate selects.
  template <class Predicate, class Take>
  void query(const Predicate& predicate, const Take& take) const {
    std::for_each(tree_.qbegin(predicate), tree_.qend(), take);
  }

 private:
  geometry::index::rtree<entry, geometry::index::quadratic<16>> tree_;
};

rtree::rtree(std::span<const point<double>> positions, std::span<const point_id> rows) {
  std::vector<entry> entries;
  entries.reserve(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    entries.emplace_back(position(positions[i]), rows[i]);
  }
  index_ = std::make_unique<index>(entries);
}

rtree::rtree(const points<double>& from) {
  std::vector<entry> entries;
  entries.reserve(from.num_points());
  for (point_id row = 0; row < from.num_points(); ++row) {
    entries.emplace_back(position(from[row]), row);
  }
  index_ = std::make_unique<index>(entries);
}

rtree::rtree(rtree&& other) noexcept = default;
rtree& rtree::operator=(rtree&& other) noexcept = default;
rtree::~rtree() = default;

std::vector<point_id> rtree::rows_in(const box<double>& b) const {
  std::vector<point_id> rows;
  if (b.low.x <= b.high.x && b.low.y <= b.high.y) {
    const geometry::model::box<planar> sides(position(b.low), position(b.high));
    index_->query(geometry::index::intersects(sides),
                  [&](const entry& found) { rows.push_back(found.second); });
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<double> rtree::nearest_distances(const point<double>& p, unsigned count) const {
  std::vector<double> distances;
  if (count == 0) {
    return distances;  // Boost 1.74 reads past its end
  }
  const planar from = position(p);
  index_->query(geometry::index::nearest(from, count), [&](const entry& found) {
    distances.push_back(geometry::distance(from, found.first));
  });
  std::sort(distances.begin(), distances.end());
  return distances;
}

}  // namespace tendril::oracle
