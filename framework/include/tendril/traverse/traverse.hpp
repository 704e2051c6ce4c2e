#pragma once

#include "tendril/traverse/options.hpp"
#include "tendril/traverse/visitor.hpp"

namespace tendril {

/// Moves a frontier over the graph from the sources, level by level, calling the visitor.
/// @param engine   a host_engine, cuda_engine or dynamic_cuda_engine
/// @param graph    what engine.place() returned
/// @param sources  ids; duplicates count once; none: nothing happens
/// @param visitor  see traverse/visitor.hpp; its arrays are in the engine's memory and hold their
///                 "unreached" values
/// @param options  way, depth limit, and a hook that runs after each level
/// @return what each level did
/// @throws input_error for a source outside the graph; usage_error as check_options does;
///         resource_error, cuda_error
/// @sync   waits for the last level, on a GPU too
/// @cost   first_visit: O(vertices + edges) in all; relaxing: O(edges) per level
template <class Engine, class Graph, class Visitor>
traverse_report traverse(Engine& engine, const Graph& graph, const source_list& sources,
                         const Visitor& visitor, const traverse_options& options = {}) {
  check_visitor<Visitor, typename Graph::weight_type>();
  return engine.traverse(graph, sources, visitor, options);
}

}  // namespace tendril
