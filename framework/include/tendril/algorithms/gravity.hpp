#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Gravity in the plane, G = 1: body i feels sum over j of m_j d / (|d|^2 + softening^2)^1.5, with d
// from i to j. Two bodies at one place do not pull each other; nor do any two whose squared
// distance vanishes in double.

namespace tendril {

/// How forces are approximated.
struct gravity_options {
  /// A node is taken as one body where its side is less than theta times its distance and the body
  /// lies outside its bounds. 0: never, which is the direct sum.
  double theta = 0.5;
  double softening = 0;  ///< a length; 0: none
};

/// A body as others feel it.
struct attractor {
  double x;     ///< position
  double y;     ///< position
  double mass;  ///< 0 or more
};

/// What the bodies do to one of them.
struct pull {
  point<double> acceleration{0, 0};  ///< G = 1
  double potential = 0;              ///< energy per unit of its own mass; 0 at infinity

  /// Adds a body's part.
  /// @param at                 where the body is that feels it
  /// @param body               the one that is felt
  /// @param squared_softening  also keeps bodies at one place from dividing by zero
  TENDRIL_HD void add(const point<double>& at, const attractor& body, double squared_softening) {
    const double dx = body.x - at.x;
    const double dy = body.y - at.y;
    const double square = std::fma(dx, dx, std::fma(dy, dy, squared_softening));
    if (square == 0) {
      return;
    }
    const double inverse = 1 / std::sqrt(square);
    // Not the inverse's third power, which is infinite where the pull is not.
    const double size = body.mass * inverse * inverse;
    acceleration.x = std::fma(size, dx * inverse, acceleration.x);
    acceleration.y = std::fma(size, dy * inverse, acceleration.y);
    potential = std::fma(-body.mass, inverse, potential);
  }
};

/// Barnes-Hut: query q is the body at position q of the tree.
/// @source Barnes and Hut 1986; nodes are measured by the box of their points, not by their cell
template <coordinate Real>
struct gravity_visitor {
  quadtree_view<Real> tree;  ///< in the engine's memory
  const attractor* nodes;    ///< [num_nodes], each node's mass at its centre
  const Real* masses;        ///< [rows], none negative
  double theta;              ///< see gravity_options
  double squared_softening;  ///< a length, squared
  pull* pulls;               ///< [rows], written when a query ends

  /// One body on its way down the tree.
  struct walker {
    const gravity_visitor* from;  ///< outlives the walker
    point<double> at;             ///< where the body is
    point_id row;                 ///< its row
    pull sum;                     ///< of what it met so far

    /// Takes a node that is small for its distance.
    TENDRIL_HD tree_step enter(const quadtree_node<Real>& node) const {
      const attractor& whole = attractor_of(node);
      const double dx = whole.x - at.x;
      const double dy = whole.y - at.y;
      const double away = std::sqrt(std::fma(dx, dx, dy * dy));
      const auto width =
          static_cast<double>(node.bounds.high.x) - static_cast<double>(node.bounds.low.x);
      const auto height =
          static_cast<double>(node.bounds.high.y) - static_cast<double>(node.bounds.low.y);
      const double side = width > height ? width : height;
      const point<Real> here{static_cast<Real>(at.x), static_cast<Real>(at.y)};
      return side < from->theta * away && !contains(node.bounds, here) ? tree_step::take
                                                                       : tree_step::descend;
    }
    /// Adds the node as one body.
    TENDRIL_HD bool take(const quadtree_node<Real>& node) {
      sum.add(at, attractor_of(node), from->squared_softening);
      return true;
    }
    /// Adds another body.
    TENDRIL_HD bool visit(const point<Real>& p, point_id other) {
      if (other != row) {
        sum.add(at,
                {static_cast<double>(p.x), static_cast<double>(p.y),
                 static_cast<double>(from->masses[other])},
                from->squared_softening);
      }
      return true;
    }

   private:
    [[nodiscard]] TENDRIL_HD const attractor& attractor_of(const quadtree_node<Real>& node) const {
      return from->nodes[&node - from->tree.nodes];
    }
  };

  /// @pre query < tree.num_points()
  [[nodiscard]] TENDRIL_HD walker begin(std::uint32_t query) const {
    const point<Real> p = tree.positions[query];
    return {this, {static_cast<double>(p.x), static_cast<double>(p.y)}, tree.rows[query], {}};
  }
  /// Stores the sum in the body's row.
  TENDRIL_HD void end(std::uint32_t /*query*/, const walker& w) const { pulls[w.row] = w.sum; }
};

namespace detail {

/// From sums to centres. A node without mass pulls nobody, wherever it is said to be.
template <coordinate Real>
struct write_attractor {
  quadtree_view<Real> tree;
  const mass_sum* sums;
  attractor* nodes;

  TENDRIL_HD void operator()(std::size_t n) const {
    const mass_sum& sum = sums[n];
    const point<Real> corner = tree.nodes[n].bounds.low;
    const point<double> centre =
        sum.mass > 0 ? sum.centre()
                     : point<double>{static_cast<double>(corner.x), static_cast<double>(corner.y)};
    nodes[n] = {centre.x, centre.y, sum.mass};
  }
};

}  // namespace detail

/// Computes what the bodies of a tree do to each other.
/// @param engine   the one whose memory holds the tree
/// @param tree     of all rows: none clipped
/// @param masses   [rows], in the engine's memory, none negative
/// @param options  theta and softening
/// @pre    coordinates, masses and softening of at most 1e100: squares of distances and moments
///         beyond the largest double make pulls 0 or not a number
/// @return         [rows], in the engine's memory
/// @throws usage_error for a theta or a softening that is not 0 or more
/// @sync   none on a GPU: the pulls are there when the engine's stream is done
/// @cost   O(n log n) for a fixed theta > 0; O(n^2) for theta 0
template <class Engine, class Tree>
[[nodiscard]] auto compute_gravity(Engine& engine, const Tree& tree,
                                   const typename Tree::coordinate_type* masses,
                                   const gravity_options& options = {}) {
  using real = typename Tree::coordinate_type;
  if (!(options.theta >= 0) || !(options.softening >= 0)) {
    throw usage_error("gravity: expected theta and softening of 0 or more, found " +
                      std::to_string(options.theta) + " and " + std::to_string(options.softening));
  }
  const auto sums = aggregate_nodes(engine, tree, centre_of_mass<real>{masses});
  auto nodes = engine.array(tree.num_nodes(), attractor{});
  run_for_each(engine, tree.num_nodes(),
               detail::write_attractor<real>{tree.view(), sums.data(), nodes.data()});
  auto pulls = engine.array(tree.num_points(), pull{});
  traverse_tree(engine, tree, tree.num_points(), tree.view().positions,
                gravity_visitor<real>{tree.view(), nodes.data(), masses, options.theta,
                                      options.softening * options.softening, pulls.data()},
                query_order::as_given);  // positions are in Morton order already
  return pulls;
}

}  // namespace tendril
