#pragma once

#include <span>

#include "tendril/host/engine.hpp"
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

/// What tendril::reach calls for a host engine. Memory beyond graph and answers: per vertex a
/// quarter of a byte per lane, and 8 1/8 bytes.
template <weight W>
[[nodiscard]] reach_result run_reach(host_engine& engine, const host_graph<W>& graph,
                                     std::span<const vertex_id> sources,
                                     const reach_options& options) {
  return detail::reach_on_host(engine, detail::rows_for_lanes(graph), sources, options);
}

/// What tendril::bfs_batch calls for a host engine.
template <weight W>
[[nodiscard]] batch_depths<host_engine> run_bfs_batch(host_engine& engine,
                                                      const host_graph<W>& graph,
                                                      std::span<const vertex_id> sources) {
  return detail::bfs_batch_on_host(engine, detail::rows_for_lanes(graph), sources);
}

}  // namespace tendril
