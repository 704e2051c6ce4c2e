#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace tendril::app {

namespace {

std::size_t num_characters(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

template <std::size_t Size>
std::string scaled(double value, double step, const std::array<const char*, Size>& units) {
  std::size_t unit = 0;
  // 999.5 would be rounded to 1000: the next unit already.
  while (unit + 1 < Size && value >= step * 0.9995) {
    value /= step;
    ++unit;
  }
  return rounded(value) + units[unit];
}

template <class Float>
std::string shortest(Float value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      text += ',';
    }
    text += digits[i];
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return grouped(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text.append(i == 0 ? "" : between).append(words[i]);
  }
  return text;
}

std::string rounded(double value) {
  constexpr double most_digits = 1e15;
  if (value >= most_digits) {
    return shortest(value);
  }
  if (value >= 999.5) {
    return grouped(static_cast<std::uint64_t>(std::llround(value)));
  }
  int decimals = 3;
  if (value >= 99.95) {
    decimals = 0;
  } else if (value >= 9.995) {
    decimals = 1;
  } else if (value >= 0.9995) {
    decimals = 2;
  }
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
  return buffer.data();
}

std::string number(double value) {
  return shortest(value);
}

std::string number(float value) {
  return shortest(value);
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

std::string field_text(const std::string& name) {
  std::string text;
  for (const char c : name) {
    constexpr std::string_view special = "\t\n\r\\";
    const std::size_t which = special.find(c);
    text += which == std::string_view::npos ? std::string(1, c) : std::string{'\\', "tnr\\"[which]};
  }
  return text;
}

std::string duration(double ms) {
  return ms < 0.9995 ? rounded(ms * 1000) + " us" : scaled(ms, 1000, std::array{" ms", " s"});
}

std::string metric(double value) {
  return scaled(value, 1000, std::array{"", " k", " M", " G", " T"});
}

std::string binary_bytes(std::uint64_t bytes) {
  return bytes < 1024 ? std::to_string(bytes) + " B"
                      : scaled(static_cast<double>(bytes) / 1024, 1024,
                               std::array{" KiB", " MiB", " GiB", " TiB"});
}

std::string header_note(std::uint64_t line) {
  return line == 0 ? "" : "; line " + std::to_string(line) + " names the columns";
}

std::string align_right(std::string_view text, std::size_t width) {
  const std::size_t length = num_characters(text);
  return std::string(width > length ? width - length : 0, ' ') + std::string(text);
}

std::string align_left(std::string_view text, std::size_t width) {
  const std::size_t length = num_characters(text);
  return std::string(text) + std::string(width > length ? width - length : 0, ' ');
}

}  // namespace tendril::app
