#pragma once

#include <string>
#include <string_view>

#include "graph/read/cursor.hpp"

// The columns of a row of texts, in files of edges and of points.

namespace tendril::detail {

/// What separates the columns of a row: a comma if there is one outside quotes, else a semicolon,
/// else a tab, else blanks.
[[nodiscard]] char separator_of(std::string_view row);

/// Takes the next field: without blanks around it and, where it is quoted, without its quotes; in
/// them "" stands for one quote.
/// @param separator  ' ' stands for runs of blanks
/// @param kept       holds the text where it differs from the row's
/// @throws syntax_error where a quote is not closed in the same line
[[nodiscard]] std::string_view take_field(cursor& row, char separator, std::string& kept);

/// True if the row goes on; moves behind the separator.
/// @throws syntax_error where something else follows the field
[[nodiscard]] bool next_field(cursor& row, char separator);

}  // namespace tendril::detail
