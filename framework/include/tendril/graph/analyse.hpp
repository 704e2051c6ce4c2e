#pragma once

#include "tendril/graph/csr.hpp"

namespace tendril {

/// Counts that `tendril info` prints.
struct graph_counts {
  vertex_id num_vertices = 0;        ///< isolated ones included
  edge_offset num_edges = 0;         ///< stored edges
  edge_offset num_self_loops = 0;    ///< stored edges from a vertex to itself
  edge_offset num_duplicates = 0;    ///< stored edges beyond the first of each (source, target)
  edge_offset num_simple_edges = 0;  ///< distinct unordered pairs, self-loops left out
  vertex_id num_isolated = 0;        ///< no edge in or out, self-loops left out
  edge_offset max_degree = 0;        ///< distinct out-neighbours of one vertex, itself left out
  vertex_id max_degree_vertex = no_vertex;  ///< lowest id that has it; no_vertex without vertices
  double mean_degree = 0;                   ///< stored edges per vertex; 0 without vertices
  vertex_id num_components = 0;             ///< weak components
  vertex_id largest_component = 0;          ///< vertices in it
};

/// Counts everything above, in parallel.
/// @cost O(vertices + edges), plus a transpose for directed graphs, plus a sorted copy of rows that
///       are not
template <weight W>
[[nodiscard]] graph_counts analyse(const csr<W>& graph);

}  // namespace tendril
