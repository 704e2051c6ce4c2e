#pragma once

#include <string>

#include "tendril/core/error.hpp"
#include "tendril/core/types.hpp"

namespace tendril {

/// A distance is beyond the largest number of its type: `edge 0 -> 1 of weight 1e+308: ...`.
template <numeric_weight W>
class distance_overflow : public input_error {
 public:
  /// @param over  by the ids of the graph
  /// @param text  the whole message
  distance_overflow(const edge<W>& over, const std::string& text)
      : input_error(text), over_(over) {}
  /// An edge over which it happened, by the ids of the graph.
  [[nodiscard]] const edge<W>& over() const noexcept { return over_; }

 private:
  edge<W> over_;
};

}  // namespace tendril
