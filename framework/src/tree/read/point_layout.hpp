#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read/cursor.hpp"

namespace tendril::detail {

/// How the rows of a point file are to be read, decided by its first row or by the problem line of
/// DIMACS coordinates.
struct point_layout {
  char separator = ' ';              ///< ' ' stands for runs of blanks
  std::uint64_t dimacs_line = 0;     ///< of `p aux sp co N`; 0: rows are not `v ID X Y`
  std::uint64_t num_declared = 0;    ///< N
  std::uint64_t header_line = 0;     ///< 0: no header
  std::vector<std::size_t> columns;  ///< wanted columns, from 0, in the order they were asked for
  std::vector<std::string> names;    ///< of the wanted columns
  bool has_rows = false;

  [[nodiscard]] bool is_dimacs() const { return dimacs_line > 0; }
};

/// @param wanted  as point_file_options::columns
/// @throws input_error naming a column that the file does not have, or what a problem line lacks
[[nodiscard]] point_layout find_point_layout(const std::filesystem::path& path,
                                             const std::vector<std::string>& wanted);

/// True at a line that is no row. @param at  its first byte that is not blank
[[nodiscard]] inline bool is_point_comment(const char* at, bool is_dimacs) {
  return *at == '#' || *at == '%' || (is_dimacs && *at == 'c' && ends_word(at[1]));
}

/// A field as a number, rounded to the nearest double; what is too small becomes zero.
/// @param where  it stands in the row
/// @throws syntax_error for anything but a finite number
[[nodiscard]] double coordinate_of(std::string_view field, const char* where);

/// True if coordinate_of would take it.
[[nodiscard]] bool is_coordinate(std::string_view field);

}  // namespace tendril::detail
