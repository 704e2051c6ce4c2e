#pragma once

#include <cmath>
#include <type_traits>

#include "tendril/core/target.hpp"
#include "tendril/tree/quadtree.hpp"

// A value per node, computed from the points below it. An aggregate is a small trivially copyable
// struct; every member is TENDRIL_HD.
//     using value_type = ...;                        trivially copyable
//     value_type zero() const;                       of no points
//     void add(value_type& sum, const point<Real>& p, point_id row) const;
//     void combine(value_type& sum, const value_type& other) const;
// The order of operations is fixed, so sums of floating-point numbers are the same bits on every
// engine: a leaf deals its positions out to eight partial sums in turn, which are then added
// pairwise (4 apart, 2 apart, 1 apart); an inner node combines its children in order. An add or
// combine that multiplies and adds must say std::fma, or compilers may differ.

namespace tendril {

namespace detail {

template <class A, class Real>
concept aggregates = requires(const A& a, typename A::value_type& sum, const point<Real>& p,
                              point_id row) {
  { a.zero() } -> std::same_as<typename A::value_type>;
  a.add(sum, p, row);
  a.combine(sum, static_cast<const typename A::value_type&>(sum));
};

inline constexpr point_id leaf_sums = 8;

/// The value of a leaf.
template <coordinate Real, class Aggregate>
[[nodiscard]] TENDRIL_HD typename Aggregate::value_type leaf_value(const quadtree_view<Real>& tree,
                                                                   const quadtree_node<Real>& leaf,
                                                                   const Aggregate& aggregate) {
  typename Aggregate::value_type sums[leaf_sums];
  for (auto& sum : sums) {
    sum = aggregate.zero();
  }
  for (point_id i = leaf.first; i < leaf.end; ++i) {
    aggregate.add(sums[(i - leaf.first) % leaf_sums], tree.positions[i], tree.rows[i]);
  }
  for (point_id apart = leaf_sums / 2; apart != 0; apart /= 2) {
    for (point_id i = 0; i < apart; ++i) {
      aggregate.combine(sums[i], sums[i + apart]);
    }
  }
  return sums[0];
}

/// The value of an inner node. @param values  [num_nodes], complete for its children
template <coordinate Real, class Aggregate>
[[nodiscard]] TENDRIL_HD typename Aggregate::value_type inner_value(
    const quadtree_view<Real>& tree, node_id n, const typename Aggregate::value_type* values,
    const Aggregate& aggregate) {
  node_id child = tree.first_child(n);
  typename Aggregate::value_type sum = values[child];
  for (child = tree.node(child).next; child != tree.node(n).next; child = tree.node(child).next) {
    aggregate.combine(sum, values[child]);
  }
  return sum;
}

}  // namespace detail

/// Fails to compile, with a sentence, where A is not an aggregate of points with Real coordinates.
template <class A, coordinate Real>
consteval void check_aggregate() {
  static_assert(
      std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<typename A::value_type>,
      "an aggregate and its values are copied byte by byte: keep pointers and numbers in "
      "them, not containers");
  static_assert(detail::aggregates<A, Real>,
                "an aggregate needs: value_type zero() const, void add(value_type& sum, const "
                "point<Real>& p, point_id row) const and void combine(value_type& sum, const "
                "value_type& other) const");
}

/// A mass and where its centre is, kept as sums.
struct mass_sum {
  double mass = 0;      ///< sum of the masses
  double moment_x = 0;  ///< sum of mass * x
  double moment_y = 0;  ///< sum of mass * y

  /// Centre of mass. @pre mass is not 0
  [[nodiscard]] TENDRIL_HD point<double> centre() const {
    return {moment_x / mass, moment_y / mass};
  }
  friend bool operator==(const mass_sum&, const mass_sum&) = default;  ///< memberwise
};

/// Total mass and centre of mass.
template <coordinate Real>
struct centre_of_mass {
  using value_type = mass_sum;   ///< of a node
  const Real* masses = nullptr;  ///< [rows], in the engine's memory; null: each is 1

  /// Of no points.
  [[nodiscard]] TENDRIL_HD mass_sum zero() const { return {}; }
  /// Adds a point of that row.
  TENDRIL_HD void add(mass_sum& sum, const point<Real>& p, point_id row) const {
    const double mass = masses == nullptr ? 1.0 : static_cast<double>(masses[row]);
    sum.mass += mass;
    sum.moment_x = std::fma(mass, static_cast<double>(p.x), sum.moment_x);
    sum.moment_y = std::fma(mass, static_cast<double>(p.y), sum.moment_y);
  }
  /// Adds a sum.
  TENDRIL_HD void combine(mass_sum& sum, const mass_sum& other) const {
    sum.mass += other.mass;
    sum.moment_x += other.moment_x;
    sum.moment_y += other.moment_y;
  }
};

/// From lowest to highest, both included; of no values: from the largest number to the lowest.
template <class Value>
struct value_range {
  Value lowest;   ///< of the values
  Value highest;  ///< of the values

  friend bool operator==(const value_range&, const value_range&) = default;  ///< memberwise
};

/// Smallest and largest of a number that each point has.
template <class Value>
struct range_of_values {
  using value_type = value_range<Value>;  ///< of a node
  const Value* values = nullptr;          ///< [rows], in the engine's memory, none of them NaN

  /// Of no points.
  [[nodiscard]] TENDRIL_HD value_type zero() const {
    return {detail::largest<Value>, detail::lowest<Value>};
  }
  /// Extends the range to the value of that row.
  template <coordinate Real>
  TENDRIL_HD void add(value_type& sum, const point<Real>& /*p*/, point_id row) const {
    combine(sum, {values[row], values[row]});
  }
  /// Extends the range to another.
  TENDRIL_HD void combine(value_type& sum, const value_type& other) const {
    sum.lowest = other.lowest < sum.lowest ? other.lowest : sum.lowest;
    sum.highest = sum.highest < other.highest ? other.highest : sum.highest;
  }
};

/// Computes a value for every node.
/// @param engine     the one whose memory holds the tree
/// @param tree       what build_quadtree() made for that engine
/// @param aggregate  as above; its arrays are in the engine's memory
/// @return           [num_nodes], in the engine's memory
/// @throws resource_error
/// @sync   none on a GPU: the values are there when the engine's stream is done
/// @cost   O(points + nodes)
template <class Engine, class Tree, class Aggregate>
[[nodiscard]] auto aggregate_nodes(Engine& engine, const Tree& tree, const Aggregate& aggregate) {
  check_aggregate<Aggregate, typename Tree::coordinate_type>();
  return run_aggregate(engine, tree, aggregate);
}

}  // namespace tendril
