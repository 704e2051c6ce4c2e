#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <type_traits>

#include "core/parallel.hpp"
#include "graph/number_text.hpp"
#include "graph/read/detect.hpp"
#include "graph/read/edge_list_layout.hpp"
#include "graph/write/formats.hpp"
#include "tendril/core/error.hpp"

// The text formats: blocks of edges are formatted in parallel and written in order. Weights are
// printed with as few digits as read back to the same value.

namespace tendril::write {

namespace {

constexpr edge_offset block_edges = edge_offset{1} << 15U;

template <weight W>
void append_weight(std::string& text, W value) {
  if constexpr (std::is_same_v<W, none>) {
    text += '1';
  } else {
    append_number(text, value);
  }
}

template <weight W>
vertex_id source_of(const csr_view<W>& graph, edge_offset position) {
  const edge_offset* const after =
      std::upper_bound(graph.offsets, graph.offsets + graph.num_vertices() + 1, position);
  return static_cast<vertex_id>(after - graph.offsets - 1);
}

// Calls append(text, source, position) for every edge in order and writes the text.
template <weight W, class Append>
void write_edges(output_file& file, const csr_view<W>& graph, const Append& append) {
  struct block {
    edge_offset begin = 0;
    std::string text;
  };
  std::vector<block> blocks(2 * parallel::max_threads());
  edge_offset next = 0;
  const auto take = [&](std::size_t slot) {
    blocks[slot].begin = next;
    next += block_edges;
    return blocks[slot].begin < graph.num_edges();
  };
  const auto format = [&](std::size_t slot) {
    const edge_offset begin = blocks[slot].begin;
    std::string& text = blocks[slot].text;
    text.clear();
    const edge_offset end = std::min(begin + block_edges, graph.num_edges());
    vertex_id source = source_of(graph, begin);
    for (edge_offset position = begin; position < end; ++position) {
      while (graph.last_edge(source) <= position) {
        ++source;
      }
      append(text, source, position);
    }
  };
  parallel::pipeline(blocks.size(), take, format,
                     [&](std::size_t slot) { file.write(blocks[slot].text); });
}

template <weight W>
const char* matrix_market_field() {
  if constexpr (std::is_same_v<W, none>) {
    return "pattern";
  } else {
    return std::is_same_v<W, std::int32_t> ? "integer" : "real";
  }
}

// The edges of a symmetric matrix on or below its diagonal.
template <weight W>
edge_offset lower_half(const csr_view<W>& graph) {
  edge_offset count = 0;
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    count += static_cast<edge_offset>(std::count_if(graph.targets + graph.first_edge(v),
                                                    graph.targets + graph.last_edge(v),
                                                    [v](vertex_id target) { return target <= v; }));
  }
  return count;
}

// A name in an edge list ends at a separator, and some first characters start a comment.
bool is_plain_word(const std::string& name) {
  const auto ends = [](char c) { return detail::ends_word(c) || c == '"' || c == '\0'; };
  return !name.empty() && std::none_of(name.begin(), name.end(), ends) &&
         !detail::starts_comment(name.c_str());
}

// Appends names as an edge list has them.
class name_writer {
 public:
  explicit name_writer(const vertex_names& names)
      : numbers_(names.numbers()), texts_(names.texts()), base_(names.base()) {
    const auto odd = std::find_if_not(texts_.begin(), texts_.end(), is_plain_word);
    if (odd != texts_.end()) {
      throw usage_error("an edge list cannot hold the vertex name '" + detail::clipped(*odd) +
                        "': expected no blanks, commas, semicolons, quotes or comment signs; write "
                        ".tgr instead");
    }
  }

  void append(std::string& text, vertex_id v) const {
    if (!texts_.empty()) {
      text += texts_[v];
    } else {
      append_number(text, numbers_.empty() ? std::uint64_t{base_} + v : numbers_[v]);
    }
  }

 private:
  std::span<const std::uint64_t> numbers_;
  std::span<const std::string> texts_;
  vertex_id base_;
};

// How an edge list is read follows from its first two rows.
template <weight W, class Append>
void refuse_misleading_rows(const csr_view<W>& graph, const Append& append) {
  std::array<std::string, 2> rows;
  for (edge_offset i = 0; i < std::min<edge_offset>(rows.size(), graph.num_edges()); ++i) {
    append(rows[i], source_of(graph, i), i);
  }
  if (rows[0].empty()) {
    return;
  }
  if (detail::format_named_by(rows[0]) || !detail::reads_as_texts(rows[0], rows[1])) {
    rows[0].pop_back();
    throw usage_error("an edge list that starts with the row '" + detail::clipped(rows[0]) +
                      "' would be read otherwise: expected vertex names that are neither "
                      "numbers nor a heading; write .tgr instead");
  }
}

}  // namespace

template <weight W>
void write_matrix_market(output_file& file, const csr<W>& graph) {
  const csr_view<W> view = graph.view();
  const bool halves = graph.is_undirected();
  const std::string size = std::to_string(view.num_vertices());
  const edge_offset entries = halves ? lower_half(view) : view.num_edges();
  file.write("%%MatrixMarket matrix coordinate ");
  file.write(matrix_market_field<W>());
  file.write(halves ? " symmetric\n" : " general\n");
  file.write(size + ' ' + size + ' ' + std::to_string(entries) + '\n');
  write_edges(file, view, [&](std::string& text, vertex_id source, edge_offset position) {
    const vertex_id target = view.target(position);
    if (halves && target > source) {
      return;
    }
    append_number(text, source + std::uint64_t{1});
    text += ' ';
    append_number(text, target + std::uint64_t{1});
    if constexpr (!std::is_same_v<W, none>) {
      text += ' ';
      append_number(text, view.weight(position));
    }
    text += '\n';
  });
}

template <weight W>
void write_edge_list(output_file& file, const csr<W>& graph, const vertex_names& names,
                     bool with_weights) {
  const csr_view<W> view = graph.view();
  const name_writer name(names);
  const auto append_row = [&](std::string& text, vertex_id source, edge_offset position) {
    name.append(text, source);
    text += ' ';
    name.append(text, view.target(position));
    if (with_weights) {
      text += ' ';
      append_weight(text, view.weight(position));
    }
    text += '\n';
  };
  if (!names.texts().empty()) {
    refuse_misleading_rows(view, append_row);
  }
  write_edges(file, view, append_row);
}

template <weight W>
void write_dimacs(output_file& file, const csr<W>& graph) {
  const csr_view<W> view = graph.view();
  file.write("p sp " + std::to_string(view.num_vertices()) + ' ' +
             std::to_string(view.num_edges()) + '\n');
  write_edges(file, view, [&](std::string& text, vertex_id source, edge_offset position) {
    text += "a ";
    append_number(text, source + std::uint64_t{1});
    text += ' ';
    append_number(text, view.target(position) + std::uint64_t{1});
    text += ' ';
    append_weight(text, view.weight(position));
    text += '\n';
  });
}

#define TENDRIL_INSTANTIATE(W)                                                           \
  template void write_matrix_market(output_file&, const csr<W>&);                        \
  template void write_edge_list(output_file&, const csr<W>&, const vertex_names&, bool); \
  template void write_dimacs(output_file&, const csr<W>&);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril::write
