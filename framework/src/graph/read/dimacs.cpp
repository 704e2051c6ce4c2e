#include <cstdint>
#include <string>
#include <utility>

#include "graph/file_name.hpp"
#include "graph/read/assemble.hpp"
#include "graph/read/block_pipeline.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/header.hpp"
#include "graph/read/text_reader.hpp"

// The DIMACS family: comments `c ...` anywhere, one problem line, then one line per edge.
//   p sp N M     shortest paths:   a U V WEIGHT   directed
//   p tw N M     PACE tree width:  U V            undirected
//   p edge N M   colouring:        e U V          undirected; also `p col`. Lines n, d, v and x
//   (colours,
//                dimensions, coordinates, parameters) are skipped.

namespace tendril::detail {

namespace {

enum class problem : std::uint8_t { shortest_paths, tree_width, colouring };

struct dimacs_header {
  problem kind = problem::shortest_paths;
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t line = 0;
  vertex_id index_base = 1;
};

[[nodiscard]] problem problem_of(const std::string& word, const char* where) {
  if (word == "sp") {
    return problem::shortest_paths;
  }
  if (word == "tw") {
    return problem::tree_width;
  }
  if (word == "edge" || word == "edges" || word == "col") {
    return problem::colouring;
  }
  refuse(where, "sp, tw, edge or col");
}

/// True at a line that says nothing: blank, or a comment.
[[nodiscard]] bool skips(cursor& at) {
  at.skip_blanks();
  if (at.at_line_end()) {
    at.skip_char();
    return true;
  }
  const char first = at.peek();
  if (first == '%' || first == '#' || (first == 'c' && ends_word(at.position()[1]))) {
    at.skip_line();
    return true;
  }
  return false;
}

void parse_problem_line(cursor& at, dimacs_header& header) {
  const char* const where = at.position();
  if (at.word() != "p") {
    refuse(where, "a problem line (p sp, p tw, p edge or p col)");
  }
  at.skip_blanks();
  const char* const kind_at = at.position();
  header.kind = problem_of(lower_case(at.word()), kind_at);
  at.skip_blanks();
  header.num_vertices = vertex_count(at, "a number of vertices");
  at.skip_blanks();
  header.num_edges = at.unsigned_number("a number of edges");
  at.end_line();
}

[[nodiscard]] dimacs_header read_dimacs_header(text_reader& reader, const read_options& options) {
  dimacs_header header;
  header.index_base = options.index_base.value_or(1);
  bool found = false;
  while (!found) {
    parse_header_line(reader, "a problem line (p sp, p tw, p edge or p col)", "",
                      [&](cursor& line) {
                        if (!skips(line)) {
                          parse_problem_line(line, header);
                          found = true;
                        }
                      });
  }
  header.line = reader.line_number();
  return header;
}

/// Takes the letter that starts an edge line; false if the line is one to skip.
[[nodiscard]] bool takes_edge_letter(cursor& at, problem kind) {
  if (kind == problem::tree_width) {
    return true;
  }
  const char* const where = at.position();
  const std::string_view letter = at.word();
  if (kind == problem::shortest_paths) {
    if (letter != "a") {
      refuse(where, "an arc (a U V WEIGHT) or a comment (c)");
    }
  } else if (letter != "e") {
    if (letter != "n" && letter != "d" && letter != "v" && letter != "x") {
      refuse(where, "an edge (e U V) or a comment (c)");
    }
    return false;
  }
  at.skip_blanks();
  return true;
}

template <weight W>
[[nodiscard]] auto parse_edges(const text_block& block, const dimacs_header& header) {
  typename edge_list<W>::chunk edges;
  edges.resize(block.num_lines());
  auto* next = edges.data();
  cursor at(block.begin(), block.end());
  while (!at.done()) {
    if (skips(at)) {
      continue;
    }
    if (!takes_edge_letter(at, header.kind)) {
      at.skip_line();
      continue;
    }
    const vertex_id source = vertex_index(at, "a source", header.num_vertices, header.index_base);
    at.skip_blanks();
    const vertex_id target = vertex_index(at, "a target", header.num_vertices, header.index_base);
    W value = default_weight<W>();
    if (header.kind == problem::shortest_paths) {
      at.skip_blanks();
      value = at.number<W>("a weight");
    }
    at.end_line();
    *next++ = {source, target, value};
  }
  edges.resize(static_cast<std::size_t>(next - edges.data()));
  return edges;
}

}  // namespace

template <weight W>
parsed_graph<W> parse_dimacs(const std::filesystem::path& path, const read_options& options) {
  text_reader reader(path, options.progress);
  const dimacs_header header = read_dimacs_header(reader, options);
  parsed_graph<W> parsed;
  for_each_block(
      reader, [&](const text_block& block) { return parse_edges<W>(block, header); },
      [&](typename edge_list<W>::chunk&& edges) {
        parsed.edges.append(std::move(edges));
        return true;
      });
  refuse_unless_counts_agree(reader.path(), header.line, "edge", "edges", header.num_edges,
                             parsed.edges.size());
  const bool directed = header.kind == problem::shortest_paths;
  parsed.num_vertices = header.num_vertices;
  parsed.kind = directed ? orientation::directed : orientation::undirected;
  parsed.names = vertex_names(static_cast<vertex_id>(header.num_vertices), header.index_base);
  parsed.facts = {
      .format = header.kind == problem::colouring ? file_format::dimacs_color : file_format::dimacs,
      .gzipped = reader.gzipped(),
      .has_weights = directed,
      .stored_entries = parsed.edges.size()};
  return parsed;
}

template parsed_graph<none> parse_dimacs(const std::filesystem::path&, const read_options&);
template parsed_graph<std::int32_t> parse_dimacs(const std::filesystem::path&, const read_options&);
template parsed_graph<float> parse_dimacs(const std::filesystem::path&, const read_options&);
template parsed_graph<double> parse_dimacs(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
