#pragma once

#include <cstdint>
#include <utility>

#include "tendril/graph/builder.hpp"
#include "tendril/graph/read.hpp"

namespace tendril::detail {

/// What a text reader has when it is through its file.
template <weight W>
struct parsed_graph {
  edge_list<W> edges;
  std::uint64_t num_vertices = 0;
  vertex_id index_base = 0;  ///< what the edges call the first vertex
  /// undirected: each edge is listed once and stands for both directions
  orientation kind = orientation::directed;
  vertex_names names = vertex_names();
  file_facts facts;
};

/// Builds what was read as the options ask: an undirected file that is read as directed keeps both
/// directions of its edges.
template <weight W>
[[nodiscard]] graph_file<W> assemble(parsed_graph<W>&& parsed, const read_options& options) {
  const orientation kind = options.kind.value_or(parsed.kind);
  const bool mirrors = kind == orientation::undirected || parsed.kind == orientation::undirected;
  const build_options build{.kind = mirrors ? orientation::undirected : orientation::directed,
                            .loops = options.loops,
                            .parallel_edges = options.parallel_edges,
                            .index_base = parsed.index_base};
  const csr<W> graph = build_csr(std::move(parsed.edges), parsed.num_vertices, build);
  return {with_kind(graph, kind), std::move(parsed.names), parsed.facts};
}

}  // namespace tendril::detail
