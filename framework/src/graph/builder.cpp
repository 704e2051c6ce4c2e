#include "tendril/graph/builder.hpp"

#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "graph/build/edge_source.hpp"
#include "graph/build/partition.hpp"
#include "graph/build/rebuild.hpp"
#include "graph/build/row_key.hpp"
#include "graph/build/rows.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

namespace {

template <weight W>
csr<W> assemble(build::edge_source<W>&& source, vertex_id num_vertices,
                const build_options& options) {
  const build::partitioner<W> partitioner(num_vertices, source.size(), options);
  return build::row_builder<W>(partitioner.run(source), num_vertices, options).run();
}

}  // namespace

template <weight W>
csr<W> build_csr(edge_list<W>&& edges, std::uint64_t num_vertices, const build_options& options) {
  if (num_vertices >= no_vertex) {
    throw usage_error("build_csr: at most " + std::to_string(no_vertex - 1) + " vertices, found " +
                      std::to_string(num_vertices));
  }
  return assemble<W>(build::list_source<W>(std::move(edges)), static_cast<vertex_id>(num_vertices),
                     options);
}

template <weight W>
csr<W> transpose(const csr<W>& graph) {
  if (graph.is_undirected()) {
    return graph;
  }
  using source = build::csr_source<W>;
  return assemble<W>(source(graph, source::direction::reversed), graph.num_vertices(), {});
}

template <weight W>
csr<W> build::rebuild(const csr<W>& graph, const build_options& options) {
  using source = build::csr_source<W>;
  build_options as_stored = options;
  if (graph.is_undirected()) {
    as_stored.kind = orientation::directed;  // both directions of each edge are there already
  }
  return with_kind(
      assemble<W>(source(graph, source::direction::kept), graph.num_vertices(), as_stored),
      graph.is_undirected() ? graph.kind() : options.kind);
}

template <weight W>
bool build::has_sorted_rows(const csr_view<W>& graph) {
  const auto key = [&](edge_offset i) { return row_key<W>(graph.target(i), graph.weight(i)); };
  const auto falls = [&](std::size_t v) {
    const auto id = static_cast<vertex_id>(v);
    for (edge_offset i = graph.first_edge(id) + 1; i < graph.last_edge(id); ++i) {
      if (key(i) < key(i - 1)) {
        return true;
      }
    }
    return false;
  };
  return parallel::first_where(graph.num_vertices(), falls) == parallel::nowhere;
}

#define TENDRIL_INSTANTIATE(W)                                                    \
  template csr<W> build_csr(edge_list<W>&&, std::uint64_t, const build_options&); \
  template csr<W> transpose(const csr<W>&);                                       \
  template csr<W> build::rebuild(const csr<W>&, const build_options&);            \
  template bool build::has_sorted_rows(const csr_view<W>&);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
