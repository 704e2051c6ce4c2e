#include "support/store.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "support/output_file.hpp"
#include "support/text.hpp"
#include "tendril/graph/write.hpp"

namespace tendril::app {

namespace {

/// For formats that hold edges only.
template <weight W>
std::string lost_vertices(const csr_view<W>& graph) {
  std::vector<bool> has_edge(graph.num_vertices());
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    for (edge_offset e = graph.first_edge(v); e < graph.last_edge(v); ++e) {
      has_edge[v] = true;
      has_edge[graph.target(e)] = true;
    }
  }
  const auto lost = static_cast<std::uint64_t>(std::count(has_edge.begin(), has_edge.end(), false));
  return lost == 0 ? "" : "; " + counted(lost, "vertex", "vertices") + " without edges not kept";
}

/// For formats that number the vertices from `first`.
std::string lost_names(const vertex_names& names, vertex_id first) {
  const bool has_table = !names.numbers().empty() || !names.texts().empty();
  const bool renames = has_table || names.base() != first;
  return renames && names.num_vertices() != 0
             ? "; the vertices are numbered from " + std::to_string(first) +
                   ", their names are not kept"
             : "";
}

/// What the format of a file does not hold of a graph, or adds to it. Letters of its name count the
/// same in either case, as for write_graph().
template <weight W>
std::string losses(std::string name, const loaded_graph<W>& from) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto is = [&name](const std::string& extension) {
    return name.ends_with(extension) || name.ends_with(extension + ".gz");
  };
  if (is(".tgr")) {
    return "";
  }
  const bool lists_edges = is(".el") || is(".wel");
  const std::string lost = lists_edges ? lost_vertices(from.graph.view())
                                       : lost_names(from.names, is(".sg") || is(".wsg") ? 0 : 1);
  const bool loses_orientation = from.graph.is_undirected() && (lists_edges || is(".gr"));
  const bool adds_weights = std::is_same_v<W, none> && (is(".gr") || is(".wel") || is(".wsg"));
  return lost + (adds_weights ? "; each edge is given a weight of 1" : "") +
         (loses_orientation ? "; reads back as directed, each edge both ways" : "");
}

}  // namespace

void load_and_store(const store_options& given) {
  const auto limit = limit_threads(given.common);
  check_outputs({given.path}, {given.input.text});
  const any_graph loaded = load_any(given.input, given.weights, given.common);
  const auto write = [&given](const auto& from) {
    write_graph(given.path, from.graph, from.names);
    return counted(from.graph.num_vertices(), "vertex", "vertices") + ", " +
           counted(from.graph.num_edges(), "edge", "edges") +
           (from.graph.is_undirected() ? ", undirected" : ", directed") + losses(given.path, from);
  };
  const std::string written = std::visit(write, loaded);
  if (!given.common.quiet) {
    print(given.path + ": " + written + '\n');
  }
}

}  // namespace tendril::app
