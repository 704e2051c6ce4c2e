#pragma once

#include <cstdint>
#include <limits>

#include "tendril/core/target.hpp"
#include "tendril/tree/geometry.hpp"
#include "tendril/tree/traverse_tree.hpp"

// The k nearest points, in the memory of the answer: while a query runs it is a heap with the
// farthest neighbour first, in the end it is sorted.

namespace tendril {

/// A point and how far away it is. Nearer comes first, of equally near ones the lower row.
struct neighbour {
  double distance;  ///< 0 or more
  point_id row;     ///< of the point

  friend constexpr bool operator==(const neighbour&, const neighbour&) = default;  ///< memberwise
};

namespace detail {

[[nodiscard]] TENDRIL_HD inline bool is_before(const neighbour& a, const neighbour& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
}

/// A binary heap in borrowed memory, the last neighbour on top.
struct neighbour_heap {
  neighbour* entries;
  std::uint64_t capacity;
  std::uint64_t size;

  [[nodiscard]] TENDRIL_HD bool is_full() const { return size == capacity; }
  [[nodiscard]] TENDRIL_HD const neighbour& top() const { return entries[0]; }

  /// @pre not full
  TENDRIL_HD void push(const neighbour& n) {
    std::uint64_t at = size++;
    for (; at > 0 && is_before(entries[(at - 1) / 2], n); at = (at - 1) / 2) {
      entries[at] = entries[(at - 1) / 2];
    }
    entries[at] = n;
  }

  /// Puts n in the place of the top. @pre not empty
  TENDRIL_HD void replace_top(const neighbour& n) { sink(n, size); }

  /// Ends the heap: its entries in ascending order.
  TENDRIL_HD void sort() {
    for (std::uint64_t last = size; last > 1; --last) {
      const neighbour farthest = entries[0];
      sink(entries[last - 1], last - 1);
      entries[last - 1] = farthest;
    }
  }

 private:
  /// Puts n on top of the first `count` entries and lets it sink.
  TENDRIL_HD void sink(const neighbour& n, std::uint64_t count) {
    std::uint64_t at = 0;
    for (std::uint64_t child = 1; child < count; child = 2 * at + 1) {
      child += child + 1 < count && is_before(entries[child], entries[child + 1]) ? 1U : 0U;
      if (!is_before(n, entries[child])) {
        break;
      }
      entries[at] = entries[child];
      at = child;
    }
    entries[at] = n;
  }
};

}  // namespace detail

/// Finds for query q the nearest points, offsets[q + 1] - offsets[q] of them, none farther than
/// radius. There must be as many.
template <coordinate Real>
struct nearest_visitor {
  const point<Real>* positions;  ///< [num_queries], in the engine's memory, as all of these
  double radius;                 ///< may be infinite
  const std::uint64_t* offsets;  ///< [num_queries + 1]
  neighbour* found;              ///< [offsets[num_queries]]
  quadtree_view<Real> tree;      ///< the one that is walked

  /// One position on its way down the tree.
  struct walker {
    point<Real> position;            ///< of the query
    double radius;                   ///< the visitor's
    detail::neighbour_heap nearest;  ///< in the memory of the answer
    const point_id* tree_rows;       ///< the tree's

    /// No point below the node is nearer.
    [[nodiscard]] TENDRIL_HD double distance_to(const quadtree_node<Real>& node) const {
      return nearest_distance(node.bounds, position);
    }
    /// Skips what is too far; takes identical points.
    TENDRIL_HD tree_step enter(const quadtree_node<Real>& node) const {
      // A node exactly as far as the farthest neighbour may hold a lower row at that distance.
      if (nearest.capacity == 0 || distance_to(node) > reach()) {
        return tree_step::skip;
      }
      return node.bounds.low == node.bounds.high ? tree_step::take : tree_step::descend;
    }
    /// Identical points, by ascending row: after one that is too far the others are too.
    TENDRIL_HD bool take(const quadtree_node<Real>& node) {
      const double far = distance(position, node.bounds.low);
      for (point_id i = node.first; i < node.end && add({far, tree_rows[i]}); ++i) {
      }
      return true;
    }
    /// Keeps the point if it is among the nearest so far.
    TENDRIL_HD bool visit(const point<Real>& p, point_id row) {
      add({distance(position, p), row});
      return true;
    }

   private:
    [[nodiscard]] TENDRIL_HD double reach() const {
      return nearest.is_full() ? nearest.top().distance : radius;
    }
    /// False if it is none of the nearest.
    TENDRIL_HD bool add(const neighbour& n) {
      if (!nearest.is_full()) {
        if (!(n.distance <= radius)) {
          return false;
        }
        nearest.push(n);
        return true;
      }
      if (!detail::is_before(n, nearest.top())) {
        return false;
      }
      nearest.replace_top(n);
      return true;
    }
  };

  /// The walker of position `query`.
  [[nodiscard]] TENDRIL_HD walker begin(std::uint32_t query) const {
    return {positions[query],
            radius,
            {found + offsets[query], offsets[query + 1] - offsets[query], 0},
            tree.rows};
  }
  /// Sorts the answer: nearest first.
  TENDRIL_HD void end(std::uint32_t /*query*/, const walker& w) const {
    detail::neighbour_heap complete = w.nearest;
    complete.sort();
  }
};

}  // namespace tendril
