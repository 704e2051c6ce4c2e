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

constexpr std::string_view blanks = " \t\r\v\f";

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
  std::string names;
  for (const std::string& field : fields) {
    names += (names.empty() ? "" : ", ") + field;
  }
  throw input_error(where + "expected a column '" + wanted + "', found 1 .. " +
                    std::to_string(fields.size()) + ": " + names);
}

/// @param where  for messages
void describe_first_row(point_layout& layout, const std::string& row,
                        const std::vector<std::string>& wanted, const std::string& where,
                        std::uint64_t line) {
  layout.has_rows = true;
  layout.separator = separator_of(row);
  const std::vector<std::string> fields = fields_of(row, layout.separator);
  if (layout.is_dimacs) {
    layout.columns = {2, 3};
  } else if (wanted.empty()) {
    layout.columns = usual_columns(fields);
  } else {
    for (const std::string& each : wanted) {
      layout.columns.push_back(wanted_column(fields, each, where));
    }
  }
  bool holds_number = false;
  std::string not_a_number;
  for (const std::size_t column : layout.columns) {
    if (column >= fields.size()) {
      throw input_error(where + "expected x and y, found " +
                        counted(fields.size(), "column", "columns"));
    }
    if (!is_coordinate(fields[column])) {
      layout.header_line = line;
      not_a_number = fields[column];
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

}  // namespace

double coordinate_of(std::string_view field, const char* where) {
  const auto value = parse_coordinate(field);
  if (!value || !std::isfinite(*value)) {
    std::string found(field.substr(0, 40));
    throw syntax_error(where, "expected a finite number, found " +
                                  (found.empty() ? "nothing" : "'" + found + "'"));
  }
  return *value;
}

bool is_coordinate(std::string_view field) {
  return parse_coordinate(field).has_value();
}

point_layout find_point_layout(const std::filesystem::path& path,
                               const std::vector<std::string>& wanted) {
  point_layout layout;
  text_reader reader(path);
  while (const auto line = reader.next_line()) {
    const auto first = line->find_first_not_of(blanks);
    if (first == std::string_view::npos) {
      continue;
    }
    const std::string row = std::string(*line) + '\n';
    if (row.starts_with("p aux sp co") || row.starts_with("c ")) {
      layout.is_dimacs = layout.is_dimacs || row[0] == 'p';
    } else if (!is_point_comment(row.data() + first, layout.is_dimacs)) {
      const std::string where = line_prefix(path, reader.line_number());
      try {
        describe_first_row(layout, row, wanted, where, reader.line_number());
      } catch (const syntax_error& error) {
        throw input_error(where + error.what());
      }
      break;
    }
  }
  return layout;
}

}  // namespace tendril::detail
