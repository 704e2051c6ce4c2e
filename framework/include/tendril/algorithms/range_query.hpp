#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/range_visitors.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Which points of a tree lie in each of many shapes. Rectangles and circles are closed: what lies
// exactly on a border is in. An inverted rectangle, a negative radius or a NaN holds nothing.

namespace tendril {

/// Lists of rows, one for each query, one after the other, in the engine's memory. List q is
/// rows[offsets[q]] .. rows[offsets[q + 1] - 1], ascending.
template <class Engine>
struct row_lists {
  typename Engine::template array_type<std::uint64_t> offsets;  ///< [num_queries + 1]
  typename Engine::template array_type<point_id> rows;          ///< [offsets[num_queries]]
};

namespace detail {

template <coordinate Real, class Shape>
struct write_position {
  const Shape* shapes;
  point<Real>* positions;

  TENDRIL_HD void operator()(std::size_t q) const { positions[q] = shapes[q].position(); }
};

/// Where each shape is, for the order of the queries.
template <coordinate Real, class Engine, class Shape>
[[nodiscard]] auto positions_of(Engine& engine, std::span<const Shape> shapes, query_order order) {
  auto positions = engine.array(order == query_order::morton ? shapes.size() : 0, point<Real>{});
  run_for_each(engine, positions.size(),
               write_position<Real, Shape>{shapes.data(), positions.data()});
  return positions;
}

}  // namespace detail

/// Counts the points in each shape, of each at most `limit`.
/// @param engine  the one whose memory holds the tree
/// @param tree    what build_quadtree() made for that engine
/// @param shapes  [num_queries], rectangle, circle or an own one (tree/range_visitors.hpp); in the
///                engine's memory
/// @param order   in which queries run; answers do not depend on it
/// @param limit   a query stops when it has found as many
/// @return        [num_queries], in the engine's memory
/// @throws usage_error for 2^32 shapes or more; resource_error
/// @sync   none on a GPU: the counts are there when the engine's stream is done
template <class Engine, class Tree, class Shape>
[[nodiscard]] auto count_in(Engine& engine, const Tree& tree, std::span<const Shape> shapes,
                            query_order order = query_order::morton, point_id limit = no_point) {
  using real = typename Tree::coordinate_type;
  const auto num_queries = query_count(shapes.size());
  auto counts = engine.array(shapes.size(), std::uint64_t{0});
  const auto positions = detail::positions_of<real>(engine, shapes, order);
  traverse_tree(engine, tree, num_queries, positions.data(),
                count_visitor<real, Shape>{shapes.data(), limit, counts.data()}, order);
  return counts;
}

/// Lists the points in each shape: counts them, then fills.
/// @param engine  the one whose memory holds the tree
/// @param tree    what build_quadtree() made for that engine
/// @param shapes  as for count_in
/// @param order   as for count_in
/// @throws as count_in does
/// @sync   waits once on a GPU, for the number of rows; complete when its stream is
/// @cost   twice the walk of count_in, and a sort of each list
template <class Engine, class Tree, class Shape>
[[nodiscard]] row_lists<Engine> report_in(Engine& engine, const Tree& tree,
                                          std::span<const Shape> shapes,
                                          query_order order = query_order::morton) {
  using real = typename Tree::coordinate_type;
  const auto num_queries = query_count(shapes.size());
  auto offsets = run_offsets(engine, count_in(engine, tree, shapes, order));
  auto rows = engine.array(run_last(engine, offsets), point_id{0});
  const auto positions = detail::positions_of<real>(engine, shapes, order);
  traverse_tree(
      engine, tree, num_queries, positions.data(),
      report_visitor<real, Shape>{shapes.data(), offsets.data(), rows.data(), tree.view().rows},
      order);
  run_sort_lists(engine, offsets, rows);
  return {std::move(offsets), std::move(rows)};
}

}  // namespace tendril
