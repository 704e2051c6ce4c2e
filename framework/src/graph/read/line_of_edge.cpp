#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "graph/read/edge_list_layout.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/graph/read.hpp"

namespace tendril {

namespace {

[[nodiscard]] bool is_negative(const std::string& number) {
  double value = 0;  // stays where the number is too small for a double
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value < 0;
}

/// `columns` are the edge, either end first, and behind it a weight below 0.
[[nodiscard]] bool lists_negative_edge(const std::vector<std::string>& columns,
                                       const std::string& source, const std::string& target) {
  return columns.size() >= 3 &&
         ((columns[0] == source && columns[1] == target) ||
          (columns[0] == target && columns[1] == source)) &&
         is_negative(columns[2]);
}

/// 007 as a reader names it: 7.
void drop_leading_zeros(std::string& id) {
  id.erase(0, std::min(id.find_first_not_of('0'), id.size() - 1));
}

}  // namespace

std::optional<std::uint64_t> line_of_negative_edge(const std::filesystem::path& path,
                                                   file_format format, const std::string& source,
                                                   const std::string& target) {
  if (format != file_format::matrix_market && format != file_format::edge_list &&
      format != file_format::dimacs) {
    return std::nullopt;
  }
  const bool is_dimacs = format == file_format::dimacs;
  const detail::edge_list_layout layout =
      format == file_format::edge_list ? detail::find_layout(path) : detail::edge_list_layout{};
  detail::text_reader reader(path);
  while (const auto line = reader.next_line()) {
    detail::cursor at(line->data(), line->data() + line->size() + 1);
    at.skip_blanks();
    if (is_dimacs && at.word() != "a") {
      continue;
    }
    at.skip_blanks();
    if (at.at_line_end() || detail::starts_comment(at.position()) ||
        reader.line_number() == layout.header_line) {
      continue;
    }
    std::vector<std::string> columns = detail::columns_of(at, layout);
    if (!layout.has_texts) {
      std::for_each(columns.begin(), columns.end(), drop_leading_zeros);
    }
    if (lists_negative_edge(columns, source, target)) {
      return reader.line_number();
    }
  }
  return std::nullopt;
}

}  // namespace tendril
