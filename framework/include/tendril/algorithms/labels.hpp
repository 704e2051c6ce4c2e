#pragma once

#include "tendril/traverse/traverse.hpp"

namespace tendril {

/// What algorithms give that find one value for each vertex, in the engine's memory.
template <class Engine, class T = vertex_id>
struct vertex_labels {
  typename Engine::template array_type<T> label;  ///< [num_vertices]
  traverse_report report;                         ///< of the traversal that found them
};

}  // namespace tendril
