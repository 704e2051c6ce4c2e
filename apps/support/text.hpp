#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Numbers as people read them; JSON and --out have them plain.

namespace tendril::app {

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);

/// (1, "vertex", "vertices") -> "1 vertex"; (2000, ...) -> "2,000 vertices".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

/// ({"a", "b"}, " and ") -> "a and b".
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view between);

/// Three significant digits: "0.532", "5.32", "53.2", "532", then whole and grouped.
[[nodiscard]] std::string rounded(double value);

/// The shortest text that reads back as the same number: "0.1", "3", "1e+30".
[[nodiscard]] std::string number(double value);
[[nodiscard]] std::string number(float value);
[[nodiscard]] std::string number(std::int64_t value);

/// How field_text() writes a name, for help texts.
inline constexpr const char* escapes =
    "Tab, line end, carriage return and backslash in a name are written \\t, \\n, \\r and \\\\";
/// A vertex's name as a field of --out.
[[nodiscard]] std::string field_text(const std::string& name);

/// 0.0123 -> "12.3 us", 12.3 -> "12.3 ms", 12345 -> "12.3 s".
[[nodiscard]] std::string duration(double ms);

/// 1.23e9 -> "1.23 G", 532000 -> "532 k": for rates and axis labels.
[[nodiscard]] std::string metric(double value);

/// 1536 -> "1.50 KiB".
[[nodiscard]] std::string binary_bytes(std::uint64_t bytes);

/// The text padded on the left, or on the right, to a width counted in characters of UTF-8.
[[nodiscard]] std::string align_right(std::string_view text, std::size_t width);
[[nodiscard]] std::string align_left(std::string_view text, std::size_t width);

/// "; line 1 names the columns", for a file whose line was not read as an edge; nothing for line 0.
[[nodiscard]] std::string header_note(std::uint64_t line);

}  // namespace tendril::app
