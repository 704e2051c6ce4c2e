#pragma once

#include <bit>
#include <limits>
#include <span>
#include <string>

#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/first_visit_job.cuh"
#include "tendril/cuda/detail/relaxing_steps.cuh"
#include "tendril/cuda/detail/workspace.hpp"

// Jobs for the kernels: the graph as they read it, and the engine's working memory cut up.

namespace tendril::cuda {

template <weight W, class Position>
[[nodiscard]] kernel_graph<W, Position> graph_for_kernels(const placed_graph<W>& graph) {
  kernel_graph<W, Position> view{};
  view.out = out_rows<Position>(graph);
  view.in = in_rows<Position>(graph);
  view.degrees = graph.degrees.data();
  view.first_in = graph.first_in.data();
  view.isolated = graph.isolated.data();
  view.hub_parts = graph.hub_parts.data();
  view.short_rows = graph.short_rows.data();
  view.num_edges = graph.num_edges;
  view.num_vertices = graph.num_vertices;
  view.num_enterable = graph.num_vertices - graph.num_isolated;
  view.num_words = static_cast<std::uint32_t>(graph.isolated.size());
  view.num_hub_parts = static_cast<std::uint32_t>(graph.hub_parts.size());
  return view;
}

/// Bits of an edge count in packed_counts.
template <class Position>
[[nodiscard]] packed_counts counts_for(vertex_id num_vertices, edge_offset num_edges) {
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    return {32};
  } else {
    const auto edge_bits = static_cast<std::uint32_t>(std::bit_width(num_edges));
    if (edge_bits + static_cast<std::uint32_t>(std::bit_width(num_vertices)) > 64) {
      throw resource_error("vertices and edges of one level must fit into 64 bits together: " +
                           std::to_string(num_vertices) + " vertices, " +
                           std::to_string(num_edges) + " edges");
    }
    return {edge_bits};
  }
}

/// What both kinds of job have; several sources are copied. @pre there is a source
template <class Position, class Job, weight W>
void fill_job(Job& job, engine_context& context, const placed_graph<W>& graph,
              std::span<const vertex_id> sources, const traverse_options& options,
              const workspace_carver& carve, const common_layout& layout) {
  job.graph = graph_for_kernels<W, Position>(graph);
  job.counts = counts_for<Position>(graph.num_vertices, graph.num_edges);
  job.state = carve.at<traversal_state>(layout.state);
  job.log = carve.at<level_record>(layout.state + state_bytes);
  job.sources.only = sources.front();
  job.num_sources = static_cast<std::uint32_t>(sources.size());
  job.log_capacity = log_capacity;
  job.depth_limit = options.depth_limit;
  if (sources.size() > 1) {
    auto* const device_sources = carve.at<vertex_id>(layout.sources);
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(device_sources, sources.data(), sources.size_bytes(),
                                       cudaMemcpyHostToDevice, context.stream()));
    job.sources.several = device_sources;
  }
}

/// A push of more edges marks.
[[nodiscard]] inline std::uint64_t marking_edges(const cuda_tuning& tuning,
                                                 vertex_id num_vertices) {
  if (tuning.dense_push == 0 || num_vertices < tuning.dense_vertices) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return num_vertices / tuning.dense_push;
}

/// Rows are pushed (push_rows.cuh) where none is longer and pushes claim.
inline constexpr edge_offset row_push_degree = 8;

template <class Position, class Shape, class Visitor, weight W>
[[nodiscard]] first_visit_job<W, Position, Shape> make_first_visit_job(
    engine_context& context, const placed_graph<W>& graph, std::span<const vertex_id> sources,
    const traverse_options& options) {
  const bool keeps_vertices = reads_edges<Visitor, W> || graph.short_rows.size() != 0;
  const first_visit_layout layout(graph.num_vertices, sources.size(), sizeof(Position),
                                  keeps_vertices);
  const workspace_carver carve{context.workspace(layout.all.size())};
  first_visit_job<W, Position, Shape> job{};
  fill_job<Position>(job, context, graph, sources, options, carve, layout);
  for (int i = 0; i < 2; ++i) {
    job.bits[i] = carve.at<bit_word>(layout.bits[i]);
  }
  job.wanted = options.way;
  const cuda_tuning& tuning = context.tuning();
  job.marking_edges = marking_edges(tuning, graph.num_vertices);
  const bool can_mark =
      !reads_edges<Visitor, W> && job.marking_edges != std::numeric_limits<std::uint64_t>::max();
  const bool pushes_rows = takes_short_rows<Visitor, W> && graph.short_rows.size() != 0 &&
                           graph.max_degree <= row_push_degree && !can_mark;
  if (!pushes_rows) {
    job.queue.edges_before = carve.at<Position>(layout.edges_before);
    job.queue.shift = carve.at<Position>(layout.shift);
  }
  job.queue.vertices = keeps_vertices ? carve.at<vertex_id>(layout.vertices) : nullptr;
  job.pull_bias = can_mark      ? tuning.pull_bias
                  : pushes_rows ? tuning.row_pull_bias
                                : tuning.claim_pull_bias;
  job.small_limit = tuning.small_limit;
  return job;
}

template <class Position, class Shape, weight W>
[[nodiscard]] relaxing_job<W, Position, Shape> make_relaxing_job(engine_context& context,
                                                                 const placed_graph<W>& graph,
                                                                 std::span<const vertex_id> sources,
                                                                 const traverse_options& options) {
  const relaxing_layout layout(graph.num_vertices, sources.size(), sizeof(Position));
  const workspace_carver carve{context.workspace(layout.all.size())};
  relaxing_job<W, Position, Shape> job{};
  fill_job<Position>(job, context, graph, sources, options, carve, layout);
  for (int i = 0; i < 2; ++i) {
    job.queued[i] = carve.at<bit_word>(layout.queued[i]);
    job.queues[i] = {carve.at<Position>(layout.edges_before[i]),
                     carve.at<Position>(layout.shift[i]), carve.at<vertex_id>(layout.vertices[i])};
  }
  return job;
}

}  // namespace tendril::cuda
