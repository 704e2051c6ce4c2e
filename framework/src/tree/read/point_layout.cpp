#include "tree/read/point_layout.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "graph/counted.hpp"
#include "graph/file_name.hpp"
#include "graph/read/fields.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

[[nodiscard]] std::optional<double> parse_coordinate(std::string_view field) {
  if (field.starts_with('+')) {
    field.remove_prefix(1);
    if (field.starts_with('-')) {
      return std::nullopt;
    }
  }
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {  // also what rounds to zero or a subnormal number
    value = std::strtod(std::string(field).c_str(), nullptr);
  }
  return value;
}

[[nodiscard]] std::vector<std::string> fields_of(const std::string& row, char separator) {
  std::vector<std::string> fields;
  std::string kept;
  cursor at(row.data(), row.data() + row.size());
  do {
    fields.emplace_back(take_field(at, separator, kept));
  } while (next_field(at, separator));
  return fields;
}

[[nodiscard]] std::optional<std::size_t> position_of(const std::vector<std::string>& fields,
                                                     std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const std::string& field) {
    return lower_case(field) == name;
  });
  if (found == fields.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - fields.begin());
}

/// The columns that hold x and y where nobody says so.
[[nodiscard]] std::vector<std::size_t> usual_columns(const std::vector<std::string>& fields) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
      {{"x", "y"}, {"longitude", "latitude"}, {"lon", "lat"}, {"lng", "lat"}}};
  for (const auto& [x, y] : known) {
    const auto x_at = position_of(fields, x);
    const auto y_at = position_of(fields, y);
    if (x_at && y_at) {
      return {*x_at, *y_at};
    }
  }
  return {0, 1};
}

/// The column that a name or a number stands for.
[[nodiscard]] std::size_t wanted_column(const std::vector<std::string>& fields,
                                        const std::string& wanted, const std::string& where) {
  // Numbers first, and they are names only in a header.
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  if (stop == end && error == std::errc{} && number >= 1 && number <= fields.size()) {
    return number - 1;
  }
  if (!std::all_of(fields.begin(), fields.end(), is_coordinate)) {
    if (const auto named = position_of(fields, lower_case(wanted))) {
      return *named;
    }
  }
  constexpr std::size_t most_shown = 20;
  std::string names;
  for (std::size_t i = 0; i < std::min(fields.size(), most_shown); ++i) {
    names += (i == 0 ? "" : ", ") + clipped(fields[i]);
  }
  names += fields.size() > most_shown ? ", ..." : "";
  throw input_error(where + "expected a column '" + wanted + "', found 1 .. " +
                    std::to_string(fields.size()) + ": " + names);
}

[[nodiscard]] std::vector<std::size_t> chosen_columns(const std::vector<std::string>& fields,
                                                      const std::vector<std::string>& wanted,
                                                      const std::string& where) {
  if (wanted.empty()) {
    return usual_columns(fields);
  }
  std::vector<std::size_t> columns(wanted.size());
  std::transform(wanted.begin(), wanted.end(), columns.begin(),
                 [&](const std::string& each) { return wanted_column(fields, each, where); });
  return columns;
}

/// @param where  for messages
void describe_first_row(point_layout& layout, const std::string& row,
                        const std::vector<std::string>& wanted, const std::string& where,
                        std::uint64_t line) {
  layout.has_rows = true;
  layout.separator = separator_of(row);
  const std::vector<std::string> fields = fields_of(row, layout.separator);
  layout.columns = chosen_columns(fields, wanted, where);
  bool holds_number = false;
  std::string not_a_number;
  for (const std::size_t column : layout.columns) {
    if (column >= fields.size()) {
      throw input_error(where + "expected x and y, found " +
                        counted(fields.size(), "column", "columns"));
    }
    if (!is_coordinate(fields[column])) {
      layout.header_line = line;
      not_a_number = clipped(fields[column]);
    } else {
      holds_number = true;
    }
  }
  if (holds_number && layout.header_line > 0) {
    throw input_error(where +
                      "expected a row of numbers or a header of names, found a number and " +
                      not_a_number);
  }
  for (const std::size_t column : layout.columns) {
    layout.names.push_back(layout.header_line > 0 ? fields[column] : "");
  }
}

/// Takes `p aux sp co`; leaves the cursor where it is before anything else.
[[nodiscard]] bool takes_problem_words(cursor& line) {
  cursor at = line;
  for (const std::string_view word : {"p", "aux", "sp", "co"}) {
    if (at.word() != word) {
      return false;
    }
    at.skip_blanks();
  }
  line = at;
  return true;
}

/// @param line  behind the words of the problem line
[[nodiscard]] point_layout describe_problem(cursor line, const std::vector<std::string>& wanted,
                                            const std::filesystem::path& path,
                                            std::uint64_t line_number) {
  const std::string where = line_prefix(path, line_number);
  point_layout layout;
  layout.has_rows = true;
  layout.dimacs_line = line_number;
  layout.columns = chosen_columns({"v", "id", "x", "y"}, wanted, where);
  layout.names.resize(layout.columns.size());
  try {
    layout.num_declared = line.unsigned_number("a number of points");
    line.end_line();
  } catch (const syntax_error& error) {
    throw input_error(where + error.what());
  }
  return layout;
}

}  // namespace

double coordinate_of(std::string_view field, const char* where) {
  const auto value = parse_coordinate(field);
  if (!value || !std::isfinite(*value)) {
    throw syntax_error(where, "expected a finite number, found " +
                                  (field.empty() ? "nothing" : "'" + clipped(field) + "'"));
  }
  return *value;
}

bool is_coordinate(std::string_view field) {
  return parse_coordinate(field).has_value();
}

point_layout find_point_layout(const std::filesystem::path& path,
                               const std::vector<std::string>& wanted) {
  text_reader reader(path);
  std::string first_row;  // were there no problem line behind it
  std::uint64_t line_of_first = 0;
  bool may_be_dimacs = true;
  while (may_be_dimacs || first_row.empty()) {
    const auto line = reader.next_line();
    if (!line) {
      break;
    }
    // The line goes on to its '\n' in memory, as a cursor wants it.
    cursor at(line->data(), line->data() + line->size() + 1);
    at.skip_blanks();
    if (at.at_line_end() || is_point_comment(at.position(), false)) {
      continue;
    }
    if (may_be_dimacs && takes_problem_words(at)) {
      return describe_problem(at, wanted, path, reader.line_number());
    }
    may_be_dimacs = may_be_dimacs && is_point_comment(at.position(), true);
    if (first_row.empty()) {
      first_row = std::string(*line) + '\n';
      line_of_first = reader.line_number();
    }
  }
  point_layout layout;
  if (!first_row.empty()) {
    const std::string where = line_prefix(path, line_of_first);
    try {
      describe_first_row(layout, first_row, wanted, where, line_of_first);
    } catch (const syntax_error& error) {
      throw input_error(where + error.what());
    }
  }
  return layout;
}

}  // namespace tendril::detail
