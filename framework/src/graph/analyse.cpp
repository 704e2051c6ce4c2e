#include "tendril/graph/analyse.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "graph/build/rebuild.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/union_find.hpp"

namespace tendril {

namespace {

std::span<const vertex_id> row_of(const csr_view<>& graph, vertex_id v) {
  return {graph.targets + graph.first_edge(v), graph.degree(v)};
}

std::vector<vertex_id> components_of(const csr_view<>& graph) {
  std::vector<vertex_id> labels(graph.num_vertices());
  const auto each = [&](const auto& body) {
    parallel::for_each(labels.size(), [&](std::size_t v) { body(static_cast<vertex_id>(v)); });
  };
  each([&](vertex_id v) { labels[v] = v; });
  each([&](vertex_id v) {
    for (const vertex_id target : row_of(graph, v)) {
      join_trees(labels.data(), v, target);
    }
  });
  each([&](vertex_id v) { store(labels[v], root_of(labels.data(), v)); });
  return labels;
}

// How many distinct vertices above v the two sorted rows hold together.
edge_offset distinct_above(vertex_id v, std::span<const vertex_id> out,
                           std::span<const vertex_id> in) {
  auto a = std::upper_bound(out.begin(), out.end(), v);
  auto b = std::upper_bound(in.begin(), in.end(), v);
  edge_offset count = 0;
  for (vertex_id last = v; a != out.end() || b != in.end();) {
    const bool takes_a = b == in.end() || (a != out.end() && *a <= *b);
    const vertex_id next = takes_a ? *a++ : *b++;
    count += next != last ? 1U : 0U;
    last = next;
  }
  return count;
}

// Of several vertices of the same degree, the lowest counts.
void raise_max_degree(graph_counts& counts, edge_offset degree, vertex_id v) {
  if (counts.max_degree_vertex == no_vertex || degree > counts.max_degree ||
      (degree == counts.max_degree && v < counts.max_degree_vertex)) {
    counts.max_degree = degree;
    counts.max_degree_vertex = v;
  }
}

void count_row(const csr_view<>& graph, const csr_view<>& reversed, vertex_id v,
               graph_counts& counts) {
  const auto row = row_of(graph, v);
  edge_offset degree = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_first = i == 0 || row[i] != row[i - 1];
    counts.num_self_loops += row[i] == v ? 1U : 0U;
    counts.num_duplicates += is_first ? 0U : 1U;
    degree += is_first && row[i] != v ? 1U : 0U;
  }
  counts.num_simple_edges += distinct_above(v, row, row_of(reversed, v));
  raise_max_degree(counts, degree, v);
}

graph_counts count_edges(const csr_view<>& graph, const csr_view<>& reversed) {
  parallel::per_thread<graph_counts> local_counts;
  parallel::for_ranges(graph.num_vertices(), [&](std::size_t begin, std::size_t end) {
    graph_counts& counts = local_counts.local();
    for (std::size_t v = begin; v < end; ++v) {
      count_row(graph, reversed, static_cast<vertex_id>(v), counts);
    }
  });
  graph_counts sum;
  local_counts.for_all([&](const graph_counts& counts) {
    sum.num_self_loops += counts.num_self_loops;
    sum.num_duplicates += counts.num_duplicates;
    sum.num_simple_edges += counts.num_simple_edges;
    raise_max_degree(sum, counts.max_degree, counts.max_degree_vertex);
  });
  return sum;
}

void count_components(const csr_view<>& graph, graph_counts& counts) {
  const std::vector<vertex_id> labels = components_of(graph);
  std::vector<vertex_id> sizes(labels.size());
  for (const vertex_id label : labels) {
    ++sizes[label];
  }
  for (const vertex_id size : sizes) {
    counts.num_components += size > 0 ? 1U : 0U;
    counts.num_isolated += size == 1 ? 1U : 0U;
    counts.largest_component = std::max(counts.largest_component, size);
  }
}

}  // namespace

template <weight W>
graph_counts analyse(const csr<W>& graph) {
  csr<> structure = without_weights(graph);
  if (!build::has_sorted_rows(structure.view())) {
    structure = build::rebuild(structure, {});
  }
  const csr<> reversed = graph.is_undirected() ? structure : transpose(structure);
  graph_counts counts = count_edges(structure.view(), reversed.view());
  counts.num_vertices = graph.num_vertices();
  counts.num_edges = graph.num_edges();
  if (counts.num_vertices > 0) {
    counts.mean_degree =
        static_cast<double>(counts.num_edges) / static_cast<double>(counts.num_vertices);
  }
  count_components(structure.view(), counts);
  return counts;
}

#define TENDRIL_INSTANTIATE(W) template graph_counts analyse(const csr<W>&);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
