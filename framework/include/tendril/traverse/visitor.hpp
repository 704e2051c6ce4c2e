#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "tendril/core/types.hpp"

// The contract between a user's visitor and an engine. A visitor is a small trivially copyable
// struct of pointers and numbers; engines copy it freely and call its const members from many
// threads at once. Every member is TENDRIL_HD. Arrays it points to live in the engine's memory.
//
// first_visit: every vertex is entered at most once. The engine keeps the visited bitmap and makes
// sure that each vertex arrives once, so the visitor writes without atomics.
//     using kind = tendril::first_visit;
//     void arrive(vertex_id v, std::int32_t level) const;     each vertex; sources at level 0
//     void arrive(edge<W> e, std::int32_t level) const;       optional: instead of the above for
//                                                             vertices found over an edge, e.target
//                                                             being the new one
// An arrival sees what the arrivals of the level before wrote if the visitor has the second form,
// or admits(); one with the first form alone may come before another's writes are visible.
// relaxing: a vertex may be improved many times; the visitor decides, with atomics.
//     using kind = tendril::relaxing;
//     void start(vertex_id v) const;                          each distinct source, before level 0
//     bool visit(edge<W> e) const;                            true: e.target enters the next
//                                                             frontier
// A visit() sees what the levels before wrote, and may see what others of its level write.
// Optional in both:
//     bool admits(edge<W> e) const;                           false: the edge is not there
//     void level_begins(std::int32_t level) const;            one call per level, before its edges
//     void level_ends(std::int32_t level) const;              one call per level, after its edges
//     bool stops(std::int32_t level) const;                   true: no level after this one; asked
//                                                             once per level, after level_ends

namespace tendril {

/// Kind of a visitor to which every vertex arrives at most once.
struct first_visit {};
/// Kind of a visitor that may improve a vertex many times.
struct relaxing {};

namespace detail {

template <class V>
concept names_first_visit = requires {
  typename V::kind;
}
&&std::same_as<typename V::kind, first_visit>;
template <class V>
concept names_relaxing = requires {
  typename V::kind;
}
&&std::same_as<typename V::kind, relaxing>;

template <class V>
concept arrives_by_vertex = requires(const V& v, vertex_id u, std::int32_t level) {
  { v.arrive(u, level) } -> std::same_as<void>;
};
template <class V, class W>
concept arrives_by_edge = requires(const V& v, edge<W> e, std::int32_t level) {
  { v.arrive(e, level) } -> std::same_as<void>;
};
template <class V>
concept starts = requires(const V& v, vertex_id u) {
  { v.start(u) } -> std::same_as<void>;
};
template <class V, class W>
concept visits = requires(const V& v, edge<W> e) {
  { v.visit(e) } -> std::same_as<bool>;
};
template <class V, class W>
concept has_admits = requires(const V& v, edge<W> e) {
  { v.admits(e) } -> std::same_as<bool>;
};
template <class V>
concept has_level_begins = requires(const V& v, std::int32_t level) {
  v.level_begins(level);
};
template <class V>
concept has_level_ends = requires(const V& v, std::int32_t level) {
  v.level_ends(level);
};
template <class V>
concept has_stops = requires(const V& v, std::int32_t level) {
  { v.stops(level) } -> std::same_as<bool>;
};

}  // namespace detail

/// Fails to compile, with a sentence, where V is not a visitor for graphs with weights of type W.
template <class V, weight W>
consteval void check_visitor() {
  static_assert(detail::names_first_visit<V> || detail::names_relaxing<V>,
                "a visitor says what it is: using kind = tendril::first_visit, or "
                "using kind = tendril::relaxing");
  static_assert(std::is_trivially_copyable_v<V>,
                "a visitor is copied to the device byte by byte: keep pointers and numbers in it, "
                "not containers");
  if constexpr (detail::names_first_visit<V>) {
    static_assert(detail::arrives_by_vertex<V>,
                  "a first_visit visitor needs: TENDRIL_HD void arrive(tendril::vertex_id v, "
                  "std::int32_t level) const");
  }
  if constexpr (detail::names_relaxing<V>) {
    static_assert(detail::starts<V>,
                  "a relaxing visitor needs: TENDRIL_HD void start(tendril::vertex_id v) const");
    static_assert(detail::visits<V, W>,
                  "a relaxing visitor needs: TENDRIL_HD bool visit(tendril::edge<W> e) const, with "
                  "the graph's own weight type W");
  }
}

}  // namespace tendril
