#pragma once

#include <span>
#include <string>
#include <vector>

#include "tendril/core/atomics.hpp"
#include "tendril/core/error.hpp"
#include "tendril/core/target.hpp"
#include "tendril/query/reach.hpp"
#include "tendril/traverse/options.hpp"
#include "tendril/traverse/visitor.hpp"

namespace tendril {

/// Traverses a graph from each of several sources apart, with a visitor for each: side by side, one
/// thread to a traversal on the CPU, one block on a GPU (there in one launch). For many traversals
/// of many narrow levels, which cannot fill the machine one at a time.
/// @param engine    a host_engine or a cuda_engine
/// @param graph     what engine.place() returned
/// @param sources   ids; one that is named twice is traversed from twice
/// @param visitors  [num_sources], first_visit; see tendril::traverse
/// @return what each traversal entered, in the order of the sources
/// @throws usage_error where the sizes differ; input_error naming a source outside the graph;
///         resource_error
/// @sync   waits for all of them
template <class Engine, class Graph, class Visitor>
std::vector<reach_summary> traverse_each(Engine& engine, const Graph& graph,
                                         const source_list& sources,
                                         const std::vector<Visitor>& visitors) {
  check_visitor<Visitor, typename Graph::weight_type>();
  static_assert(detail::names_first_visit<Visitor>, "traverse_each takes first_visit visitors");
  if (visitors.size() != sources.ids().size()) {
    throw usage_error("a visitor for each source: expected " +
                      std::to_string(sources.ids().size()) + ", found " +
                      std::to_string(visitors.size()));
  }
  static_cast<void>(distinct_sources(sources, graph.num_vertices()));
  return run_traverse_each(engine, graph, sources.ids(), std::span<const Visitor>(visitors),
                           reach_options())
      .queries;
}

namespace detail {

/// What a traversal tells of its levels, in numbers. One that its visitor stopped has not expanded
/// its last level.
/// @param each_level  called with the vertices of each
template <class EachLevel>
reach_summary summarise(const traverse_report& report, const EachLevel& each_level) {
  reach_summary summary;
  summary.reached = report.entered;
  std::uint64_t expanded = 0;
  const auto note = [&](std::uint64_t size) {
    summary.total_depth += static_cast<std::uint64_t>(summary.depth) * size;
    expanded += size;
    each_level(size);
  };
  for (const level_report& level : report.levels) {
    summary.depth = level.level;
    note(level.frontier);
  }
  if (expanded != report.entered) {
    ++summary.depth;
    note(report.entered - expanded);
  }
  return summary;
}

/// Notes nothing: how many vertices arrive is counted by the engines themselves.
struct no_notes {
  using kind = first_visit;
  TENDRIL_HD void arrive(vertex_id /*v*/, std::int32_t /*level*/) const {}
};

/// Counts arrivals until there are many, or some levels were run.
struct width_probe {
  using kind = first_visit;
  static constexpr std::int32_t most_levels = 32;
  static constexpr std::uint32_t many = 32768;
  std::uint32_t* arrived;

  TENDRIL_HD void arrive(vertex_id /*v*/, std::int32_t /*level*/) const { add(*arrived, 1U); }
  /// A broad level need not be run to its end: one block takes long for it.
  [[nodiscard]] TENDRIL_HD bool has_enough() const { return load(*arrived) > many; }
  [[nodiscard]] TENDRIL_HD bool stops(std::int32_t level) const {
    return level + 1 >= most_levels || has_enough();
  }
};

}  // namespace detail

}  // namespace tendril
