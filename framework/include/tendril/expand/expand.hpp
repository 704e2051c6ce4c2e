#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tendril/core/target.hpp"

// Trees that grow while they are walked: a node's data decide at run time how its subtree grows,
// and results are reduced on the way up. An expander is a small trivially copyable struct that the
// engine copies freely and calls from many threads at once. Every member is TENDRIL_HD.
//     using node_type = ...;                         trivially copyable: what a node knows, and
//                                                    its result
//     template <class Sink>
//     void split(node_type& node, Sink& children) const;
//                                                    calls children.add(node_type) once for each
//                                                    child, in order; none: the node is a leaf
//     void reduce(node_type& node, const node_type* children, std::size_t num_children) const;
//                                                    the children are complete and in order; also
//                                                    called for leaves, with none
// Each node is split exactly once and then, when all its children are reduced, reduced exactly
// once. Nothing else is promised about the order, so a result that depends on it is the expander's
// own doing. Nodes other than the roots are the engine's and gone after their parent's reduce.

namespace tendril {

namespace detail {

/// Stands in for an engine's own sink where an expander is checked without one.
template <class Node>
struct any_sink {
  TENDRIL_HD void add(const Node& /*child*/) {}
};

template <class X, template <class> class Sink>
concept splits = requires(const X& x, typename X::node_type& node,
                          Sink<typename X::node_type>& sink) {
  x.split(node, sink);
};
template <class X>
concept reduces = requires(const X& x, typename X::node_type& node,
                           const typename X::node_type* children, std::size_t num_children) {
  x.reduce(node, children, num_children);
};

}  // namespace detail

/// Fails to compile, with a sentence, where X is not an expander.
/// @tparam Sink  the engine's
template <class X, template <class> class Sink = detail::any_sink>
consteval void check_expander() {
  static_assert(
      requires { typename X::node_type; },
      "an expander names what a node is: using node_type = ...");
  static_assert(
      std::is_trivially_copyable_v<X> && std::is_trivially_copyable_v<typename X::node_type>,
      "expanders and their nodes are copied byte by byte: keep pointers and numbers in "
      "them, not containers");
  static_assert(detail::splits<X, Sink>,
                "an expander needs: template <class Sink> TENDRIL_HD void split(node_type& node, "
                "Sink& children) const, which calls children.add(child)");
  static_assert(detail::reduces<X>,
                "an expander needs: TENDRIL_HD void reduce(node_type& node, const node_type* "
                "children, std::size_t num_children) const");
}

/// What an expansion did.
struct expand_report {
  std::uint64_t num_nodes = 0;  ///< roots included
  std::uint64_t num_tasks = 0;  ///< pieces of work handed to threads
  std::int32_t depth = -1;      ///< levels below the roots; -1 without roots
};

/// Grows a tree from each root and leaves its result in it.
/// @param engine    a host_engine or a cuda_engine
/// @param roots     in the engine's memory; complete nodes afterwards
/// @param expander  as above; its arrays are in the engine's memory
/// @param options   what the engine offers: nothing on threads, cuda_expand_options on a GPU
/// @return an expand_report, on a GPU a cuda_expand_report
/// @throws what split or reduce throw on the host: the first exception, once all threads have
///         stopped; on a GPU resource_error when the tree has more nodes than there is room for.
///         The roots are then incomplete
/// @sync   waits until every root is reduced
/// @cost   one split and one reduce per node; memory for the nodes whose parents are not reduced
template <class Engine, class Expander, class... Options>
auto expand(Engine& engine, std::span<typename Expander::node_type> roots, const Expander& expander,
            const Options&... options) {
  return run_expand(engine, roots, expander, options...);
}

}  // namespace tendril
