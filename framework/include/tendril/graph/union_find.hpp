#pragma once

#include "tendril/core/atomics.hpp"
#include "tendril/core/types.hpp"

// Union and find without locks (Jayanti and Tarjan 2016), on threads and in device code: classes
// are trees, each vertex knows a vertex above it in its class, and the root is the least of all.

namespace tendril {

/// The root of v's tree. Hangs the vertices on the way below their grandparents, so that the next
/// way is shorter; what another thread hung higher up meanwhile stays there.
/// @pre parent is [num_vertices], a root's is itself
[[nodiscard]] TENDRIL_HD inline vertex_id root_of(vertex_id* parent, vertex_id v) {
  vertex_id up = load(parent[v]);
  for (vertex_id above = load(parent[up]); above != up; above = load(parent[up])) {
    replace(parent[v], up, above);
    v = above;
    up = load(parent[v]);
  }
  return up;
}

/// Makes one tree of those of a and b: hangs the higher root below the lower.
/// @pre as for root_of()
TENDRIL_HD inline void join_trees(vertex_id* parent, vertex_id a, vertex_id b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  while (a != b && !(a < b ? replace(parent[b], b, a) : replace(parent[a], a, b))) {
    a = root_of(parent, a);
    b = root_of(parent, b);
  }
}

}  // namespace tendril
