#pragma once

#include "tendril/traverse/traverse.hpp"

namespace tendril {

/// What components and their like give: for each vertex a vertex that stands for its class, in the
/// engine's memory.
template <class Engine>
struct vertex_labels {
  typename Engine::template array_type<vertex_id> label;  ///< [num_vertices]
  traverse_report report;                                 ///< of the traversal that found them
};

}  // namespace tendril
