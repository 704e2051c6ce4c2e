#include "graph/read/fields.hpp"

namespace tendril::detail {

namespace {

/// What stands in quotes; the cursor is behind the first.
[[nodiscard]] std::string_view quoted_field(cursor& row, std::string& kept) {
  const char* const first = row.position();
  const char* begin = first;
  kept.clear();
  for (;; row.skip_char()) {
    if (row.at_line_end()) {
      refuse(first - 1, "a closing quote in the same line");
    }
    if (row.peek() != '"') {
      continue;
    }
    const char* const quote = row.position();
    row.skip_char();
    if (row.peek() != '"') {
      const std::string_view rest(begin, static_cast<std::size_t>(quote - begin));
      return kept.empty() ? rest : kept += rest;
    }
    kept.append(begin, row.position());  // with one of the two
    begin = row.position() + 1;
  }
}

}  // namespace

char separator_of(std::string_view row) {
  bool quoted = false;
  char found = ' ';
  for (const char c : row) {
    quoted = quoted != (c == '"');
    const bool is_stronger = c == ',' || (c == ';' && found != ',') || (c == '\t' && found == ' ');
    found = is_stronger && !quoted ? c : found;
  }
  return found;
}

std::string_view take_field(cursor& row, char separator, std::string& kept) {
  while (is_blank(row.peek()) && (separator == ' ' || row.peek() != separator)) {
    row.skip_char();
  }
  if (row.peek() == '"') {
    row.skip_char();
    return quoted_field(row, kept);
  }
  const char* const start = row.position();
  const auto is_end = [&] {
    return row.at_line_end() || (separator == ' ' ? is_blank(row.peek()) : row.peek() == separator);
  };
  while (!is_end()) {
    row.skip_char();
  }
  std::string_view field(start, static_cast<std::size_t>(row.position() - start));
  while (!field.empty() && is_blank(field.back())) {
    field.remove_suffix(1);
  }
  return field;
}

bool next_field(cursor& row, char separator) {
  while (is_blank(row.peek()) && (separator == ' ' || row.peek() != separator)) {
    row.skip_char();
  }
  if (row.at_line_end()) {
    return false;
  }
  if (separator != ' ') {
    if (row.peek() != separator) {
      refuse(row.position(), std::string("'") + separator + "' or the end of the line");
    }
    row.skip_char();
  }
  return true;
}

}  // namespace tendril::detail
