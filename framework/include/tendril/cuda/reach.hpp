#pragma once

#include <algorithm>
#include <span>

#include "tendril/cuda/detail/placed_graph.hpp"
#include "tendril/cuda/engine.hpp"
#include "tendril/query/batch_depths.hpp"
#include "tendril/query/reach.hpp"

namespace tendril {

namespace cuda {

/// A placed graph as searches by lanes read it: no weights, positions of either width.
struct lane_graph {
  /// In device memory, borrowed.
  struct rows {
    const std::uint32_t* narrow;  ///< [num_vertices + 1]; one of the two is set
    const edge_offset* wide;      ///< [num_vertices + 1]
    const vertex_id* targets;     ///< [num_edges]
  };
  rows out;                         ///< the edges as they are stored
  rows in;                          ///< no targets where a pull is not prepared
  const short_row* short_rows;      ///< of `out`; null where they are not packed
  const edge_offset* host_offsets;  ///< in host memory; null where the rows lay on the device
  vertex_id num_vertices;           ///< of the graph
  edge_offset num_edges;            ///< stored edges
};

/// Borrows what the graph holds; O(1).
template <weight W>
[[nodiscard]] lane_graph graph_for_lanes(const placed_graph<W>& graph) {
  lane_graph view{};
  view.out = {graph.narrow_out.offsets, graph.wide_out.offsets,
              graph.narrow ? graph.narrow_out.targets : graph.wide_out.targets};
  if (graph.can_pull) {
    view.in = {graph.narrow_in.offsets, graph.wide_in.offsets,
               graph.narrow ? graph.narrow_in.targets : graph.wide_in.targets};
  }
  view.short_rows = graph.short_rows.data();
  view.host_offsets = graph.host ? graph.host->offsets().data() : nullptr;
  view.num_vertices = graph.num_vertices;
  view.num_edges = graph.num_edges;
  return view;
}

/// Passes of many queries each. @throws resource_error @sync waits
[[nodiscard]] reach_result reach_on_device(engine_context& context, const lane_graph& graph,
                                           std::span<const vertex_id> sources,
                                           const reach_options& options);
/// A block per query. @throws resource_error @sync waits
[[nodiscard]] reach_result reach_by_blocks(engine_context& context, const lane_graph& graph,
                                           std::span<const vertex_id> sources,
                                           const reach_options& options);
/// Counts what the first levels of one query enter. @throws resource_error @sync waits
[[nodiscard]] ::tendril::detail::query_width probe_on_device(engine_context& context,
                                                             const lane_graph& graph,
                                                             vertex_id source);
/// One pass that keeps its depths. @throws resource_error @sync waits
[[nodiscard]] batch_depths<cuda_engine> bfs_batch_on_device(cuda_engine& engine,
                                                            const lane_graph& graph,
                                                            std::span<const vertex_id> sources);

}  // namespace cuda

/// How a GPU engine runs queries side by side.
[[nodiscard]] inline reach_way side_by_side_way(const cuda_engine& /*engine*/) noexcept {
  return reach_way::blocks;
}

/// What tendril::reach calls for a batch on a GPU engine. Memory beyond graph and answers: per
/// vertex a quarter of a byte per lane, and 29 3/8 bytes; passes are narrower where that much is
/// not there.
template <weight W>
[[nodiscard]] reach_result run_reach_batch(cuda_engine& engine, const cuda_graph<W>& graph,
                                           std::span<const vertex_id> sources,
                                           const reach_options& options) {
  return cuda::reach_on_device(engine.context(), cuda::graph_for_lanes(graph.placed()), sources,
                               options);
}

/// What tendril::reach calls for queries side by side: a block each. Memory beyond graph and
/// answers: per block 4 bytes per vertex, and an eighth more where a bitmap of the vertices does
/// not fit into shared memory; as many blocks run as there is memory for.
template <weight W>
[[nodiscard]] reach_result run_reach_side_by_side(cuda_engine& engine, const cuda_graph<W>& graph,
                                                  std::span<const vertex_id> sources,
                                                  const reach_options& options) {
  return cuda::reach_by_blocks(engine.context(), cuda::graph_for_lanes(graph.placed()), sources,
                               options);
}

/// Runs the first levels of the query whose source has most edges.
template <weight W>
[[nodiscard]] detail::query_width run_probe(cuda_engine& engine, const cuda_graph<W>& graph,
                                            std::span<const vertex_id> sources) {
  const cuda::lane_graph view = cuda::graph_for_lanes(graph.placed());
  const auto degree = [&](vertex_id v) {
    return view.host_offsets == nullptr
               ? edge_offset{0}
               : view.host_offsets[std::size_t{v} + 1] - view.host_offsets[v];
  };
  return cuda::probe_on_device(
      engine.context(), view,
      *std::max_element(sources.begin(), sources.end(),
                        [&](vertex_id a, vertex_id b) { return degree(a) < degree(b); }));
}

/// What tendril::bfs_batch calls for a GPU engine.
template <weight W>
[[nodiscard]] batch_depths<cuda_engine> run_bfs_batch(cuda_engine& engine,
                                                      const cuda_graph<W>& graph,
                                                      std::span<const vertex_id> sources) {
  return cuda::bfs_batch_on_device(engine, cuda::graph_for_lanes(graph.placed()), sources);
}

}  // namespace tendril
