#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/host/traverse_each.hpp"
#include "tendril/query/batch_depths.hpp"
#include "tendril/query/reach.hpp"

namespace tendril {

namespace detail {

/// Rows as a search by lanes reads them: no weights.
struct lane_rows {
  csr_view<none> out;
  csr_view<none> in;  ///< the edges turned round; no offsets where a pull is not prepared
};

template <weight W>
[[nodiscard]] lane_rows rows_for_lanes(const host_graph<W>& graph) {
  const auto bare = [](const csr_view<W>& rows) {
    return csr_view<none>{rows.offsets, rows.targets, nullptr, rows.vertex_count, rows.edge_count};
  };
  return {bare(graph.view()),
          graph.can_pull() ? bare(graph.incoming().transposed.view()) : csr_view<none>{}};
}

[[nodiscard]] reach_result reach_on_host(host_engine& engine, const lane_rows& rows,
                                         std::span<const vertex_id> sources,
                                         const reach_options& options);
[[nodiscard]] batch_depths<host_engine> bfs_batch_on_host(host_engine& engine,
                                                          const lane_rows& rows,
                                                          std::span<const vertex_id> sources);

}  // namespace detail

/// How a host engine runs queries side by side.
[[nodiscard]] inline reach_way side_by_side_way(const host_engine& /*engine*/) noexcept {
  return reach_way::streams;
}

/// What tendril::reach calls for a batch on a host engine. Memory beyond graph and answers: per
/// vertex a quarter of a byte per lane, and 8 1/8 bytes.
template <weight W>
[[nodiscard]] reach_result run_reach_batch(host_engine& engine, const host_graph<W>& graph,
                                           std::span<const vertex_id> sources,
                                           const reach_options& options) {
  return detail::reach_on_host(engine, detail::rows_for_lanes(graph), sources, options);
}

/// What tendril::reach calls for queries side by side. Memory beyond graph and answers: that of a
/// traversal for each thread.
template <weight W>
[[nodiscard]] reach_result run_reach_side_by_side(host_engine& engine, const host_graph<W>& graph,
                                                  std::span<const vertex_id> sources,
                                                  const reach_options& options) {
  const std::vector<detail::no_notes> visitors(sources.size());
  reach_result result = run_traverse_each(engine, graph, sources, std::span(visitors), options);
  for (const reach_summary& query : result.queries) {
    result.report.levels += static_cast<std::uint64_t>(query.depth) + 1;
  }
  return result;
}

/// Runs the first levels of the query whose source has most edges.
template <weight W>
[[nodiscard]] detail::query_width run_probe(host_engine& engine, const host_graph<W>& graph,
                                            std::span<const vertex_id> sources) {
  const csr_view<W> rows = graph.view();
  const vertex_id source =
      *std::max_element(sources.begin(), sources.end(),
                        [&](vertex_id a, vertex_id b) { return rows.degree(a) < rows.degree(b); });
  // Threads that counted arrivals in one place would wait for each other: a search to the end costs
  // less.
  const auto report = engine.traverse(graph, {source}, detail::no_notes{},
                                      {.depth_limit = detail::width_probe::most_levels});
  return {report.entered, static_cast<std::int32_t>(report.levels.size())};
}

/// What tendril::bfs_batch calls for a host engine.
template <weight W>
[[nodiscard]] batch_depths<host_engine> run_bfs_batch(host_engine& engine,
                                                      const host_graph<W>& graph,
                                                      std::span<const vertex_id> sources) {
  return detail::bfs_batch_on_host(engine, detail::rows_for_lanes(graph), sources);
}

}  // namespace tendril
