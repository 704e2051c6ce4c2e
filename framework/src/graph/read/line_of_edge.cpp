#include <string>
#include <vector>

#include "graph/read/fields.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/graph/read.hpp"

namespace tendril {

namespace {

/// `words` has the edge, either end first, and behind it a weight below 0.
bool lists_negative_edge(const std::vector<std::string>& words, const std::string& source,
                         const std::string& target) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    const bool has_ends = (words[i] == source && words[i + 1] == target) ||
                          (words[i] == target && words[i + 1] == source);
    if (has_ends && words[i + 2].starts_with('-')) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> line_of_negative_edge(const std::filesystem::path& path,
                                                   file_format format, const std::string& source,
                                                   const std::string& target) {
  if (format != file_format::matrix_market && format != file_format::edge_list &&
      format != file_format::dimacs) {
    return std::nullopt;
  }
  std::string kept;
  detail::text_reader reader(path);
  while (const auto line = reader.next_line()) {
    const char separator = detail::separator_of(*line);
    std::vector<std::string> words;
    detail::cursor at(line->data(), line->data() + line->size() + 1);
    try {
      do {
        words.emplace_back(detail::take_field(at, separator, kept));
      } while (detail::next_field(at, separator));
    } catch (const detail::syntax_error&) {
      continue;  // a comment
    }
    if (lists_negative_edge(words, source, target)) {
      return reader.line_number();
    }
  }
  return std::nullopt;
}

}  // namespace tendril
