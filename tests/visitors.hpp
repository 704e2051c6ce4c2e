#pragma once

#include <cstdint>

#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/traverse/visitor.hpp"

// The plain visitors that tests of several engines run.

namespace tendril::test {

/// Depths.
struct hops {
  using kind = first_visit;
  std::int32_t* depth;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
};

/// Shortest distances.
struct cheapest {
  using kind = relaxing;
  float* distance;
  TENDRIL_HD void start(vertex_id v) const { distance[v] = 0; }
  TENDRIL_HD bool visit(edge<float> e) const {
    return lower(distance[e.target], load(distance[e.source]) + e.weight);
  }
};

}  // namespace tendril::test
