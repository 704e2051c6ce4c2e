#pragma once

#include <memory>
#include <string>

namespace tendril::bench {

/// T(text) for one row after the other: only the last is kept, they are large.
template <class T>
const T& last_made(const std::string& text) {
  static std::string held_name;
  static std::unique_ptr<T> held;
  if (held_name != text) {
    held.reset();
    held = std::make_unique<T>(text);
    held_name = text;
  }
  return *held;
}

}  // namespace tendril::bench
