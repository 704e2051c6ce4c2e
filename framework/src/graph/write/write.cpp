#include "tendril/graph/write.hpp"

#include <string>
#include <type_traits>

#include "graph/file_name.hpp"
#include "graph/write/formats.hpp"
#include "graph/write/output_file.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

namespace {

template <weight W>
void refuse_to_lose_weights(const std::filesystem::path& path, const char* alternative) {
  if constexpr (!std::is_same_v<W, none>) {
    throw usage_error(path.string() + ": the format holds no weights; expected " + alternative +
                      " or a graph without weights");
  }
}

}  // namespace

template <weight W>
void write_graph(const std::filesystem::path& path, const csr<W>& graph,
                 const vertex_names& names) {
  if (names.num_vertices() != graph.num_vertices()) {
    throw usage_error("write_graph: " + std::to_string(names.num_vertices()) + " names for " +
                      std::to_string(graph.num_vertices()) + " vertices");
  }
  const std::string extension = detail::graph_extension(path);
  const bool is_binary = extension == ".tgr" || extension == ".sg" || extension == ".wsg";
  const bool is_text =
      extension == ".mtx" || extension == ".el" || extension == ".wel" || extension == ".gr";
  if (!is_text && (!is_binary || detail::is_gzipped(path))) {
    throw usage_error(path.string() +
                      ": expected a name in .tgr, .sg, .wsg, or .mtx, .el, .wel, .gr with or "
                      "without .gz");
  }
  if (extension == ".el") {
    refuse_to_lose_weights<W>(path, ".wel");
  } else if (extension == ".sg") {
    refuse_to_lose_weights<W>(path, ".wsg");
  }

  write::output_file file(path);
  if (extension == ".tgr") {
    write::write_tgr(file, graph, names);
  } else if (is_binary) {
    write::write_gap_serial(file, graph, extension == ".wsg");
  } else if (extension == ".mtx") {
    write::write_matrix_market(file, graph);
  } else if (extension == ".gr") {
    write::write_dimacs(file, graph);
  } else {
    write::write_edge_list(file, graph, names, extension == ".wel");
  }
  file.finish();
}

#define TENDRIL_INSTANTIATE(W) \
  template void write_graph(const std::filesystem::path&, const csr<W>&, const vertex_names&);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
