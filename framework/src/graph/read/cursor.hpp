#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "tendril/core/types.hpp"

// The tokenizer that all text readers share. It walks over whole lines, each ended by '\n', so its
// loops need no other bound: '\n' is neither a digit nor a blank nor part of a word.

namespace tendril::detail {

/// A line is not what it should be. Whoever knows the block turns it into an input_error with file
/// and line.
class syntax_error : public std::runtime_error {
 public:
  syntax_error(const char* where, const std::string& what)
      : std::runtime_error(what), where_(where) {}
  [[nodiscard]] const char* where() const noexcept { return where_; }

 private:
  const char* where_;
};

/// Text of a file, for messages: cut when long, control characters as \\x and two digits.
[[nodiscard]] std::string clipped(std::string_view found);
/// What is written at `where`, for "found ...": a word, cut when long, or "the end of the line".
[[nodiscard]] std::string describe_token(const char* where);
/// Throws "expected ..., found ..." with what is written at `where`.
[[noreturn]] void refuse(const char* where, const std::string& expected);

enum class char_kind : std::uint8_t { other, digit, blank, delimiter, line_end };

inline constexpr std::array<char_kind, 256> char_kinds = [] {
  std::array<char_kind, 256> kinds{};
  for (unsigned char c = '0'; c <= '9'; ++c) {
    kinds[c] = char_kind::digit;
  }
  for (const char c : {' ', '\t', '\r', '\v', '\f'}) {
    kinds[static_cast<unsigned char>(c)] = char_kind::blank;
  }
  kinds[','] = kinds[';'] = char_kind::delimiter;
  kinds['\n'] = char_kind::line_end;
  return kinds;
}();

[[nodiscard]] inline char_kind kind_of(char c) {
  return char_kinds[static_cast<unsigned char>(c)];
}
[[nodiscard]] inline bool is_digit(char c) {
  return kind_of(c) == char_kind::digit;
}
[[nodiscard]] inline bool is_blank(char c) {
  return kind_of(c) == char_kind::blank;
}
/// True for what may follow a number or an unquoted word.
[[nodiscard]] inline bool ends_word(char c) {
  return kind_of(c) >= char_kind::blank;
}

/// What an edge weighs in a file without weights.
template <weight W>
[[nodiscard]] constexpr W default_weight() {
  if constexpr (std::is_same_v<W, none>) {
    return {};
  } else {
    return W{1};
  }
}

/// Any spelling of a number: sign, leading or trailing point, exponent. Integers that W cannot hold
/// exactly are refused, decimal fractions rounded to the nearest, what is too small becomes zero;
/// for int32 the value must be whole. W none checks the spelling only.
/// @param at    start of the number; moved behind it
/// @param what  the noun for messages
/// @throws syntax_error also for nan, infinities and what is too large
template <weight W>
[[nodiscard]] W parse_any_number(const char*& at, const char* what);

/// A computed weight as W: rounded to float, for int32 only if it is whole and in range.
/// @param where, what  for the message
template <weight W>
[[nodiscard]] W to_weight(double value, const char* where, const char* what);

/// True for digits with or without a sign.
[[nodiscard]] bool is_integer(std::string_view number);

class cursor {
 public:
  cursor(const char* begin, const char* end) : at_(begin), end_(end) {}

  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] const char* position() const { return at_; }
  [[nodiscard]] char peek() const { return *at_; }
  [[nodiscard]] bool at_line_end() const { return *at_ == '\n'; }

  void skip_blanks() {
    while (is_blank(*at_)) {
      ++at_;
    }
  }
  void skip_char() { ++at_; }
  void skip_to_line_end() {
    at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
  }
  void skip_line() {
    skip_to_line_end();
    ++at_;
  }
  /// Moves to the next line; what is left of this one must be blank.
  void end_line() {
    skip_blanks();
    if (*at_ != '\n') {
      refuse(at_, "the end of the line");
    }
    ++at_;
  }

  /// Skips blanks around at most one comma or semicolon.
  void skip_delimiter() {
    skip_blanks();
    if (kind_of(*at_) == char_kind::delimiter) {
      ++at_;
      skip_blanks();
    }
  }

  /// The word here, empty at the end of the line.
  [[nodiscard]] std::string_view word() {
    const char* const start = at_;
    while (!ends_word(*at_)) {
      ++at_;
    }
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// A decimal number without a sign. @param what  the noun for messages
  [[nodiscard]] std::uint64_t unsigned_number(const char* what) {
    const char* const start = at_;
    std::uint64_t value = 0;
    while (is_digit(*at_)) {
      value = 10 * value + static_cast<std::uint64_t>(*at_ - '0');
      ++at_;
    }
    // 19 digits always fit 64 bits.
    if (at_ == start || at_ - start > 19 || !ends_word(*at_)) {
      return unusual_unsigned(start, what);
    }
    return value;
  }

  /// A number as parse_any_number takes it; the usual spellings are read here.
  template <weight W>
  [[nodiscard]] W number(const char* what);

 private:
  [[nodiscard]] std::uint64_t unusual_unsigned(const char* start, const char* what);

  const char* at_;
  const char* end_;
};

/// A plain decimal whose value is one correctly rounded operation away.
/// @source Clinger 1990: digits and power of ten both exact, so one division rounds once
template <class Float>
struct exact_decimals;
template <>
struct exact_decimals<float> {
  static constexpr std::uint64_t largest_digits = std::uint64_t{1} << 24;
  static constexpr std::array<float, 11> powers{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                                1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
};
template <>
struct exact_decimals<double> {
  static constexpr std::uint64_t largest_digits = std::uint64_t{1} << 53;
  static constexpr std::array<double, 16> powers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
};

template <weight W>
W cursor::number(const char* what) {
  const char* at = at_;
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  std::uint64_t digits = 0;
  const char* const first = at;
  while (is_digit(*at)) {
    digits = 10 * digits + static_cast<std::uint64_t>(*at++ - '0');
  }
  std::ptrdiff_t num_digits = at - first;
  std::ptrdiff_t num_decimals = 0;
  if constexpr (!std::is_same_v<W, std::int32_t>) {
    if (*at == '.') {
      const char* const point = at++;
      while (is_digit(*at)) {
        digits = 10 * digits + static_cast<std::uint64_t>(*at++ - '0');
      }
      num_decimals = at - point - 1;
      num_digits += num_decimals;
    }
  }
  if (num_digits > 0 && num_digits <= 19 && ends_word(*at)) {
    if constexpr (std::is_same_v<W, none>) {
      at_ = at;
      return {};
    } else if constexpr (std::is_same_v<W, std::int32_t>) {
      if (digits <= std::uint64_t{0x7FFFFFFF}) {
        at_ = at;
        const auto value = static_cast<std::int32_t>(digits);
        return negative ? -value : value;
      }
    } else {
      using exact = exact_decimals<W>;
      if (digits <= exact::largest_digits &&
          num_decimals < static_cast<std::ptrdiff_t>(exact::powers.size())) {
        at_ = at;
        const W value =
            static_cast<W>(digits) / exact::powers[static_cast<std::size_t>(num_decimals)];
        return negative ? -value : value;
      }
    }
  }
  return parse_any_number<W>(at_, what);
}

}  // namespace tendril::detail
