#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "tendril/core/shared_array.hpp"
#include "tendril/core/target.hpp"
#include "tendril/tree/cells.hpp"
#include "tendril/tree/geometry.hpp"

// A quadtree over points: `quadtree` owns host memory, `quadtree_view` is what queries read, in
// either memory space.
//
// Points lie in the order of their Morton keys at the tree's largest depth, equal keys by row. So
// every cell's points are contiguous, and a node is a range of positions. Only cells that hold
// points are nodes. Nodes lie in preorder, children by quadrant: a node's first child follows it,
// and `next` is the node that follows its subtree, which for a child is its next sibling or the
// end of its parent. Walking a tree needs no stack: descend to n + 1, or skip to next.
//
// The arrays depend on the points and the options only: not on the engine, the number of threads or
// the way of building.

namespace tendril {

/// Identity of a node: 0 is the root.
using node_id = std::uint32_t;

/// What a build is asked for.
struct quadtree_options {
  /// A node of more points is split, unless it is at max_depth or no cell border of that depth
  /// separates its points.
  std::uint32_t leaf_size = 32;
  /// Levels below the root: 0 .. 31.
  int max_depth = finest_level;
  /// The root's cell, closed on every side. Not given: the smallest square that starts at the low
  /// corner of the points' bounding box and covers it.
  std::optional<box<double>> bounds = std::nullopt;
  /// Points outside given bounds: refused with the first row named, or left out of the tree.
  enum class outside_points : std::uint8_t { refuse, clip };
  outside_points outside = outside_points::refuse;  ///< refused or left out
};

/// One node, 32 bytes with float and 48 with double.
template <coordinate Real>
struct quadtree_node {
  box<Real> bounds;     ///< the smallest box of its points
  point_id first;       ///< its points are at positions first .. end - 1: never empty
  point_id end;         ///< behind the last of them
  node_id next;         ///< the node after its subtree in preorder
  std::uint32_t depth;  ///< 0 for the root

  /// Points below it, 1 at least.
  [[nodiscard]] TENDRIL_HD point_id num_points() const { return end - first; }

  /// Memberwise.
  friend constexpr bool operator==(const quadtree_node&, const quadtree_node&) = default;
};

/// A trivially copyable look at a tree. Pointers are in the memory space of whoever made it.
template <coordinate Real = double>
struct quadtree_view {
  const quadtree_node<Real>* nodes = nullptr;  ///< [num_nodes], preorder
  const point<Real>* positions = nullptr;      ///< [num_points], Morton order
  const point_id* rows = nullptr;  ///< [num_points], which row of the input each position holds
  node_id node_count = 0;          ///< what num_nodes() says
  point_id point_count = 0;        ///< what num_points() says
  cell_grid cells;                 ///< where the cells lie
  std::uint32_t leaf_size = 0;     ///< see quadtree_options
  int max_depth = 0;               ///< see quadtree_options

  /// Number of nodes; 0 without points.
  [[nodiscard]] TENDRIL_HD node_id num_nodes() const { return node_count; }
  /// Number of points in the tree: without those that were clipped.
  [[nodiscard]] TENDRIL_HD point_id num_points() const { return point_count; }
  /// @pre n < num_nodes()
  [[nodiscard]] TENDRIL_HD const quadtree_node<Real>& node(node_id n) const { return nodes[n]; }
  /// Whether its points are in no smaller nodes.
  [[nodiscard]] TENDRIL_HD bool is_leaf(node_id n) const { return nodes[n].next == n + 1; }
  /// @pre not a leaf. Its siblings: node(child).next, up to but not node(n).next
  [[nodiscard]] TENDRIL_HD node_id first_child(node_id n) const { return n + 1; }
  /// Borders of the node's cell; see cell_grid::borders.
  [[nodiscard]] TENDRIL_HD box<double> cell(node_id n) const {
    return cells.borders(cells.key(positions[nodes[n].first]), static_cast<int>(nodes[n].depth));
  }
};

/// An immutable tree in host memory. Copies share the arrays. Without points it has no node.
template <coordinate Real = double>
class quadtree {
 public:
  using coordinate_type = Real;  ///< float or double

  quadtree() = default;
  /// Takes arrays over as they are; build_quadtree is the way to make a tree of points.
  /// @throws usage_error if there are not as many positions as rows, or nodes without points
  quadtree(shared_array<quadtree_node<Real>> nodes, shared_array<point<Real>> positions,
           shared_array<point_id> rows, const cell_grid& cells, const quadtree_options& options);

  /// Number of nodes; 0 without points.
  [[nodiscard]] node_id num_nodes() const noexcept { return static_cast<node_id>(nodes_.size()); }
  /// Number of points in the tree: without those that were clipped.
  [[nodiscard]] point_id num_points() const noexcept {
    return static_cast<point_id>(positions_.size());
  }
  /// [num_nodes], preorder.
  [[nodiscard]] const shared_array<quadtree_node<Real>>& nodes() const noexcept { return nodes_; }
  /// [num_points], Morton order.
  [[nodiscard]] const shared_array<point<Real>>& positions() const noexcept { return positions_; }
  /// [num_points], the row of each position.
  [[nodiscard]] const shared_array<point_id>& rows() const noexcept { return rows_; }
  /// Where the cells lie.
  [[nodiscard]] const cell_grid& cells() const noexcept { return cells_; }
  /// What the build was asked for.
  [[nodiscard]] const quadtree_options& options() const noexcept { return options_; }

  /// Host pointers; valid as long as this tree or a copy lives.
  [[nodiscard]] quadtree_view<Real> view() const noexcept {
    return {nodes_.data(), positions_.data(),  rows_.data(),      num_nodes(), num_points(),
            cells_,        options_.leaf_size, options_.max_depth};
  }

 private:
  shared_array<quadtree_node<Real>> nodes_;
  shared_array<point<Real>> positions_;
  shared_array<point_id> rows_;
  cell_grid cells_;
  quadtree_options options_;
};

}  // namespace tendril
