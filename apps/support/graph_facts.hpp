#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/input.hpp"
#include "support/memory.hpp"
#include "tendril/graph/analyse.hpp"

namespace tendril::app {

/// The weights of a graph that has some.
struct weight_facts {
  std::string type;  ///< "int32", "float" or "double"
  double lowest = 0;
  double highest = 0;
  edge_offset num_negative = 0;
};

/// All that `info` says of a graph.
struct graph_facts {
  std::string input;
  std::string format;  ///< as --format takes it; "generator"
  bool gzipped = false;
  std::uint64_t header_line = 0;  ///< see file_facts
  orientation kind = orientation::directed;
  vertex_id index_base = 0;
  std::string names;            ///< what the vertices are called: "1 .. 34"
  std::string max_degree_name;  ///< empty without vertices
  graph_counts counts;
  std::optional<weight_facts> weights;
  std::vector<vertex_id> degree_histogram;  ///< [0]: degree 0; [k]: degrees 2^(k-1) .. 2^k - 1
  host_memory host;
  cuda_memory cuda;
};

/// Looks at the graph. @cost O(vertices + edges), a transpose where directed
[[nodiscard]] graph_facts examine(const any_graph& loaded, const input_options& input);

[[nodiscard]] std::string to_text(const graph_facts& facts);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const graph_facts& facts);

}  // namespace tendril::app
