#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/tree/quadtree.hpp"

// One query's way down a tree, the same code on both engines. A walker holds the query and what it
// has found so far; see tree/traverse_tree.hpp for its members.

namespace tendril {

/// What a walker answers when it comes to a node.
enum class tree_step : std::uint8_t {
  skip,     ///< nothing below matters
  descend,  ///< look at the children, or at the points of a leaf
  take      ///< everything below counts; walker.take(node) has it
};

namespace detail {

template <class W, class Real>
concept walks_nearest_first = requires(const W& w, const quadtree_node<Real>& node) {
  { w.distance_to(node) } -> std::same_as<double>;
};

/// Shows the walker the points of a leaf; false if it has seen enough.
template <coordinate Real, class Walker>
[[nodiscard]] TENDRIL_HD bool visit_points(const quadtree_view<Real>& tree,
                                           const quadtree_node<Real>& leaf, Walker& walker) {
  for (point_id i = leaf.first; i < leaf.end; ++i) {
    if (!walker.visit(tree.positions[i], tree.rows[i])) {
      return false;
    }
  }
  return true;
}

/// Preorder, without a stack.
template <coordinate Real, class Walker>
TENDRIL_HD void walk_in_order(const quadtree_view<Real>& tree, Walker& walker) {
  for (node_id n = 0; n < tree.num_nodes();) {
    const quadtree_node<Real>& node = tree.node(n);
    switch (walker.enter(node)) {
      case tree_step::skip:
        n = node.next;
        break;
      case tree_step::take:
        if (!walker.take(node)) {
          return;
        }
        n = node.next;
        break;
      case tree_step::descend:
        if (tree.is_leaf(n) && !visit_points(tree, node, walker)) {
          return;
        }
        ++n;
        break;
    }
  }
}

/// Nodes that wait for their turn in a nearest-first walk: at most three siblings for each level.
struct waiting_nodes {
  struct entry {
    double distance;
    node_id node;
  };
  entry entries[3 * finest_level + 4];
  int size = 0;

  /// Adds a node to the ones above `base`, which stay sorted with the nearest on top; of equal
  /// distances the later one lies deeper.
  TENDRIL_HD void insert(int base, const entry& e) {
    int at = size++;
    for (; at > base && entries[at - 1].distance <= e.distance; --at) {
      entries[at] = entries[at - 1];
    }
    entries[at] = e;
  }
};

/// Of a node's children the nearest first, in preorder where they are equally near.
template <coordinate Real, class Walker>
TENDRIL_HD void walk_nearest_first(const quadtree_view<Real>& tree, Walker& walker) {
  waiting_nodes waiting;
  if (tree.num_nodes() > 0) {
    waiting.insert(0, {0, 0});
  }
  while (waiting.size > 0) {
    const node_id n = waiting.entries[--waiting.size].node;
    const quadtree_node<Real>& node = tree.node(n);
    switch (walker.enter(node)) {
      case tree_step::skip:
        break;
      case tree_step::take:
        if (!walker.take(node)) {
          return;
        }
        break;
      case tree_step::descend:
        if (tree.is_leaf(n)) {
          if (!visit_points(tree, node, walker)) {
            return;
          }
        } else {
          const int base = waiting.size;
          for (node_id child = tree.first_child(n); child != node.next;
               child = tree.node(child).next) {
            waiting.insert(base, {walker.distance_to(tree.node(child)), child});
          }
        }
        break;
    }
  }
}

}  // namespace detail

/// Walks one walker down the tree.
template <coordinate Real, class Walker>
TENDRIL_HD void walk_tree(const quadtree_view<Real>& tree, Walker& walker) {
  if constexpr (detail::walks_nearest_first<Walker, Real>) {
    detail::walk_nearest_first(tree, walker);
  } else {
    detail::walk_in_order(tree, walker);
  }
}

}  // namespace tendril
