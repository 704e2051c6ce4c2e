#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "graph/read/assemble.hpp"
#include "graph/read/block_pipeline.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/edge_list_layout.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/text_reader.hpp"
#include "graph/read/vertex_ids.hpp"

// Edge lists: a row is `source target` or `source target weight`. Three ways to read the ids, from
// cheap to dear: small numbers are ids at once; large numbers and texts go through a table. What
// the ids are is known from the first rows, whether they are small only when a large one turns up:
// then reading starts again.

namespace tendril::detail {

namespace {

/// Ids that are numbers, in a range; the first id becomes 0.
struct number_ids {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool stop_beyond_last = false;  ///< a larger id ends reading instead of being refused
};

template <weight W>
struct parsed_rows {
  typename edge_list<W>::chunk edges;
  vertex_id largest_id = 0;
  bool has_large_id = false;
};

/// Calls take(row, line) at each row of the block that is data, the cursor at its first word; take
/// leaves the cursor behind the row.
template <class Take>
void for_each_row(const text_block& block, std::uint64_t header_line, Take take) {
  cursor at(block.begin(), block.end());
  if (block.first_line() <= header_line && header_line < block.first_line() + block.num_lines()) {
    for (std::uint64_t line = block.first_line(); line <= header_line; ++line) {
      at.skip_line();
    }
  }
  while (!at.done()) {
    at.skip_blanks();
    if (at.at_line_end()) {
      at.skip_char();
    } else if (!is_digit(at.peek()) && starts_comment(at.position())) {
      at.skip_line();
    } else if (!take(at)) {
      return;
    }
  }
}

template <weight W>
[[nodiscard]] W row_weight(cursor& row, bool has_weights) {
  if (!has_weights) {
    return default_weight<W>();
  }
  row.skip_delimiter();
  return row.number<W>("a weight");
}

template <weight W>
[[nodiscard]] parsed_rows<W> parse_small_numbers(const text_block& block,
                                                 const edge_list_layout& layout,
                                                 const number_ids& ids) {
  parsed_rows<W> rows;
  rows.edges.resize(block.num_lines());
  auto* next = rows.edges.data();
  std::uint64_t largest = 0;
  const auto refuse_outside = [&](const char* where) {
    refuse(where, "an id in " + std::to_string(ids.first) + " .. " + std::to_string(ids.last));
  };
  for_each_row(block, layout.header_line, [&](cursor& row) {
    const char* const source_at = row.position();
    const std::uint64_t source = row.unsigned_number("a source id") - ids.first;
    row.skip_delimiter();
    const char* const target_at = row.position();
    const std::uint64_t target = row.unsigned_number("a target id") - ids.first;
    largest = std::max({largest, source, target});
    if (largest > ids.last - ids.first) {
      if (ids.stop_beyond_last) {
        rows.has_large_id = true;
        return false;
      }
      refuse_outside(source > ids.last - ids.first ? source_at : target_at);
    }
    *next++ = {static_cast<vertex_id>(source), static_cast<vertex_id>(target),
               row_weight<W>(row, layout.has_weights)};
    row.end_line();
    return true;
  });
  rows.largest_id = static_cast<vertex_id>(std::min<std::uint64_t>(largest, no_vertex));
  rows.edges.resize(static_cast<std::size_t>(next - rows.edges.data()));
  return rows;
}

template <weight W>
[[nodiscard]] auto parse_large_numbers(const text_block& block, const edge_list_layout& layout,
                                       name_table<std::uint64_t>& table) {
  typename edge_list<W>::chunk edges;
  edges.reserve(block.num_lines());
  for_each_row(block, layout.header_line, [&](cursor& row) {
    const vertex_id source = table.number_of(row.unsigned_number("a source id"));
    row.skip_delimiter();
    const vertex_id target = table.number_of(row.unsigned_number("a target id"));
    edges.push_back({source, target, row_weight<W>(row, layout.has_weights)});
    row.end_line();
    return true;
  });
  return edges;
}

template <weight W>
[[nodiscard]] auto parse_texts(const text_block& block, const edge_list_layout& layout,
                               name_table<std::string>& table) {
  typename edge_list<W>::chunk edges;
  edges.reserve(block.num_lines());
  std::string kept;
  const auto next = [&](cursor& row, const char* what) {
    if (!next_text(row, layout.separator)) {
      refuse(row.position(), what);
    }
    row.skip_blanks();
  };
  for_each_row(block, layout.header_line, [&](cursor& row) {
    const vertex_id source = table.number_of(text_field(row, layout.separator, "a source", kept));
    next(row, "a target");
    const vertex_id target = table.number_of(text_field(row, layout.separator, "a target", kept));
    W value = default_weight<W>();
    if (layout.has_weights) {
      next(row, "a weight");
      value = row.number<W>("a weight");
    }
    edges.push_back({source, target, value});
    row.end_line();
    return true;
  });
  return edges;
}

template <class Name, weight W, class Parse>
[[nodiscard]] vertex_set read_names(text_reader& reader, const edge_list_layout& layout,
                                    edge_list<W>& edges, Parse parse) {
  name_table<Name> table;
  for_each_block(
      reader, [&](const text_block& block) { return parse(block, layout, table); },
      [&](typename edge_list<W>::chunk&& chunk) {
        edges.append(std::move(chunk));
        return true;
      });
  return table.rank(edges);
}

/// False if a large id turned up; the edges are useless then.
template <weight W>
[[nodiscard]] bool read_small_numbers(text_reader& reader, const edge_list_layout& layout,
                                      const number_ids& ids, edge_list<W>& edges,
                                      vertex_id& largest_id) {
  bool all_small = true;
  for_each_block(
      reader, [&](const text_block& block) { return parse_small_numbers<W>(block, layout, ids); },
      [&](parsed_rows<W>&& rows) {
        largest_id = std::max(largest_id, rows.largest_id);
        edges.append(std::move(rows.edges));
        all_small = !rows.has_large_id;
        return all_small;
      });
  return all_small;
}

template <weight W>
[[nodiscard]] vertex_set read_edges(text_reader& reader, const edge_list_layout& layout,
                                    const read_options& options, edge_list<W>& edges) {
  if (layout.has_texts) {
    return read_names<std::string>(reader, layout, edges, parse_texts<W>);
  }
  vertex_id largest_id = 0;
  if (options.index_base) {
    const vertex_id base = *options.index_base;
    const number_ids ids{.first = base, .last = base + std::uint64_t{no_vertex} - 2};
    (void)read_small_numbers(reader, layout, ids, edges, largest_id);
    const vertex_id num_vertices = edges.size() == 0 ? 0 : largest_id + 1;
    return {num_vertices, 0, vertex_names(num_vertices, base)};
  }
  const number_ids ids{.last = dense_id_limit - 1, .stop_beyond_last = true};
  if (read_small_numbers(reader, layout, ids, edges, largest_id)) {
    return close_gaps(edges, largest_id);
  }
  edges = {};
  text_reader again(reader.path(), options.progress);
  return read_names<std::uint64_t>(again, layout, edges, parse_large_numbers<W>);
}

}  // namespace

template <weight W>
parsed_graph<W> parse_edge_list(const std::filesystem::path& path, const read_options& options) {
  const edge_list_layout layout = find_layout(path);
  text_reader reader(path, options.progress);
  parsed_graph<W> parsed;
  vertex_set vertices = read_edges(reader, layout, options, parsed.edges);
  parsed.num_vertices = vertices.num_vertices;
  parsed.index_base = vertices.index_base;
  parsed.names = std::move(vertices.names);
  parsed.facts = {.format = file_format::edge_list,
                  .gzipped = reader.gzipped(),
                  .has_weights = layout.has_weights,
                  .stored_entries = parsed.edges.size(),
                  .header_line = layout.header_line};
  return parsed;
}

template parsed_graph<none> parse_edge_list(const std::filesystem::path&, const read_options&);
template parsed_graph<std::int32_t> parse_edge_list(const std::filesystem::path&,
                                                    const read_options&);
template parsed_graph<float> parse_edge_list(const std::filesystem::path&, const read_options&);
template parsed_graph<double> parse_edge_list(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
