#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "graph/read/assemble.hpp"
#include "graph/read/block_pipeline.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/header.hpp"
#include "graph/read/text_reader.hpp"

// METIS: a header `N M [FMT [NCON]]`, M edges; then line i lists the neighbours of vertex i, so a
// blank line is a vertex without edges and a % line is none. FMT is three digits, leading zeros
// left out: vertex sizes (one number first), vertex weights (NCON numbers then), edge weights (one
// behind each neighbour); sizes and vertex weights are skipped. Each edge is in the lists of both
// its ends, with one weight, or the file is refused. Vertex lines missing at the end are vertices
// without edges. Read as directed, the lists are arcs as they stand and M may count them once, as
// GAP's own files do; one of those promises sizes that are not there.

namespace tendril::detail {

namespace {

struct metis_header {
  std::uint64_t num_vertices = 0;
  std::uint64_t num_edges = 0;
  std::uint64_t num_skipped = 0;  ///< numbers in front of the neighbours: sizes and vertex weights
  bool has_sizes = false;
  bool has_weights = false;
  std::uint64_t line = 0;
  vertex_id index_base = 1;
};

void parse_format(cursor& line, metis_header& header) {
  line.skip_blanks();
  if (line.at_line_end()) {
    return;
  }
  const char* const format_at = line.position();
  const std::string_view written = line.word();
  if (written.size() > 3 || written.find_first_not_of("01") != std::string_view::npos) {
    refuse(format_at, "a format of up to three digits 0 or 1");
  }
  const auto flag = [&](std::size_t from_right) {
    return written.size() > from_right && written[written.size() - 1 - from_right] == '1';
  };
  header.has_weights = flag(0);
  const bool has_vertex_weights = flag(1);
  std::uint64_t num_vertex_weights = has_vertex_weights ? 1 : 0;
  line.skip_blanks();
  if (!line.at_line_end()) {
    const char* const count_at = line.position();
    const std::uint64_t count = vertex_count(line, "a number of vertex weights");
    if (has_vertex_weights != (count > 0)) {
      refuse(count_at, has_vertex_weights ? "at least one weight for each vertex"
                                          : "no vertex weights in format " + std::string(written));
    }
    num_vertex_weights = count;
  }
  header.has_sizes = flag(2);
  header.num_skipped = num_vertex_weights + (header.has_sizes ? 1 : 0);
}

[[nodiscard]] metis_header read_metis_header(text_reader& reader, const read_options& options) {
  metis_header header;
  header.index_base = options.index_base.value_or(1);
  parse_header_line(reader, "a line with vertices and edges", "%", [&](cursor& line) {
    header.num_vertices = vertex_count(line, "a number of vertices");
    line.skip_blanks();
    header.num_edges = line.unsigned_number("a number of edges");
    parse_format(line, header);
    line.end_line();
  });
  header.line = reader.line_number();
  return header;
}

[[nodiscard]] std::uint64_t num_comment_lines(const text_block& block) {
  std::uint64_t count = 0;
  const char* at = block.begin();
  const auto find = [&](char c) {
    return static_cast<const char*>(std::memchr(at, c, static_cast<std::size_t>(block.end() - at)));
  };
  while ((at = find('%')) != nullptr) {
    const char* before = at;
    while (before != block.begin() && is_blank(before[-1])) {
      --before;
    }
    count += before == block.begin() || before[-1] == '\n' ? 1U : 0U;
    at = find('\n');
  }
  return count;
}

template <weight W>
[[nodiscard]] auto parse_lists(const text_block& block, const metis_header& header,
                               std::uint64_t vertex) {
  typename edge_list<W>::chunk edges;
  // A neighbour takes two bytes of text at least, four with a weight.
  const auto num_bytes = static_cast<std::size_t>(block.end() - block.begin());
  edges.resize(num_bytes / (header.has_weights ? 4 : 2) + 1);
  auto* next = edges.data();
  cursor at(block.begin(), block.end());
  for (; !at.done(); at.end_line()) {
    at.skip_blanks();
    if (at.peek() == '%') {
      at.skip_to_line_end();
      continue;
    }
    const std::uint64_t source = vertex++;
    if (source >= header.num_vertices) {
      continue;  // only blank lines may follow: end_line() sees to that
    }
    for (std::uint64_t i = 0; i < header.num_skipped; ++i, at.skip_blanks()) {
      (void)at.unsigned_number("a size or weight of the vertex");
    }
    while (!at.at_line_end()) {
      const char* const where = at.position();
      const vertex_id target =
          vertex_index(at, "a neighbour", header.num_vertices, header.index_base);
      if (target == source) {
        refuse(where, "neighbours other than the vertex itself (METIS has no self-loops)");
      }
      at.skip_blanks();
      W value = default_weight<W>();
      if (header.has_weights) {
        value = at.number<W>("a weight behind the neighbour");
        at.skip_blanks();
      }
      *next++ = {static_cast<vertex_id>(source), target, value};
    }
  }
  edges.resize(static_cast<std::size_t>(next - edges.data()));
  return edges;
}

template <weight W>
[[nodiscard]] edge_list<W> read_lists(text_reader& reader, const metis_header& header) {
  edge_list<W> edges;
  std::uint64_t num_rows = 0;
  for_each_block(
      reader,
      [&](const text_block& block) {
        return std::exchange(num_rows, num_rows + block.num_lines() - num_comment_lines(block));
      },
      [&](const text_block& block, std::uint64_t first_vertex) {
        return parse_lists<W>(block, header, first_vertex);
      },
      [&](typename edge_list<W>::chunk&& chunk) {
        edges.append(std::move(chunk));
        return true;
      });
  return edges;
}

/// True if `to` lists `from` as often, and with the same weights, as positions first .. last - 1 of
/// the list of `from` list `to`.
template <weight W>
[[nodiscard]] bool is_returned(const csr_view<W>& graph, edge_offset first, edge_offset last,
                               vertex_id from) {
  const vertex_id to = graph.target(first);
  const vertex_id* const list = graph.targets + graph.first_edge(to);
  const auto [begin, end] = std::equal_range(list, graph.targets + graph.last_edge(to), from);
  if (end - begin != static_cast<std::ptrdiff_t>(last - first)) {
    return false;
  }
  if constexpr (!std::is_same_v<W, none>) {
    return std::equal(graph.weights + first, graph.weights + last,
                      graph.weights + (begin - graph.targets));
  }
  return true;
}

/// The lowest vertex whose list has an edge that its other end does not return, and that end; rows
/// must be sorted.
template <weight W>
[[nodiscard]] std::optional<std::pair<vertex_id, vertex_id>> find_one_sided(
    const csr_view<W>& graph) {
  using found = std::optional<std::pair<vertex_id, vertex_id>>;
  const auto scan = [&](vertex_id from) -> found {
    edge_offset last = 0;
    for (edge_offset first = graph.first_edge(from); first != graph.last_edge(from); first = last) {
      last = first + 1;
      while (last != graph.last_edge(from) && graph.target(last) == graph.target(first)) {
        ++last;
      }
      if (!is_returned(graph, first, last, from)) {
        return std::pair(from, graph.target(first));
      }
    }
    return std::nullopt;
  };
  const std::uint64_t lowest = parallel::first_where(graph.num_vertices(), [&](std::size_t v) {
    return scan(static_cast<vertex_id>(v)).has_value();
  });
  return lowest == parallel::nowhere ? found{} : scan(static_cast<vertex_id>(lowest));
}

/// Line of a vertex's list.
[[nodiscard]] std::uint64_t line_of(const std::filesystem::path& path, std::uint64_t header_line,
                                    vertex_id vertex) {
  text_reader reader(path);
  std::uint64_t num_lists = 0;
  while (num_lists <= vertex) {
    const auto line = reader.next_line();
    if (!line) {
      break;
    }
    const auto first = line->find_first_not_of(" \t");
    const bool is_comment = first != std::string_view::npos && (*line)[first] == '%';
    num_lists += reader.line_number() > header_line && !is_comment ? 1U : 0U;
  }
  return reader.line_number();
}

template <weight W>
void refuse_one_sided(const csr<W>& graph, const std::filesystem::path& path,
                      const metis_lists<W>& lists) {
  if (const auto pair = find_one_sided(graph.view())) {
    const std::string from = std::to_string(pair->first + lists.index_base);
    const std::string to = std::to_string(pair->second + lists.index_base);
    throw input_error(line_prefix(path, line_of(path, lists.header_line, pair->first)) +
                      "expected the edge (" + from + ", " + to +
                      ") in the lists of both ends with the same weight, found it in the list of " +
                      from + " only");
  }
}

/// The lists of a file whose header promises vertex sizes, read as if there were none; nothing
/// unless that gives as many arcs as the header counts. A file with sizes never does: its M is the
/// number of entries, or half of it, without the sizes.
template <weight W>
[[nodiscard]] std::optional<edge_list<W>> lists_without_sizes(const std::filesystem::path& path,
                                                              const read_options& options) {
  try {
    text_reader reader(path);
    metis_header header = read_metis_header(reader, options);
    --header.num_skipped;
    edge_list<W> lists = read_lists<W>(reader, header);
    if (lists.size() == header.num_edges) {
      return lists;
    }
  } catch (const input_error&) {  // read as the header says, it is refused by the right line
  }
  return std::nullopt;
}

}  // namespace

template <weight W>
metis_lists<W> parse_metis(const std::filesystem::path& path, const read_options& options) {
  text_reader reader(path, options.progress);
  const metis_header header = read_metis_header(reader, options);
  std::optional<edge_list<W>> lists;
  if (header.has_sizes && options.kind == orientation::directed) {
    lists = lists_without_sizes<W>(path, options);
  }
  metis_lists<W> read;
  read.num_edges = header.num_edges;
  read.header_line = header.line;
  read.index_base = header.index_base;
  read.parsed.edges = lists ? std::move(*lists) : read_lists<W>(reader, header);
  read.parsed.num_vertices = header.num_vertices;
  read.parsed.names = vertex_names(static_cast<vertex_id>(header.num_vertices), header.index_base);
  read.parsed.facts = {.format = file_format::metis,
                       .gzipped = reader.gzipped(),
                       .has_weights = header.has_weights,
                       .stored_entries = read.parsed.edges.size()};
  return read;
}

template <weight W>
graph_file<W> read_metis(const std::filesystem::path& path, const read_options& options) {
  metis_lists<W> lists = parse_metis<W>(path, options);
  const std::uint64_t num_entries = lists.parsed.edges.size();
  const orientation kind = options.kind.value_or(orientation::undirected);
  // Both directions are in the file: nothing is mirrored.
  read_options as_listed = options;
  as_listed.kind = orientation::directed;
  graph_file<W> read = assemble(std::move(lists.parsed), as_listed);
  if (kind == orientation::undirected) {
    refuse_one_sided(read.graph, path, lists);
    read.graph = with_kind(read.graph, kind);
  }
  const bool counts_arcs = kind == orientation::directed && num_entries == lists.num_edges;
  if (!counts_arcs) {
    refuse_unless_counts_agree(path, lists.header_line, "entry",
                               "entries in lists, two for each edge", 2 * lists.num_edges,
                               num_entries);
  }
  return read;
}

template metis_lists<none> parse_metis(const std::filesystem::path&, const read_options&);
template graph_file<none> read_metis(const std::filesystem::path&, const read_options&);
template graph_file<std::int32_t> read_metis(const std::filesystem::path&, const read_options&);
template graph_file<float> read_metis(const std::filesystem::path&, const read_options&);
template graph_file<double> read_metis(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
