#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/read/assemble.hpp"
#include "graph/read/block_pipeline.hpp"
#include "graph/read/cursor.hpp"
#include "graph/read/formats.hpp"
#include "graph/read/header.hpp"
#include "graph/read/text_reader.hpp"

// Ligra and PBBS: the word AdjacencyGraph or WeightedAdjacencyGraph, then numbers: N, M, N offsets,
// M targets and, if weighted, M weights. What a number means depends on how many came before, so
// this small format is read serially. % and # start comments.

namespace tendril::detail {

namespace {

template <weight W>
class adjacency_parser {
 public:
  adjacency_parser(bool has_weights, vertex_id index_base)
      : has_weights_(has_weights), index_base_(index_base) {}

  void parse(const text_block& block) {
    cursor at(block.begin(), block.end());
    while (!at.done()) {
      at.skip_blanks();
      if (at.at_line_end()) {
        at.skip_char();
      } else if (at.peek() == '%' || at.peek() == '#') {
        at.skip_line();
      } else {
        take_number(at);
      }
    }
    edges_.append(std::exchange(chunk_, {}));
  }

  [[nodiscard]] std::uint64_t num_vertices() const { return num_vertices_; }
  [[nodiscard]] std::uint64_t num_taken() const { return num_taken_; }
  [[nodiscard]] std::uint64_t num_declared() const {
    return 2 + num_vertices_ + (has_weights_ ? 2 : 1) * num_edges_;
  }
  [[nodiscard]] edge_list<W> take_edges() { return std::move(edges_); }

 private:
  void take_number(cursor& at) {
    const std::uint64_t position = num_taken_++;
    if (position == 0) {
      num_vertices_ = vertex_count(at, "a number of vertices");
    } else if (position == 1) {
      take_num_edges(at);
    } else if (position < 2 + num_vertices_) {
      take_offset(at);
    } else if (position < 2 + num_vertices_ + num_edges_) {
      take_target(at, position - 2 - num_vertices_);
    } else if (position < num_declared()) {
      take_weight(at);
    } else {
      refuse(at.position(), "nothing after " + std::to_string(num_declared()) + " numbers");
    }
  }

  void take_num_edges(cursor& at) {
    const char* const where = at.position();
    num_edges_ = at.unsigned_number("a number of edges");
    if (num_edges_ > most_edges) {
      refuse(where, "at most " + std::to_string(most_edges) + " edges");
    }
  }

  void take_offset(cursor& at) {
    const char* const where = at.position();
    const std::uint64_t offset = at.unsigned_number("an offset");
    const std::uint64_t least = offsets_.empty() ? 0 : offsets_.back();
    const std::uint64_t most = offsets_.empty() ? 0 : num_edges_;
    if (offset < least || offset > most) {
      refuse(where, "an offset in " + std::to_string(least) + " .. " + std::to_string(most));
    }
    offsets_.push_back(offset);
  }

  void take_target(cursor& at, std::uint64_t edge_position) {
    const vertex_id target = vertex_index(at, "a target", num_vertices_, index_base_);
    while (source_ + 1 < num_vertices_ && offsets_[source_ + 1] <= edge_position) {
      ++source_;
    }
    chunk_.push_back({source_, target, default_weight<W>()});
  }

  /// Weights come in the order of the targets, perhaps some of them in the block before.
  void take_weight(cursor& at) {
    if (!chunk_.empty()) {
      edges_.append(std::exchange(chunk_, {}));
    }
    const W value = at.number<W>("a weight");
    auto* chunk = &edges_.chunks()[weighted_chunk_];
    if (weighted_edge_ == chunk->size()) {
      chunk = &edges_.chunks()[++weighted_chunk_];
      weighted_edge_ = 0;
    }
    auto& weighted = (*chunk)[weighted_edge_++];
    weighted = {weighted.source, weighted.target, value};
  }

  static constexpr std::uint64_t most_edges = std::uint64_t{1} << 48;

  bool has_weights_;
  vertex_id index_base_;
  std::uint64_t num_vertices_ = 0;
  std::uint64_t num_edges_ = 0;
  std::uint64_t num_taken_ = 0;
  std::vector<std::uint64_t> offsets_;
  vertex_id source_ = 0;
  typename edge_list<W>::chunk chunk_;
  edge_list<W> edges_;
  std::size_t weighted_chunk_ = 0;
  std::size_t weighted_edge_ = 0;
};

[[nodiscard]] bool read_word(text_reader& reader) {
  bool has_weights = false;
  constexpr const char* expected = "the word AdjacencyGraph or WeightedAdjacencyGraph";
  parse_header_line(reader, expected, "%#", [&](cursor& line) {
    const char* const where = line.position();
    const std::string_view word = line.word();
    has_weights = word == "WeightedAdjacencyGraph";
    if (!has_weights && word != "AdjacencyGraph") {
      refuse(where, expected);
    }
    line.end_line();
  });
  return has_weights;
}

}  // namespace

template <weight W>
parsed_graph<W> parse_adjacency(const std::filesystem::path& path, const read_options& options) {
  text_reader reader(path, options.progress);
  const bool has_weights = read_word(reader);
  const std::uint64_t header_line = reader.line_number();
  const vertex_id index_base = options.index_base.value_or(0);
  parsed_graph<W> parsed;
  {
    adjacency_parser<W> parser(has_weights, index_base);
    text_block block;
    while (reader.next_block(block)) {
      try {
        parser.parse(block);
      } catch (const syntax_error& error) {
        throw error_at(reader, block, error);
      }
    }
    refuse_unless_counts_agree(reader.path(), header_line, "number after the first word",
                               "numbers after the first word", parser.num_declared(),
                               parser.num_taken());
    parsed.num_vertices = parser.num_vertices();
    parsed.edges = parser.take_edges();
  }
  parsed.names = vertex_names(static_cast<vertex_id>(parsed.num_vertices), index_base);
  parsed.facts = {.format = file_format::adjacency,
                  .gzipped = reader.gzipped(),
                  .has_weights = has_weights,
                  .stored_entries = parsed.edges.size()};
  return parsed;
}

template parsed_graph<none> parse_adjacency(const std::filesystem::path&, const read_options&);
template parsed_graph<std::int32_t> parse_adjacency(const std::filesystem::path&,
                                                    const read_options&);
template parsed_graph<float> parse_adjacency(const std::filesystem::path&, const read_options&);
template parsed_graph<double> parse_adjacency(const std::filesystem::path&, const read_options&);

}  // namespace tendril::detail
