#include "graph/read/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace tendril::detail {

namespace {

constexpr std::size_t longest_token_shown = 40;

[[nodiscard]] std::string_view word_at(const char* where) {
  const char* end = where;
  while (!ends_word(*end)) {
    ++end;
  }
  return {where, static_cast<std::size_t>(end - where)};
}

template <class T>
[[nodiscard]] std::from_chars_result convert(std::string_view text, T& value) {
  return std::from_chars(text.data(), text.data() + text.size(), value);
}

/// Decimal exponent of the leading digit: 0 for 3.5, 2 for 350, -3 for .0035. For numbers that are
/// out of range, to tell too large from too small.
[[nodiscard]] std::int64_t decimal_magnitude(std::string_view number) {
  const std::size_t mantissa_size = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mantissa_size);
  std::string_view written = number.substr(mantissa_size);
  written.remove_prefix(std::min<std::size_t>(written.size(), 1));
  if (written.starts_with('+')) {
    written.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  if (convert(written, exponent).ec == std::errc::result_out_of_range) {
    exponent = std::numeric_limits<std::int32_t>::max() * (written.starts_with('-') ? -1LL : 1LL);
  }
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto leading =
      static_cast<std::int64_t>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
  return exponent + (leading < point ? point - leading - 1 : point - leading);
}

/// The number, without its sign, as the nearest Float; infinite if it is too large.
template <class Float>
[[nodiscard]] Float nearest(std::string_view magnitude, bool& is_number) {
  Float value{};
  const auto [end, error] = convert(magnitude, value);
  is_number = end == magnitude.data() + magnitude.size() && error != std::errc::invalid_argument &&
              !magnitude.starts_with('-');
  if (error == std::errc::result_out_of_range) {
    return decimal_magnitude(magnitude) > 0 ? std::numeric_limits<Float>::infinity() : Float{0};
  }
  return value;
}

[[nodiscard]] bool is_whole(std::string_view magnitude) {
  return !magnitude.empty() && std::all_of(magnitude.begin(), magnitude.end(), is_digit);
}

/// True if the whole number is the value, digit by digit.
template <class Float>
[[nodiscard]] bool is_exactly(Float value, std::string_view whole) {
  std::array<char, 400> digits{};  // the largest double has 309
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::fixed, 0)
                       .ptr;
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size() - 1));
  return whole == std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

template <numeric_weight W>
constexpr const char* type_name = "double";
template <>
constexpr const char* type_name<std::int32_t> = "int32";
template <>
constexpr const char* type_name<float> = "float";

}  // namespace

std::string clipped(std::string_view found) {
  std::string text;
  for (const char c : found.substr(0, longest_token_shown)) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      text += c;
    } else {
      text += "\\x";
      text += hexadecimal[byte >> 4U];
      text += hexadecimal[byte & 15U];
    }
  }
  return text + (found.size() > longest_token_shown ? "..." : "");
}

std::string describe_token(const char* where) {
  if (*where == '\n' || (*where == '\r' && where[1] == '\n')) {
    return "the end of the line";
  }
  const std::string_view token = word_at(where);
  return '"' + clipped(token.empty() ? std::string_view(where, 1) : token) + '"';
}

void refuse(const char* where, const std::string& expected) {
  throw syntax_error(where, "expected " + expected + ", found " + describe_token(where));
}

std::uint64_t cursor::unusual_unsigned(const char* start, const char* what) {
  const std::string_view digits = word_at(start);
  if (!is_whole(digits)) {
    refuse(start, std::string(what) + " (a whole number, not negative)");
  }
  std::uint64_t value = 0;
  if (convert(digits, value).ec != std::errc{}) {
    refuse(start, std::string(what) + " of at most 64 bits");
  }
  at_ = start + digits.size();
  return value;
}

template <weight W>
W parse_any_number(const char*& at, const char* what) {
  const char* const start = at;
  const std::string_view token = word_at(start);
  const bool negative = token.starts_with('-');
  const std::string_view magnitude = token.substr(negative || token.starts_with('+') ? 1 : 0);
  bool is_number = false;
  const auto value = nearest<double>(magnitude, is_number);
  if (!is_number) {
    refuse(start, std::string(what) + " (a number)");
  }
  if (!std::isfinite(value)) {
    refuse(start, std::string(what) + " that is finite and in range");
  }
  at = start + token.size();
  if constexpr (std::is_same_v<W, none>) {
    return {};
  } else if constexpr (std::is_same_v<W, std::int32_t>) {
    return to_weight<std::int32_t>(negative ? -value : value, start, what);
  } else {
    const W rounded = nearest<W>(magnitude, is_number);
    if (!std::isfinite(rounded)) {
      refuse(start, std::string(what) + " in the range of " + type_name<W>);
    }
    if (is_whole(magnitude) && !is_exactly(rounded, magnitude)) {
      refuse(start, std::string(what) + " that " + type_name<W> + " holds exactly");
    }
    return negative ? -rounded : rounded;
  }
}

template <weight W>
W to_weight(double value, const char* where, const char* what) {
  if constexpr (std::is_same_v<W, none>) {
    return {};
  } else {
    if constexpr (std::is_same_v<W, std::int32_t>) {
      if (value != std::trunc(value)) {
        refuse(where, std::string(what) + " that int32 holds exactly");
      }
    }
    if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<W>::max())) &&
        value != static_cast<double>(std::numeric_limits<W>::lowest())) {
      refuse(where, std::string(what) + " in the range of " + type_name<W>);
    }
    return static_cast<W>(value);
  }
}

bool is_integer(std::string_view number) {
  return is_whole(number.substr(number.starts_with('-') || number.starts_with('+') ? 1 : 0));
}

template none parse_any_number<none>(const char*& at, const char* what);
template std::int32_t parse_any_number<std::int32_t>(const char*& at, const char* what);
template float parse_any_number<float>(const char*& at, const char* what);
template double parse_any_number<double>(const char*& at, const char* what);
template none to_weight<none>(double value, const char* where, const char* what);
template std::int32_t to_weight<std::int32_t>(double value, const char* where, const char* what);
template float to_weight<float>(double value, const char* where, const char* what);
template double to_weight<double>(double value, const char* where, const char* what);

}  // namespace tendril::detail
