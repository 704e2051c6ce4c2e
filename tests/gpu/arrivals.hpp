#pragma once

#include <cstdint>

#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"
#include "tendril/traverse/visitor.hpp"

namespace tendril::test {

/// Counts every arrival, so that a vertex that arrives twice is seen. Reads no edges, so that large
/// pushes mark.
struct arrivals {
  using kind = first_visit;
  std::int32_t* depth;
  std::uint32_t* times;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const {
    depth[v] = level;
    add(times[v], 1U);
  }
};

}  // namespace tendril::test
