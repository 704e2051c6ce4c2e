#pragma once

#include <charconv>
#include <iterator>
#include <string>

namespace tendril {

/// Appends the shortest text that reads back as the same number.
template <class Number>
void append_number(std::string& text, Number value) {
  char digits[32];  // the longest double has 24 characters
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  text.append(digits, end);
}

/// That text, for messages.
template <class Number>
[[nodiscard]] std::string number_text(Number value) {
  std::string text;
  append_number(text, value);
  return text;
}

}  // namespace tendril
