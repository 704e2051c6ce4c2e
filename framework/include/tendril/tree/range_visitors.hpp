#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/tree/geometry.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Which points lie in a shape: the visitors that count and report them. A shape is a small
// trivially copyable struct with
//     bool contains(const point<Real>& p, point_id row) const;
//     tree_step relation(const box<Real>& b) const;  skip: no point of b is in the shape; take: all
//                                                    are; descend: neither is certain
//     point<Real> position() const;                  where it is, roughly: for the order of queries
// The relation must agree with contains for every point in b, rounding included.

namespace tendril {

/// A closed disc: points at most `radius` from the centre. A negative radius holds nothing.
template <coordinate Real>
struct circle {
  point<Real> centre;  ///< of the disc
  double radius;       ///< at which points are still in

  /// By the distance: the same answer on both engines.
  [[nodiscard]] TENDRIL_HD bool contains(const point<Real>& p, point_id /*row*/) const {
    return distance(centre, p) <= radius;
  }
  /// By the nearest and the farthest point of the box.
  [[nodiscard]] TENDRIL_HD tree_step relation(const box<Real>& b) const {
    if (!(nearest_distance(b, centre) <= radius)) {
      return tree_step::skip;
    }
    return farthest_distance(b, centre) <= radius ? tree_step::take : tree_step::descend;
  }
  /// Its centre.
  [[nodiscard]] TENDRIL_HD point<Real> position() const { return centre; }
};

/// A box as a shape: closed on every side.
template <coordinate Real>
struct rectangle {
  box<Real> sides;  ///< inverted ones hold nothing

  /// As tendril::contains.
  [[nodiscard]] TENDRIL_HD bool contains(const point<Real>& p, point_id /*row*/) const {
    return tendril::contains(sides, p);
  }
  /// By the two boxes.
  [[nodiscard]] TENDRIL_HD tree_step relation(const box<Real>& b) const {
    if (!overlap(sides, b)) {
      return tree_step::skip;
    }
    return tendril::contains(sides, b) ? tree_step::take : tree_step::descend;
  }
  /// Its middle.
  [[nodiscard]] TENDRIL_HD point<Real> position() const {
    return {sides.low.x / 2 + sides.high.x / 2, sides.low.y / 2 + sides.high.y / 2};
  }
};

/// Counts the points in shape q, up to a limit, into counts[q].
template <coordinate Real, class Shape>
struct count_visitor {
  const Shape* shapes;    ///< [num_queries], in the engine's memory
  point_id limit;         ///< a query that has found as many stops
  std::uint64_t* counts;  ///< [num_queries]

  /// One shape on its way down the tree.
  struct walker {
    Shape shape;     ///< of the query
    point_id limit;  ///< the visitor's
    point_id count;  ///< so far

    /// What the shape says of the node's bounds.
    TENDRIL_HD tree_step enter(const quadtree_node<Real>& node) const {
      return shape.relation(node.bounds);
    }
    /// Counts every point below. @return false at the limit
    TENDRIL_HD bool take(const quadtree_node<Real>& node) { return add(node.num_points()); }
    /// Counts a point in the shape. @return false at the limit
    TENDRIL_HD bool visit(const point<Real>& p, point_id row) {
      return add(shape.contains(p, row) ? 1 : 0);
    }

   private:
    TENDRIL_HD bool add(point_id found) {
      count = found < limit - count ? count + found : limit;
      return count < limit;
    }
  };

  /// The walker of shape `query`.
  [[nodiscard]] TENDRIL_HD walker begin(std::uint32_t query) const {
    return {shapes[query], limit, 0};
  }
  /// Stores the count.
  TENDRIL_HD void end(std::uint32_t query, const walker& w) const { counts[query] = w.count; }
};

/// Writes the rows of the points in shape q from rows[offsets[q]] on, in the tree's order.
template <coordinate Real, class Shape>
struct report_visitor {
  const Shape* shapes;           ///< [num_queries], in the engine's memory, as all of these
  const std::uint64_t* offsets;  ///< [num_queries], from the counts
  point_id* rows;                ///< [sum of the counts]
  const point_id* tree_rows;     ///< the tree's own

  /// One shape on its way down the tree.
  struct walker {
    Shape shape;                ///< of the query
    point_id* next;             ///< where the next row goes
    const point_id* tree_rows;  ///< the visitor's

    /// What the shape says of the node's bounds.
    TENDRIL_HD tree_step enter(const quadtree_node<Real>& node) const {
      return shape.relation(node.bounds);
    }
    /// Writes the row of every point below.
    TENDRIL_HD bool take(const quadtree_node<Real>& node) {
      for (point_id i = node.first; i < node.end; ++i) {
        *next++ = tree_rows[i];
      }
      return true;
    }
    /// Writes the row of a point in the shape.
    TENDRIL_HD bool visit(const point<Real>& p, point_id row) {
      if (shape.contains(p, row)) {
        *next++ = row;
      }
      return true;
    }
  };

  /// The walker of shape `query`.
  [[nodiscard]] TENDRIL_HD walker begin(std::uint32_t query) const {
    return {shapes[query], rows + offsets[query], tree_rows};
  }
  /// Nothing is left to store.
  TENDRIL_HD void end(std::uint32_t /*query*/, const walker& /*w*/) const {}
};

}  // namespace tendril
