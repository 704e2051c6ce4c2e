#include "support/store.hpp"

#include "support/output_file.hpp"
#include "support/text.hpp"
#include "tendril/graph/write.hpp"

namespace tendril::app {

void load_and_store(const input_options& input, const store_options& store,
                    const common_options& common) {
  const auto limit = limit_threads(common);
  check_writable(store.path);
  const any_graph loaded = load_any(input, store.weights, common);
  const auto write = [&store](const auto& from) {
    write_graph(store.path, from.graph, from.names);
    return counted(from.graph.num_vertices(), "vertex", "vertices") + ", " +
           counted(from.graph.num_edges(), "edge", "edges") +
           (from.graph.is_undirected() ? ", undirected" : ", directed");
  };
  const std::string written = std::visit(write, loaded);
  if (!common.quiet) {
    print(store.path + ": " + written + '\n');
  }
}

}  // namespace tendril::app
