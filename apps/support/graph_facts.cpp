#include "support/graph_facts.hpp"

#include <algorithm>
#include <bit>

namespace tendril::app {

namespace {

template <weight W>
std::optional<weight_facts> examine_weights(const csr<W>& graph) {
  if constexpr (std::is_same_v<W, none>) {
    return std::nullopt;
  } else {
    weight_facts facts{.type = weight_name<W>()};
    const auto& weights = graph.weights();
    if (!weights.empty()) {
      const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
      facts.lowest = static_cast<double>(*low);
      facts.highest = static_cast<double>(*high);
    }
    facts.num_negative = static_cast<edge_offset>(
        std::count_if(weights.begin(), weights.end(), [](W weight) { return weight < 0; }));
    return facts;
  }
}

template <weight W>
std::vector<vertex_id> degree_histogram(const csr_view<W>& graph) {
  std::vector<vertex_id> histogram(65);
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    ++histogram[static_cast<std::size_t>(std::bit_width(graph.degree(v)))];
  }
  while (!histogram.empty() && histogram.back() == 0) {
    histogram.pop_back();
  }
  return histogram;
}

template <weight W>
graph_facts examine_graph(const loaded_graph<W>& loaded, const input_options& input) {
  const csr<W>& graph = loaded.graph;
  graph_facts facts;
  facts.input = input.text;
  facts.format = loaded.facts ? std::string(to_string(loaded.facts->format)) : "generator";
  facts.gzipped = loaded.facts && loaded.facts->gzipped;
  facts.header_line = loaded.facts ? loaded.facts->header_line : 0;
  facts.kind = graph.kind();
  facts.index_base = loaded.names.base();
  facts.names = loaded.names.range();
  facts.counts = analyse(graph);
  if (facts.counts.max_degree_vertex != no_vertex) {
    facts.max_degree_name = loaded.names.name(facts.counts.max_degree_vertex);
  }
  facts.weights = examine_weights(graph);
  facts.degree_histogram = degree_histogram(graph.view());
  const graph_size size = size_of(graph);
  facts.host = host_engine_memory(size);
  facts.cuda = cuda_engine_memory(size);
  return facts;
}

}  // namespace

graph_facts examine(const any_graph& loaded, const input_options& input) {
  return std::visit([&input](const auto& graph) { return examine_graph(graph, input); }, loaded);
}

}  // namespace tendril::app
