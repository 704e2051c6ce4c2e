#pragma once

#include <cstdint>
#include <string>

namespace tendril::detail {

/// (1, "edge", "edges") -> "1 edge"; (2, ...) -> "2 edges". For messages.
[[nodiscard]] inline std::string counted(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

}  // namespace tendril::detail
