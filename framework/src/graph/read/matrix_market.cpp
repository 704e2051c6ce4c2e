#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/read/assemble.hpp"
#include "graph/read/block_pipeline.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/header.hpp"
#include "graph/read/matrix_market_header.hpp"
#include "graph/read/text_reader.hpp"

// Matrix Market: entry (i, j) is the edge i -> j. Symmetric and hermitian matrices are undirected
// graphs. A skew-symmetric one is undirected as a pattern; with weights it is directed, because the
// weight of j -> i is the negative of i -> j. Explicit zeros are edges in coordinate files and no
// edges in arrays. Complex values count by magnitude.

namespace tendril::detail {

namespace {

using values = matrix_header::values;
using mirror = matrix_header::mirror;

/// The value of an entry; the cursor is before it.
template <weight W>
[[nodiscard]] W entry_value(cursor& at, values field) {
  if (field == values::pattern) {
    return default_weight<W>();
  }
  at.skip_blanks();
  if (field != values::complex) {
    const char* const where = at.position();
    const W value = at.number<W>("a value");
    const auto length = static_cast<std::size_t>(at.position() - where);
    if (field == values::integer && !is_integer({where, length})) {
      refuse(where, "an integer");
    }
    return value;
  }
  const char* const where = at.position();
  const auto real = at.number<double>("a real part");
  at.skip_blanks();
  const auto imaginary = at.number<double>("an imaginary part");
  return to_weight<W>(std::hypot(real, imaginary), where, "a magnitude");
}

template <weight W>
[[nodiscard]] W negated(W value) {
  if constexpr (std::is_same_v<W, none>) {
    return value;
  } else {
    return -value;
  }
}

/// What a reader of the body needs of header and options.
template <weight W>
struct body_rules {
  matrix_header header;
  vertex_id index_base = 1;

  [[nodiscard]] bool is_skew() const { return header.symmetry == mirror::skew_symmetric; }
  /// Both edges of a skew-symmetric entry are made here, where the sign is known.
  [[nodiscard]] bool makes_both_edges() const { return is_skew() && !std::is_same_v<W, none>; }
  [[nodiscard]] orientation kind() const {
    return header.symmetry == mirror::general || makes_both_edges() ? orientation::directed
                                                                    : orientation::undirected;
  }
};

template <weight W>
struct parsed_entries {
  typename edge_list<W>::chunk edges;
  std::uint64_t num_entries = 0;
};

template <weight W>
[[nodiscard]] parsed_entries<W> parse_coordinates(const text_block& block,
                                                  const body_rules<W>& rules) {
  const std::uint64_t size = rules.header.size;
  const values field = rules.header.field;
  const bool both = rules.makes_both_edges();
  parsed_entries<W> parsed;
  parsed.edges.resize(block.num_lines() * (both ? 2 : 1));
  auto* next = parsed.edges.data();
  cursor at(block.begin(), block.end());
  while (!at.done()) {
    at.skip_blanks();
    if (at.at_line_end()) {
      at.skip_char();
      continue;
    }
    if (at.peek() == '%') {
      at.skip_line();
      continue;
    }
    const char* const where = at.position();
    const vertex_id source = vertex_index(at, "a row", size, rules.index_base);
    at.skip_blanks();
    const vertex_id target = vertex_index(at, "a column", size, rules.index_base);
    const W value = entry_value<W>(at, field);
    at.end_line();
    if (rules.is_skew() && source == target) {
      refuse(where, "no entry on the diagonal of a skew-symmetric matrix");
    }
    *next++ = {source, target, value};
    if (both) {
      *next++ = {target, source, negated(value)};
    }
    ++parsed.num_entries;
  }
  parsed.edges.resize(static_cast<std::size_t>(next - parsed.edges.data()));
  return parsed;
}

template <weight W>
[[nodiscard]] std::uint64_t read_coordinates(text_reader& reader, const body_rules<W>& rules,
                                             edge_list<W>& edges) {
  std::uint64_t num_entries = 0;
  for_each_block(
      reader, [&](const text_block& block) { return parse_coordinates(block, rules); },
      [&](parsed_entries<W>&& parsed) {
        num_entries += parsed.num_entries;
        edges.append(std::move(parsed.edges));
        return true;
      });
  return num_entries;
}

/// A value of an array: whether it is an edge, and its weight.
template <weight W>
struct array_value {
  bool is_edge;
  [[no_unique_address]] W value;
};

template <weight W>
[[nodiscard]] std::vector<array_value<W>> parse_values(const text_block& block, values field) {
  std::vector<array_value<W>> parsed;
  cursor at(block.begin(), block.end());
  while (!at.done()) {
    at.skip_blanks();
    if (at.at_line_end()) {
      at.skip_char();
    } else if (at.peek() == '%') {
      at.skip_line();
    } else {
      cursor again = at;
      const W value = entry_value<W>(at, field);
      const bool is_zero = entry_value<double>(again, field) == 0.0;
      parsed.push_back({!is_zero, value});
    }
  }
  return parsed;
}

/// Where the next value of an array lies: column by column, a triangle starting at or below the
/// diagonal.
struct array_position {
  const matrix_header& header;
  std::uint64_t row = 0;
  std::uint64_t column = 0;

