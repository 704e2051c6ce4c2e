#include "graph/read/header.hpp"

#include "graph/counted.hpp"

namespace tendril::detail {

std::uint64_t vertex_count(cursor& line, const char* what) {
  const char* const where = line.position();
  const std::uint64_t count = line.unsigned_number(what);
  if (count >= no_vertex) {
    refuse(where, std::string(what) + " below " + std::to_string(no_vertex));
  }
  return count;
}

void refuse_index(const char* where, const char* what, std::uint64_t num_vertices,
                  vertex_id index_base) {
  if (num_vertices == 0) {
    refuse(where, std::string(what) + " of a graph without vertices");
  }
  refuse(where, std::string(what) + " in " + std::to_string(index_base) + " .. " +
                    std::to_string(num_vertices + index_base - 1));
}

void refuse_unless_counts_agree(const std::filesystem::path& path, std::uint64_t header_line,
                                const char* one, const char* many, std::uint64_t declared,
                                std::uint64_t found) {
  if (found != declared) {
    throw input_error(line_prefix(path, header_line) + "expected " + counted(declared, one, many) +
                      ", found " + std::to_string(found));
  }
}

}  // namespace tendril::detail
