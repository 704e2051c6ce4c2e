#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "graph/read/cursor.hpp"
#include "graph/read/text_reader.hpp"
#include "tendril/core/error.hpp"

// What the text formats that declare their size have in common: header lines, ids in a declared
// range, declared counts.

namespace tendril::detail {

/// A number of vertices, or of what each has: below no_vertex. @param what  the noun for messages
[[nodiscard]] std::uint64_t vertex_count(cursor& line, const char* what);

[[noreturn]] void refuse_index(const char* where, const char* what, std::uint64_t num_vertices,
                               vertex_id index_base);

/// An id in index_base .. index_base + num_vertices - 1, made 0-based. @param what  for messages
[[nodiscard]] inline vertex_id vertex_index(cursor& at, const char* what,
                                            std::uint64_t num_vertices, vertex_id index_base) {
  const char* const where = at.position();
  const std::uint64_t id = at.unsigned_number(what) - index_base;
  if (id >= num_vertices) {
    refuse_index(where, what, num_vertices, index_base);
  }
  return static_cast<vertex_id>(id);
}

/// Hands the next line that is neither blank nor a comment to parse, with errors that name it.
/// @param expected   what is missing if the file ends before
/// @param comments   first characters of comments
template <class Parse>
void parse_header_line(text_reader& reader, const char* expected, std::string_view comments,
                       Parse parse) {
  while (const auto line = reader.next_line()) {
    // The line goes on to its '\n' in memory, as a cursor wants it.
    cursor at(line->data(), line->data() + line->size() + 1);
    at.skip_blanks();
    if (at.at_line_end() || comments.find(at.peek()) != std::string_view::npos) {
      continue;
    }
    try {
      parse(at);
    } catch (const syntax_error& error) {
      throw input_error(line_prefix(reader.path(), reader.line_number()) + error.what());
    }
    return;
  }
  throw input_error(line_prefix(reader.path(), reader.line_number() + 1) + "expected " + expected +
                    ", found the end of the file");
}

/// Refuses a body that has another number of entries than the header declares.
/// @param one, many  what is counted, for the message
void refuse_unless_counts_agree(const std::filesystem::path& path, std::uint64_t header_line,
                                const char* one, const char* many, std::uint64_t declared,
                                std::uint64_t found);

}  // namespace tendril::detail
