#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/traverse/visitor.hpp"

// How engines call a visitor's optional members: what is not there costs nothing.

namespace tendril::detail {

template <class Visitor, weight W>
TENDRIL_HD inline bool admits(const Visitor& visitor, const edge<W>& e) {
  if constexpr (has_admits<Visitor, W>) {
    return visitor.admits(e);
  } else {
    return true;
  }
}

/// For a vertex found over an edge; sources are told by visitor.arrive(source, 0).
template <class Visitor, weight W>
TENDRIL_HD inline void arrive(const Visitor& visitor, const edge<W>& e, std::int32_t level) {
  if constexpr (arrives_by_edge<Visitor, W>) {
    visitor.arrive(e, level);
  } else {
    visitor.arrive(e.target, level);
  }
}

template <class Visitor>
TENDRIL_HD inline void level_begins(const Visitor& visitor, std::int32_t level) {
  if constexpr (has_level_begins<Visitor>) {
    visitor.level_begins(level);
  }
}

template <class Visitor>
TENDRIL_HD inline void level_ends(const Visitor& visitor, std::int32_t level) {
  if constexpr (has_level_ends<Visitor>) {
    visitor.level_ends(level);
  }
}

template <class Visitor>
TENDRIL_HD inline bool stops(const Visitor& visitor, std::int32_t level) {
  if constexpr (has_stops<Visitor>) {
    return visitor.stops(level);
  } else {
    return false;
  }
}

}  // namespace tendril::detail
