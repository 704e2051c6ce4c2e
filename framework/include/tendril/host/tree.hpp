#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Trees on threads: what the calls in tree/ and algorithms/ come down to for a host engine. Another
// engine supports trees by overloads of the same functions for its own arrays.

namespace tendril {

namespace detail {

/// Queries of a task: enough to share nodes in the cache, few enough to balance.
inline constexpr std::size_t query_grain = 64;
inline constexpr std::size_t node_grain = 256;

/// Queries by the Morton key of their positions, equal keys by number.
template <coordinate Real>
[[nodiscard]] std::vector<std::pair<morton_key, std::uint32_t>> queries_in_morton_order(
    const cell_grid& cells, const point<Real>* positions, std::uint32_t num_queries) {
  std::vector<std::pair<morton_key, std::uint32_t>> order(num_queries);
  tbb::parallel_for(std::uint32_t{0}, num_queries, [&](std::uint32_t query) {
    order[query] = {cells.nearest_key(positions[query]), query};
  });
  tbb::parallel_sort(order.begin(), order.end());
  return order;
}

template <coordinate Real, class Visitor>
void walk_query(const quadtree_view<Real>& tree, std::uint32_t query, const Visitor& visitor) {
  auto walker = visitor.begin(query);
  walk_tree(tree, walker);
  visitor.end(query, walker);
}

}  // namespace detail

/// What tendril::traverse_tree calls for a host engine.
template <coordinate Real, class Visitor>
void run_traverse_tree(host_engine& engine, const quadtree<Real>& tree, std::uint32_t num_queries,
                       const point<Real>* positions, const Visitor& visitor, query_order order) {
  const quadtree_view<Real> view = tree.view();
  const tbb::blocked_range<std::size_t> all(0, num_queries, detail::query_grain);
  engine.run([&] {
    if (order == query_order::as_given) {
      tbb::parallel_for(all, [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          detail::walk_query(view, static_cast<std::uint32_t>(i), visitor);
        }
      });
      return;
    }
    const auto sorted = detail::queries_in_morton_order(view.cells, positions, num_queries);
    tbb::parallel_for(all, [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        detail::walk_query(view, sorted[i].second, visitor);
      }
    });
  });
}

/// What tendril::aggregate_nodes calls for a host engine.
template <coordinate Real, class Aggregate>
[[nodiscard]] auto run_aggregate(host_engine& engine, const quadtree<Real>& tree,
                                 const Aggregate& aggregate) {
  const quadtree_view<Real> view = tree.view();
  auto values = engine.array(view.num_nodes(), aggregate.zero());
  engine.run([&] {
    const tbb::blocked_range<std::size_t> all(0, view.num_nodes(), detail::node_grain);
    tbb::parallel_for(all, [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) {
        const auto n = static_cast<node_id>(i);
        if (view.is_leaf(n)) {
          values.data()[n] = detail::leaf_value(view, view.node(n), aggregate);
        }
      }
    });
  });
  // Backwards through preorder every child comes before its parent. Nearly all nodes are leaves.
  for (node_id n = view.num_nodes(); n-- > 0;) {
    if (!view.is_leaf(n)) {
      values.data()[n] = detail::inner_value(view, n, values.data(), aggregate);
    }
  }
  return values;
}

/// Offsets of lists of the given lengths, one after the other: [num_lists + 1], the last their sum.
[[nodiscard]] inline host_array<std::uint64_t> run_offsets(
    host_engine& engine, const host_array<std::uint64_t>& lengths) {
  auto offsets = engine.array(lengths.size() + 1, std::uint64_t{0});
  for (std::size_t list = 0; list < lengths.size(); ++list) {
    offsets.data()[list + 1] = offsets.data()[list] + lengths.data()[list];
  }
  return offsets;
}

/// Sorts each list, ascending.
inline void run_sort_lists(host_engine& engine, const host_array<std::uint64_t>& offsets,
                           host_array<point_id>& values) {
  engine.run([&] {
    const tbb::blocked_range<std::size_t> all(0, offsets.size() - 1, detail::query_grain);
    tbb::parallel_for(all, [&](const auto& range) {
      for (std::size_t list = range.begin(); list < range.end(); ++list) {
        std::sort(values.data() + offsets.data()[list], values.data() + offsets.data()[list + 1]);
      }
    });
  });
}

/// Calls body(i) for each i in 0 .. size - 1, in parallel.
template <class Body>
void run_for_each(host_engine& engine, std::size_t size, const Body& body) {
  engine.run([&] { tbb::parallel_for(std::size_t{0}, size, body); });
}

/// The last of an engine's numbers.
[[nodiscard]] inline std::uint64_t run_last(host_engine& /*engine*/,
                                            const host_array<std::uint64_t>& values) {
  return values.data()[values.size() - 1];
}

/// The tree of positions in the engine's memory.
template <coordinate Real>
[[nodiscard]] quadtree<Real> run_build_quadtree(host_engine& engine,
                                                const host_array<point<Real>>& positions,
                                                const quadtree_options& options) {
  return build_quadtree(engine, points<Real>(positions.to_host()), options);
}

/// A copy of host values in the engine's memory.
template <class T>
[[nodiscard]] host_array<T> copy_to(host_engine& engine, std::span<const T> values) {
  auto copy = engine.array(values.size(), T{});
  std::copy(values.begin(), values.end(), copy.data());
  return copy;
}

}  // namespace tendril
