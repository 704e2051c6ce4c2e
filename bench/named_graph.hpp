#pragma once

#include <string>

#include "tendril/graph/generate.hpp"

namespace tendril::bench {

/// The graph of one row after the other: only the last is kept, they are large.
inline const csr<>& graph_named(const std::string& text) {
  static std::string held_name;
  static csr<> held;
  if (held_name != text) {
    held = {};
    held = generate(text);
    held_name = text;
  }
  return held;
}

}  // namespace tendril::bench
