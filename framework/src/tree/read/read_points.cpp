#include "tendril/tree/read_points.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

#include "graph/read/block_pipeline.hpp"
#include "graph/read/fields.hpp"
#include "graph/read/header.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"
#include "tree/read/point_layout.hpp"

namespace tendril {

namespace {

using detail::cursor;
using detail::point_layout;
using detail::text_block;

using column_list = std::vector<std::vector<double>>;

/// Reads the wanted fields of one row; leaves the cursor at the end of the line.
void parse_row(cursor& row, const point_layout& layout, std::vector<double>& values,
               std::size_t last_column) {
  std::size_t num_found = 0;
  std::string kept;  // of names; a number needs none
  for (std::size_t column = 0; column <= last_column; ++column) {
    const char* const where = row.position();
    const std::string_view field = detail::take_field(row, layout.separator, kept);
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
      if (layout.columns[i] == column) {
        values[i] = detail::coordinate_of(field, where);
        ++num_found;
      }
    }
    if (!detail::next_field(row, layout.separator)) {
      break;
    }
  }
  if (num_found < layout.columns.size()) {
    throw detail::syntax_error(row.position(), "expected " + std::to_string(last_column + 1) +
                                                   " columns or more, found the end of the line");
  }
}

/// True at a line that is to hold a point.
[[nodiscard]] bool is_row(cursor at, std::uint64_t line, const point_layout& layout) {
  at.skip_blanks();
  return !at.at_line_end() && line != layout.header_line && line != layout.dimacs_line &&
         !detail::is_point_comment(at.position(), layout.is_dimacs());
}

void refuse_unless_vertex(cursor at) {
  const char* const where = at.position();
  if (at.word() != "v") {
    detail::refuse(where, "a point (v ID X Y) or a comment (c)");
  }
}

[[nodiscard]] column_list parse_block(const text_block& block, const point_layout& layout) {
  const std::size_t last_column = *std::max_element(layout.columns.begin(), layout.columns.end());
  column_list columns(layout.columns.size());
  for (auto& column : columns) {
    column.reserve(block.num_lines());
  }
  std::vector<double> values(layout.columns.size());
  std::uint64_t line = block.first_line();
  for (cursor row(block.begin(), block.end()); !row.done(); row.skip_line(), ++line) {
    if (!is_row(row, line, layout)) {
      continue;
    }
    if (layout.separator != '\t') {  // there a first field may be empty
      row.skip_blanks();
    }
    if (layout.is_dimacs()) {
      refuse_unless_vertex(row);
    }
    parse_row(row, layout, values, last_column);
    for (std::size_t i = 0; i < values.size(); ++i) {
      columns[i].push_back(values[i]);
    }
  }
  return columns;
}

[[nodiscard]] bool is_empty_file(const std::filesystem::path& path) {
  std::error_code failure;
  return std::filesystem::is_regular_file(path, failure) &&
         std::filesystem::file_size(path, failure) == 0 && !failure;
}

}  // namespace

number_columns read_columns(const std::filesystem::path& path, const point_file_options& options) {
  number_columns result;
  result.columns.resize(options.columns.empty() ? 2 : options.columns.size());
  if (is_empty_file(path)) {
    result.names.resize(result.columns.size());
    return result;
  }
  const point_layout layout = detail::find_point_layout(path, options.columns);
  result.names = layout.names;
  result.names.resize(result.columns.size());  // a file of comments names none
  if (!layout.has_rows) {
    return result;
  }
  detail::text_reader reader(path, options.progress);
  detail::for_each_block(
      reader, [&](const text_block& block) { return parse_block(block, layout); },
      [&](column_list&& columns) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
          result.columns[i].insert(result.columns[i].end(), columns[i].begin(), columns[i].end());
        }
        return true;
      });
  if (layout.is_dimacs()) {
    detail::refuse_unless_counts_agree(path, layout.dimacs_line, "point", "points",
                                       layout.num_declared, result.columns[0].size());
  }
  return result;
}

points<double> read_points(const std::filesystem::path& path, const point_file_options& options) {
  if (!options.columns.empty() && options.columns.size() != 2) {
    throw usage_error("points: expected 2 columns, x and y, found " +
                      std::to_string(options.columns.size()));
  }
  const number_columns read = read_columns(path, options);
  std::vector<point<double>> positions;
  positions.reserve(read.columns[0].size());
  for (std::size_t row = 0; row < read.columns[0].size(); ++row) {
    positions.push_back({read.columns[0][row], read.columns[1][row]});
  }
  return points<double>(std::move(positions));
}

std::uint64_t line_of_row(const std::filesystem::path& path, const point_file_options& options,
                          std::uint64_t row) {
  const point_layout layout = detail::find_point_layout(path, options.columns);
  detail::text_reader reader(path);
  for (std::uint64_t above = row + 1; above > 0;) {
    const auto line = reader.next_line();
    if (!line) {
      break;
    }
    cursor at(line->data(), line->data() + line->size() + 1);
    above -= is_row(at, reader.line_number(), layout) ? 1U : 0U;
  }
  return reader.line_number();
}

}  // namespace tendril
