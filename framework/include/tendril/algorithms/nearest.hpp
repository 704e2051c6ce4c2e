#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "tendril/algorithms/range_query.hpp"
#include "tendril/core/error.hpp"
#include "tendril/tree/nearest_visitor.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/traverse_tree.hpp"

// The nearest points of a tree to each of many positions, and all pairs of near points.

namespace tendril {

/// Lists of neighbours, one for each query, one after the other, in the engine's memory. List q is
/// found[offsets[q]] .. found[offsets[q + 1] - 1], by distance, equally near ones by row.
template <class Engine>
struct neighbour_lists {
  typename Engine::template array_type<std::uint64_t> offsets;  ///< [num_queries + 1]
  typename Engine::template array_type<neighbour> found;        ///< [offsets[num_queries]]
};

/// How neighbours are looked for.
struct nearest_options {
  /// Nothing farther is found. A point exactly as far is.
  double radius = std::numeric_limits<double>::infinity();
  query_order order = query_order::morton;  ///< in which queries run; answers do not depend on it
};

namespace detail {

template <coordinate Real>
struct write_circle {
  const point<Real>* centres;
  double radius;
  circle<Real>* circles;

  TENDRIL_HD void operator()(std::size_t q) const { circles[q] = {centres[q], radius}; }
};

}  // namespace detail

/// Finds the `count` nearest points of each position: fewer where the tree, or the radius, has
/// fewer; a list never has padding.
/// @param engine     the one whose memory holds the tree
/// @param tree       what build_quadtree() made for that engine
/// @param positions  [num_queries], in the engine's memory, none of them NaN
/// @param count      for each position
/// @param options    radius and order
/// @throws usage_error for a negative count, a radius that is NaN, or 2^32 positions and more;
///         resource_error
/// @sync   waits once on a GPU, for the number of neighbours; complete when its stream is
/// @cost   with a radius the walk is made twice: once to count
template <class Engine, class Tree>
[[nodiscard]] neighbour_lists<Engine> find_nearest(
    Engine& engine, const Tree& tree,
    std::span<const point<typename Tree::coordinate_type>> positions, std::int64_t count,
    const nearest_options& options = {}) {
  using real = typename Tree::coordinate_type;
  if (count < 0) {
    throw usage_error("nearest: expected 0 neighbours or more, found " + std::to_string(count));
  }
  if (std::isnan(options.radius)) {
    throw usage_error("nearest: expected a radius, found nan");
  }
  const auto most =
      static_cast<point_id>(std::min<std::int64_t>(count, std::int64_t{tree.num_points()}));
  const auto num_queries = query_count(positions.size());
  auto lengths = engine.array(positions.size(), std::uint64_t{most});
  if (most > 0 && options.radius != std::numeric_limits<double>::infinity()) {
    auto circles = engine.array(positions.size(), circle<real>{});
    run_for_each(engine, positions.size(),
                 detail::write_circle<real>{positions.data(), options.radius, circles.data()});
    lengths = count_in(engine, tree, std::span<const circle<real>>(circles.data(), circles.size()),
                       options.order, most);
  }
  auto offsets = run_offsets(engine, lengths);
  auto found = engine.array(run_last(engine, offsets), neighbour{});
  traverse_tree(engine, tree, num_queries, positions.data(),
                nearest_visitor<real>{positions.data(), options.radius, offsets.data(),
                                      found.data(), tree.view()},
                options.order);
  return {std::move(offsets), std::move(found)};
}

/// The points within a radius of one point that lie in later rows.
template <coordinate Real>
struct later_rows_around {
  circle<Real> around;  ///< its centre is the point
  point_id row;         ///< of the point; later ones count

  /// A later row, within the radius.
  [[nodiscard]] TENDRIL_HD bool contains(const point<Real>& p, point_id other) const {
    return other > row && around.contains(p, other);
  }
  /// Never take: which rows of a box are later is not known.
  [[nodiscard]] TENDRIL_HD tree_step relation(const box<Real>& b) const {
    return around.relation(b) == tree_step::skip ? tree_step::skip : tree_step::descend;
  }
  /// The point.
  [[nodiscard]] TENDRIL_HD point<Real> position() const { return around.centre; }
};

namespace detail {

template <coordinate Real>
struct write_later_rows {
  quadtree_view<Real> tree;
  double radius;
  later_rows_around<Real>* shapes;  ///< [rows]

  TENDRIL_HD void operator()(std::size_t i) const {
    const point_id row = tree.rows[i];
    shapes[row] = {{tree.positions[i], radius}, row};
  }
};

}  // namespace detail

/// Finds all pairs of points at most `radius` apart, each once: list i has the rows j > i that are
/// near row i. Rows that the tree left out have empty lists.
/// @param engine    the one whose memory holds the tree
/// @param tree      what build_quadtree() made for that engine
/// @param num_rows  of the input that the tree was built from
/// @param radius    a point exactly as far is near; negative or NaN: no pairs
/// @return          [num_rows] lists, in the engine's memory
/// @sync   waits once on a GPU, for the number of pairs; complete when its stream is
/// @cost   grows with the number of pairs, which may be quadratic
template <class Engine, class Tree>
[[nodiscard]] row_lists<Engine> find_pairs(Engine& engine, const Tree& tree, point_id num_rows,
                                           double radius) {
  using real = typename Tree::coordinate_type;
  constexpr double nothing = -1;
  auto shapes = engine.array(num_rows, later_rows_around<real>{{{}, nothing}, 0});
  run_for_each(engine, tree.num_points(),
               detail::write_later_rows<real>{tree.view(), radius, shapes.data()});
  return report_in(engine, tree,
                   std::span<const later_rows_around<real>>(shapes.data(), shapes.size()));
}

}  // namespace tendril
