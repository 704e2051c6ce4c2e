#include "battery.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"

namespace tendril::test {

csr<> make_graph(vertex_id num_vertices, const pairs& edges, orientation kind) {
  edge_list<> list;
  edge_list<>::chunk chunk;
  for (const auto& [source, target] : edges) {
    chunk.push_back({source, target, {}});
  }
  list.append(std::move(chunk));
  return build_csr(std::move(list), num_vertices, {.kind = kind});
}

namespace {

constexpr auto undirected = orientation::undirected;

pairs path_edges(vertex_id num_vertices) {
  pairs edges;
  for (vertex_id v = 1; v < num_vertices; ++v) {
    edges.emplace_back(v - 1, v);
  }
  return edges;
}

pairs cycle_edges(vertex_id num_vertices) {
  pairs edges = path_edges(num_vertices);
  edges.emplace_back(num_vertices - 1, 0);
  return edges;
}

/// Vertex 0 to each of the others.
pairs star_edges(vertex_id num_leaves) {
  pairs edges;
  for (vertex_id v = 1; v <= num_leaves; ++v) {
    edges.emplace_back(0, v);
  }
  return edges;
}

pairs turned(pairs edges) {
  for (auto& [source, target] : edges) {
    std::swap(source, target);
  }
  return edges;
}

pairs complete_edges(vertex_id num_vertices) {
  pairs edges;
  for (vertex_id u = 0; u < num_vertices; ++u) {
    for (vertex_id v = u + 1; v < num_vertices; ++v) {
      edges.emplace_back(u, v);
    }
  }
  return edges;
}

/// Sides 0 .. left-1 and left .. left+right-1.
pairs bipartite_edges(vertex_id left, vertex_id right) {
  pairs edges;
  for (vertex_id u = 0; u < left; ++u) {
    for (vertex_id v = 0; v < right; ++v) {
      edges.emplace_back(u, left + v);
    }
  }
  return edges;
}

/// Spine 0 .. spine-1, two legs on each.
pairs caterpillar_edges(vertex_id spine) {
  pairs edges = path_edges(spine);
  for (vertex_id v = 0; v < spine; ++v) {
    edges.emplace_back(v, spine + 2 * v);
    edges.emplace_back(v, spine + 2 * v + 1);
  }
  return edges;
}

/// `num_rungs` diamonds 3k -> 3k+1, 3k+2 -> 3k+3 in a row: 2^num_rungs paths.
pairs ladder_edges(vertex_id num_rungs) {
  pairs edges;
  for (vertex_id k = 0; k < num_rungs; ++k) {
    for (const vertex_id side : {3 * k + 1, 3 * k + 2}) {
      edges.emplace_back(3 * k, side);
      edges.emplace_back(side, 3 * k + 3);
    }
  }
  return edges;
}

std::int32_t as_depth(vertex_id v) {
  return static_cast<std::int32_t>(v);
}
std::int32_t zero_or_one(vertex_id v) {
  return v == 0 ? 0 : 1;
}
std::int32_t only_zero(vertex_id v) {
  return v == 0 ? 0 : unreached;
}

void add_tiny(std::vector<battery_case>& cases) {
  cases.push_back({"empty", make_graph(0, {}), {}});
  cases.push_back({"one_vertex", make_graph(1, {}), only_zero});
  cases.push_back({"one_vertex_with_a_loop", make_graph(1, {{0, 0}}), only_zero});
  cases.push_back(
      {"self_loops_only", make_graph(5, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}), only_zero});
  cases.push_back({"two_vertices_both_ways", make_graph(2, {{0, 1}, {1, 0}}), as_depth});
  cases.push_back({"two_vertices_one_way", make_graph(2, {{0, 1}}), as_depth});
  cases.push_back({"two_vertices_the_other_way", make_graph(2, {{1, 0}}), only_zero});
  cases.push_back({"duplicates_and_antiparallel",
                   make_graph(4, {{0, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 2}, {1, 2}, {3, 2}, {2, 1}}),
                   [](vertex_id v) { return v == 3 ? unreached : as_depth(v); }});
}

void add_regular(std::vector<battery_case>& cases) {
  cases.push_back({"path", make_graph(1000, path_edges(1000), undirected), as_depth});
  cases.push_back({"directed_path", make_graph(1000, path_edges(1000)), as_depth});
  cases.push_back({"cycle", make_graph(101, cycle_edges(101), undirected),
                   [](vertex_id v) { return as_depth(std::min(v, 101 - v)); }});
  cases.push_back({"directed_cycle", make_graph(101, cycle_edges(101)), as_depth});
  cases.push_back({"star_out", make_graph(301, star_edges(300)), zero_or_one});
  cases.push_back({"star_in", make_graph(301, turned(star_edges(300))), only_zero});
  cases.push_back({"star", make_graph(301, star_edges(300), undirected), zero_or_one});
  cases.push_back({"complete", make_graph(70, complete_edges(70), undirected), zero_or_one});
  cases.push_back({"complete_bipartite", make_graph(90, bipartite_edges(40, 50), undirected),
                   [](vertex_id v) { return v == 0   ? 0
                                            : v < 40 ? 2
                                                     : 1; }});
  cases.push_back(
      {"binary_tree", generate_tree(9, 2), [](vertex_id v) { return std::bit_width(v + 1) - 1; }});
  cases.push_back({"caterpillar", make_graph(300, caterpillar_edges(100), undirected),
                   [](vertex_id v) { return as_depth(v < 100 ? v : (v - 100) / 2 + 1); }});
  cases.push_back({"ladder", make_graph(301, ladder_edges(100)),
                   [](vertex_id v) { return as_depth(v / 3 * 2 + (v % 3 == 0 ? 0 : 1)); }});
}

void add_sparse_and_skewed(std::vector<battery_case>& cases) {
  pairs unequal = cycle_edges(200);
  unequal.insert(unequal.end(), {{200, 201}, {201, 202}, {202, 200}});
  cases.push_back({"two_components", make_graph(203, unequal, undirected), [](vertex_id v) {
                     return v < 200 ? as_depth(std::min(v, 200 - v)) : unreached;
                   }});
  cases.push_back({"a_million_isolated_beside_a_triangle",
                   make_graph(1'000'003, {{0, 1}, {1, 2}, {2, 0}}, undirected), [](vertex_id v) {
                     return v == 0 ? 0 : v < 3 ? 1 : unreached;
                   }});
  pairs at_the_end;
  for (vertex_id v = 90'000; v < 99'999; ++v) {
    at_the_end.emplace_back(99'999, v);
  }
  cases.push_back({"all_edges_at_the_last_vertex", make_graph(100'000, at_the_end), only_zero});
  cases.push_back(
      {"one_vertex_of_40000_edges", make_graph(40'001, star_edges(40'000)), zero_or_one});
  cases.push_back({"grid_with_holes", generate_grid(60, 50, 30, 7), {}});
  cases.push_back({"rmat", generate_rmat(12, 8, 3), {}});
  cases.push_back({"urand", generate_urand(12, 8, 3), {}});
}

/// One below, at and one above the sizes of warps, bitmap words, blocks and tiles.
void add_boundaries(std::vector<battery_case>& cases) {
  for (const vertex_id size : {32U, 64U, 128U, 256U, 512U, 1024U, 2048U, 4096U}) {
    for (const vertex_id count : {size - 1, size, size + 1}) {
      const std::string suffix = std::to_string(count);
      cases.push_back(
          {"path_of_vertices_" + suffix, make_graph(count, path_edges(count)), as_depth});
      cases.push_back(
          {"star_of_edges_" + suffix, make_graph(count + 1, star_edges(count)), zero_or_one});
    }
  }
}

/// Of TENDRIL_SLOW_TOOL, or null.
const char* slow_tool() {
  return std::getenv("TENDRIL_SLOW_TOOL");  // NOLINT(concurrency-mt-unsafe): nothing sets it
}

/// The part of the battery that TENDRIL_SLOW_TOOL names.
std::vector<battery_case> part_of(std::vector<battery_case> all) {
  if (slow_tool() == nullptr) {
    return all;
  }
  const std::string wish = slow_tool();
  std::size_t first = 0;
  std::size_t step = 0;
  char slash = 0;
  if (!(std::istringstream(wish) >> first >> slash >> step) || slash != '/' || first >= step) {
    throw std::invalid_argument("TENDRIL_SLOW_TOOL: expected K/N, found " + wish);
  }
  std::vector<battery_case> part;
  for (std::size_t i = first; i < all.size(); i += step) {
    part.push_back(std::move(all[i]));
  }
  return part;
}

}  // namespace

const std::vector<battery_case>& battery() {
  static const std::vector<battery_case> cases = [] {
    std::vector<battery_case> made;
    add_tiny(made);
    add_regular(made);
    add_sparse_and_skewed(made);
    add_boundaries(made);
    return part_of(std::move(made));
  }();
  return cases;
}

bool under_slow_tool() {
  return slow_tool() != nullptr;
}

bool without_polling() {
  return std::getenv("TENDRIL_NO_POLLING") != nullptr;  // NOLINT(concurrency-mt-unsafe): as above
}

std::vector<source_set> source_sets(vertex_id num_vertices) {
  if (num_vertices == 0) {
    return {{"none", {}}};
  }
  const vertex_id last = num_vertices - 1;
  if (under_slow_tool()) {
    return {{"several", {last, num_vertices / 2, 0}}};
  }
  return {{"first", {0}},
          {"last", {last}},
          {"several", {last, num_vertices / 2, 0}},
          {"duplicates", {last, 0, last, last, 0}}};
}

const char* to_string(weights_kind kind) {
  switch (kind) {
    case weights_kind::zero:
      return "zero";
    case weights_kind::equal:
      return "equal";
    case weights_kind::mixed:
      return "mixed";
    case weights_kind::huge:
      return "huge";
  }
  return "";
}

template <numeric_weight W>
csr<W> with_weights(const csr<>& graph, weights_kind kind) {
  const auto weight_of = [kind](vertex_id u, vertex_id v) -> W {
    switch (kind) {
      case weights_kind::zero:
        return 0;
      case weights_kind::equal:
        return 3;
      case weights_kind::mixed:
        return static_cast<W>((std::uint64_t{std::min(u, v)} * 7919 + std::max(u, v) * 104'729ULL) %
                              16);
      case weights_kind::huge:
        return std::is_same_v<W, std::int32_t>
                   ? static_cast<W>(std::numeric_limits<std::int32_t>::max())
                   : static_cast<W>(std::uint64_t{1} << 60U);
    }
    return 0;
  };
  const auto view = graph.view();
  std::vector<W> weights(graph.num_edges());
  for (vertex_id u = 0; u < view.num_vertices(); ++u) {
    for (edge_offset position = view.first_edge(u); position < view.last_edge(u); ++position) {
      weights[position] = weight_of(u, view.target(position));
    }
  }
  return {graph.offsets(), graph.targets(), std::move(weights), graph.kind()};
}

template csr<std::int32_t> with_weights(const csr<>&, weights_kind);
template csr<float> with_weights(const csr<>&, weights_kind);
template csr<double> with_weights(const csr<>&, weights_kind);

}  // namespace tendril::test
