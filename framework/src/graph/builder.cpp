#include "tendril/graph/builder.hpp"

#include <string>
#include <utility>

#include "graph/build/edge_source.hpp"
#include "graph/build/partition.hpp"
#include "graph/build/rows.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

namespace {

template <weight W, class Source>
csr<W> assemble(Source source, vertex_id num_vertices, const build_options& options) {
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
  return assemble<W>(build::reversed_source<W>(graph), graph.num_vertices(), {});
}

#define TENDRIL_INSTANTIATE(W)                                                    \
  template csr<W> build_csr(edge_list<W>&&, std::uint64_t, const build_options&); \
  template csr<W> transpose(const csr<W>&);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