  void start_column() {
    row = header.symmetry == mirror::general ? 0 : column;
    row += header.symmetry == mirror::skew_symmetric ? 1 : 0;
  }
  void advance() {
    if (++row >= header.size) {
      ++column;
      start_column();
    }
  }
};

template <weight W>
[[nodiscard]] std::uint64_t read_array(text_reader& reader, const body_rules<W>& rules,
                                       edge_list<W>& edges) {
  std::uint64_t num_entries = 0;
  array_position at{rules.header};
  at.start_column();
  for_each_block(
      reader, [&](const text_block& block) { return parse_values<W>(block, rules.header.field); },
      [&](std::vector<array_value<W>>&& parsed) {
        typename edge_list<W>::chunk chunk;
        for (const auto& [is_edge, value] : parsed) {
          if (is_edge && num_entries < rules.header.num_entries) {
            const auto row = static_cast<vertex_id>(at.row);
            const auto column = static_cast<vertex_id>(at.column);
            chunk.push_back({row, column, value});
            if (rules.makes_both_edges()) {
              chunk.push_back({column, row, negated(value)});
            }
          }
          ++num_entries;
          at.advance();
        }
        edges.append(std::move(chunk));
        return true;
      });
  return num_entries;
}

}  // namespace

template <weight W>
parsed_graph<W> parse_matrix_market(const std::filesystem::path& path,
                                    const read_options& options) {
  text_reader reader(path, options.progress);
  const body_rules<W> rules{read_matrix_header(reader), options.index_base.value_or(1)};
  if (rules.makes_both_edges() && options.kind == orientation::undirected) {
    throw usage_error(path.string() +
                      ": a skew-symmetric matrix has two weights for each edge, it cannot be read "
                      "as undirected with weights");
  }
  parsed_graph<W> parsed;
  const bool is_array = rules.header.format == matrix_header::layout::array;
  const std::uint64_t num_entries = is_array ? read_array(reader, rules, parsed.edges)
                                             : read_coordinates(reader, rules, parsed.edges);
  refuse_unless_counts_agree(reader.path(), rules.header.size_line, is_array ? "value" : "entry",
                             is_array ? "values" : "entries", rules.header.num_entries,
                             num_entries);
  parsed.num_vertices = rules.header.size;
  parsed.kind = rules.kind();
  parsed.names = vertex_names(static_cast<vertex_id>(rules.header.size), rules.index_base);
  parsed.facts = {.format = file_format::matrix_market,
                  .gzipped = reader.gzipped(),
                  .has_weights = rules.header.field != values::pattern,
                  .stored_entries = num_entries};
  return parsed;
}

template parsed_graph<none> parse_matrix_market(const std::filesystem::path&, const read_options&);
template parsed_graph<std::int32_t> parse_matrix_market(const std::filesystem::path&,
                                                        const read_options&);
template parsed_graph<float> parse_matrix_market(const std::filesystem::path&, const read_options&);
template parsed_graph<double> parse_matrix_market(const std::filesystem::path&,
                                                  const read_options&);

}  // namespace tendril::detail
