#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/core/target.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/walk.hpp"

// Many queries walk down one tree, each on its own, with early exit. A tree visitor is a small
// trivially copyable struct that the engine copies freely; its arrays are in the engine's memory.
// Every member is TENDRIL_HD.
//     Walker begin(std::uint32_t query) const;       what one query needs on its way
//     void end(std::uint32_t query, const Walker& walker) const;
//                                                    stores what it found
// A walker lives in one thread:
//     tree_step enter(const quadtree_node<Real>& node);   skip, descend or take
//     bool take(const quadtree_node<Real>& node);         enter answered take
//     bool visit(const point<Real>& p, point_id row);     a point of a leaf: enter said descend
// take and visit answer whether to go on: false ends this query. Nodes come in preorder. A walker
// that also has
//     double distance_to(const quadtree_node<Real>& node) const;
// meets a node's children by ascending distance instead, so that it can soon skip the rest.

namespace tendril {

namespace detail {

template <class V>
using walker_of = std::remove_cvref_t<decltype(std::declval<const V&>().begin(std::uint32_t{}))>;

template <class W, class Real>
concept walks = requires(W& w, const quadtree_node<Real>& node, const point<Real>& p,
                         point_id row) {
  { w.enter(node) } -> std::same_as<tree_step>;
  { w.take(node) } -> std::same_as<bool>;
  { w.visit(p, row) } -> std::same_as<bool>;
};

template <class V>
concept begins = requires(const V& v, std::uint32_t query) {
  v.begin(query);
};
template <class V>
concept ends = requires(const V& v, std::uint32_t query, const walker_of<V>& walker) {
  v.end(query, walker);
};

}  // namespace detail

/// Fails to compile, with a sentence, where V is not a visitor of trees with Real coordinates.
template <class V, coordinate Real>
consteval void check_tree_visitor() {
  static_assert(std::is_trivially_copyable_v<V>,
                "a tree visitor is copied to the device byte by byte: keep pointers and numbers in "
                "it, not containers");
  static_assert(detail::begins<V>,
                "a tree visitor needs: TENDRIL_HD auto begin(std::uint32_t query) const, which "
                "returns the query's walker");
  static_assert(detail::ends<V>,
                "a tree visitor needs: TENDRIL_HD void end(std::uint32_t query, const Walker& "
                "walker) const");
  static_assert(detail::walks<detail::walker_of<V>, Real>,
                "a walker needs: TENDRIL_HD tree_step enter(const quadtree_node<Real>& node), bool "
                "take(const quadtree_node<Real>& node) and bool visit(const point<Real>& p, "
                "point_id row)");
}

/// The order in which queries are run: neighbours in space share the nodes that they read.
enum class query_order : std::uint8_t {
  morton,   ///< by the Morton key of the query's position in the tree's grid
  as_given  ///< 0, 1, 2, ...: for queries that are in a good order already
};

/// The number of queries of a list.
/// @throws usage_error for 2^32 or more
[[nodiscard]] inline std::uint32_t query_count(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw usage_error("queries: expected fewer than 2^32, found " + std::to_string(size));
  }
  return static_cast<std::uint32_t>(size);
}

/// Runs queries 0 .. num_queries - 1 down the tree.
/// @param engine       the one whose memory holds the tree
/// @param tree         what build_quadtree() made for that engine
/// @param num_queries  numbers that the visitor is given
/// @param positions    [num_queries], where each query is, in the engine's memory; used for the
///                     order only and may be null where that is as_given
/// @param visitor      as above; its arrays are in the engine's memory
/// @param order        in which queries run; answers do not depend on it
/// @throws resource_error
/// @sync   waits on threads; none on a GPU: all have ended when the engine's stream is done
/// @cost   a sort of the queries where the order is morton; then what the walks cost
template <class Engine, class Tree, class Visitor>
void traverse_tree(Engine& engine, const Tree& tree, std::uint32_t num_queries,
                   const point<typename Tree::coordinate_type>* positions, const Visitor& visitor,
                   query_order order = query_order::morton) {
  check_tree_visitor<Visitor, typename Tree::coordinate_type>();
  run_traverse_tree(engine, tree, num_queries, positions, visitor, order);
}

}  // namespace tendril
