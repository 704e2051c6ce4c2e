#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read/cursor.hpp"

namespace tendril::detail {

/// How the rows of a point file are to be read, decided by its first row.
struct point_layout {
  char separator = ' ';              ///< ' ' stands for runs of blanks
  bool is_dimacs = false;            ///< rows are `v ID X Y`
  std::uint64_t header_line = 0;     ///< 0: no header
  std::vector<std::size_t> columns;  ///< wanted columns, from 0, in the order they were asked for
  std::vector<std::string> names;    ///< of the wanted columns
  bool has_rows = false;
};

/// @param wanted  as point_file_options::columns
/// @throws input_error naming a column that the file does not have
[[nodiscard]] point_layout find_point_layout(const std::filesystem::path& path,
                                             const std::vector<std::string>& wanted);

/// True at a line that is no row. @param at  its first byte that is not blank
[[nodiscard]] inline bool is_point_comment(const char* at, bool is_dimacs) {
  return *at == '#' || *at == '%' || (is_dimacs && *at != 'v');
}

/// A field as a number, rounded to the nearest double; what is too small becomes zero.
/// @param where  it stands in the row
/// @throws syntax_error for anything but a finite number
[[nodiscard]] double coordinate_of(std::string_view field, const char* where);

/// True if coordinate_of would take it.
[[nodiscard]] bool is_coordinate(std::string_view field);

}  // namespace tendril::detail
