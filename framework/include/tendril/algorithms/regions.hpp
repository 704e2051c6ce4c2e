#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "tendril/core/atomics.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/range_visitors.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Which region each point of a tree lies in.

namespace tendril {

/// No region.
inline constexpr std::uint32_t no_region = std::numeric_limits<std::uint32_t>::max();

/// A polygon as a shape: its corners in order, either way round, the last joined to the first.
/// Where it overlaps itself the even-odd rule holds. A point on a left or lower side is in, on a
/// right or upper side out, so polygons that share a side share no point.
template <coordinate Real>
struct polygon {
  const point<Real>* corners;  ///< [num_corners], in the engine's memory
  std::uint32_t num_corners;   ///< 0: holds nothing

  /// By the number of sides to the right of p. @cost O(num_corners)
  [[nodiscard]] TENDRIL_HD bool contains(const point<Real>& p, point_id /*row*/) const {
    bool is_in = false;
    for (std::uint32_t i = 0; i < num_corners; ++i) {
      const point<Real> a = corners[i];
      const point<Real> b = corners[i + 1 == num_corners ? 0 : i + 1];
      if ((a.y > p.y) != (b.y > p.y)) {
        is_in = is_in != (static_cast<double>(p.x) < crossing(a, b, static_cast<double>(p.y)));
      }
    }
    return is_in;
  }
  /// Certain where no side's own box meets b. @cost O(num_corners)
  [[nodiscard]] TENDRIL_HD tree_step relation(const box<Real>& b) const {
    for (std::uint32_t i = 0; i < num_corners; ++i) {
      box<Real> side = empty_box<Real>();
      extend(side, corners[i]);
      extend(side, corners[i + 1 == num_corners ? 0 : i + 1]);
      if (overlap(side, b)) {
        return tree_step::descend;
      }
    }
    // No side comes near: any point of the box speaks for all.
    return contains(b.low, no_point) ? tree_step::take : tree_step::skip;
  }
  /// Its first corner.
  [[nodiscard]] TENDRIL_HD point<Real> position() const {
    return num_corners == 0 ? point<Real>{0, 0} : corners[0];
  }

 private:
  /// What to multiply two numbers by, so that their difference has a double: 1, rarely 1/2.
  [[nodiscard]] TENDRIL_HD static double scale_of(double a, double b) {
    const double difference = b - a;
    return detail::lowest<double> <= difference && difference <= detail::largest<double> ? 1 : 0.5;
  }
  /// Where the side meets the horizontal line at y, never outside the side's own extent; the same
  /// from either of its ends, which are not at one height.
  [[nodiscard]] TENDRIL_HD static double crossing(const point<Real>& one, const point<Real>& other,
                                                  double y) {
    const point<Real>& a = one.y < other.y ? one : other;
    const point<Real>& b = one.y < other.y ? other : one;
    const auto ax = static_cast<double>(a.x);
    const auto ay = static_cast<double>(a.y);
    const auto bx = static_cast<double>(b.x);
    const auto by = static_cast<double>(b.y);
    const double v = scale_of(ay, by);
    const double h = scale_of(ax, bx);
    const double along = (v * y - v * ay) / (v * by - v * ay);
    const double x = std::fma(along, h * bx - h * ax, h * ax) / h;
    const double least = ax < bx ? ax : bx;
    const double most = ax < bx ? bx : ax;
    return x < least ? least : (x > most ? most : x);
  }
};

/// Lowers region[row] to q for every point in shape q.
template <coordinate Real, class Shape>
struct region_visitor {
  const Shape* shapes;        ///< [num_queries], in the engine's memory
  std::uint32_t* region;      ///< [rows], no_region at first
  const point_id* tree_rows;  ///< the tree's own

  /// One shape on its way down the tree.
  struct walker {
    Shape shape;                ///< of the query
    std::uint32_t query;        ///< its number
    std::uint32_t* region;      ///< the visitor's
    const point_id* tree_rows;  ///< the visitor's

    /// What the shape says of the node's bounds.
    TENDRIL_HD tree_step enter(const quadtree_node<Real>& node) const {
      return shape.relation(node.bounds);
    }
    /// Lowers the region of every point below.
    TENDRIL_HD bool take(const quadtree_node<Real>& node) {
      for (point_id i = node.first; i < node.end; ++i) {
        lower(region[tree_rows[i]], query);
      }
      return true;
    }
    /// Lowers the region of a point in the shape.
    TENDRIL_HD bool visit(const point<Real>& p, point_id row) {
      if (shape.contains(p, row)) {
        lower(region[row], query);
      }
      return true;
    }
  };

  /// The walker of shape `query`.
  [[nodiscard]] TENDRIL_HD walker begin(std::uint32_t query) const {
    return {shapes[query], query, region, tree_rows};
  }
  /// Nothing is left to store.
  TENDRIL_HD void end(std::uint32_t /*query*/, const walker& /*w*/) const {}
};

/// Assigns each point to the lowest-numbered region that holds it.
/// @param engine    the one whose memory holds the tree
/// @param tree      what build_quadtree() made for that engine
/// @param num_rows  of the input that the tree was built from
/// @param regions   rectangles, circles, polygons or own shapes; in the engine's memory
/// @return          [num_rows], in the engine's memory; no_region where none holds the row
/// @throws usage_error for 2^32 regions or more; resource_error
/// @sync   none on a GPU: the regions are there when the engine's stream is done
/// @cost   a walk for each region
template <class Engine, class Tree, class Shape>
[[nodiscard]] auto assign_regions(Engine& engine, const Tree& tree, point_id num_rows,
                                  std::span<const Shape> regions) {
  using real = typename Tree::coordinate_type;
  auto region = engine.array(num_rows, no_region);
  traverse_tree(engine, tree, query_count(regions.size()), static_cast<const point<real>*>(nullptr),
                region_visitor<real, Shape>{regions.data(), region.data(), tree.view().rows},
                query_order::as_given);
  return region;
}

}  // namespace tendril
