#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read/cursor.hpp"

namespace tendril::detail {

/// How the rows of an edge list are to be read, decided by its first two rows (comments, which
/// start with #, % or //, and blank lines are no rows):
/// - Ids are numbers if the first row has numbers, or the second does below a header.
/// - Otherwise ids are texts, compared byte by byte; the columns are split at commas if the first
///   row has one, else at semicolons, else at tabs, else at blanks.
/// - The first row is a header if none of its fields is a number and either the second row's ids
///   are numbers, or the second row has a number as its third field, or it starts with a pair
///   of words that name end points ("source,target", "from to", "origin;destination", ...).
/// - Three columns are end points and weight, for all rows or none.
struct edge_list_layout {
  bool has_texts = false;
  bool has_weights = false;
  char separator = ' ';  ///< of texts; numbers take blanks with at most one comma or semicolon
  std::uint64_t header_line = 0;  ///< 0: no header
};

/// @throws input_error naming the line whose columns are not two or three
[[nodiscard]] edge_list_layout find_layout(const std::filesystem::path& path);

/// The columns of a row, without quotes around them. @param row  at its first byte that is not
/// blank
[[nodiscard]] std::vector<std::string> columns_of(cursor row, const edge_list_layout& layout);

/// True if a file that starts with these rows, each ended by '\n', is read as texts, and the first
/// of them as an edge. @param second  empty where there is no second row
[[nodiscard]] bool reads_as_texts(const std::string& first, const std::string& second);

/// True at a comment. @param at  first byte of a line that is not blank
[[nodiscard]] inline bool starts_comment(const char* at) {
  return *at == '#' || *at == '%' || (*at == '/' && at[1] == '/');
}

/// Takes the next field of a row of texts, as take_field(). Empty fields are refused; between
/// blanks, tabs and the start of the row there are none.
[[nodiscard]] std::string_view text_field(cursor& row, char separator, const char* what,
                                          std::string& kept);

/// True if a row of texts goes on; moves behind the separator. Blanks at its end are no field.
[[nodiscard]] bool next_text(cursor& row, char separator);

}  // namespace tendril::detail
