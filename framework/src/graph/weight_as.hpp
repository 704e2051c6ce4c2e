#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "tendril/core/types.hpp"

namespace tendril {

/// The weight as another type, if that holds the very same value; 1 for a weight that is not there.
template <numeric_weight To, weight From>
[[nodiscard]] std::optional<To> exact_weight(From value) {
  if constexpr (std::is_same_v<From, none>) {
    return To{1};
  } else if constexpr (std::is_same_v<From, To>) {
    return value;
  } else if constexpr (std::is_same_v<To, std::int32_t>) {
    // Compared as doubles, which hold every int32 and every float.
    const double wide{value};
    constexpr double low = std::numeric_limits<std::int32_t>::min();
    constexpr double high = std::numeric_limits<std::int32_t>::max();
    if (!(wide >= low && wide <= high) || wide != std::trunc(wide)) {
      return std::nullopt;
    }
    return static_cast<std::int32_t>(wide);
  } else {
    const auto converted = static_cast<To>(value);
    const bool is_same = static_cast<double>(converted) == static_cast<double>(value);
    return is_same || std::isnan(static_cast<double>(value)) ? std::optional(converted)
                                                             : std::nullopt;
  }
}

}  // namespace tendril
