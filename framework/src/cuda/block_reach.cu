#include <algorithm>

#include "tendril/cuda/reach.hpp"
#include "tendril/cuda/traverse_each.cuh"

namespace tendril::cuda {

namespace {

/// Only counts are kept of a launch of so many queries, and up to 2048 levels of each.
constexpr std::size_t queries_at_once = 4096;

template <class Position>
kernel_graph<none, Position> rows_for_blocks(const lane_graph& graph) {
  kernel_graph<none, Position> view{};
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    view.out.offsets = graph.out.narrow;
  } else {
    view.out.offsets = graph.out.wide;
  }
  view.out.targets = graph.out.targets;
  view.short_rows = graph.short_rows;
  view.num_edges = graph.num_edges;
  view.num_vertices = graph.num_vertices;
  view.num_words = static_cast<std::uint32_t>(bitmap_bytes(graph.num_vertices) / sizeof(bit_word));
  return view;
}

template <class Visitor>
reach_result run_blocks(engine_context& context, const lane_graph& graph,
                        std::span<const vertex_id> sources, std::span<const Visitor> visitors,
                        const reach_options& options) {
  if (graph.out.narrow != nullptr) {
    return block_queries<none, std::uint32_t, Visitor>(
               context, rows_for_blocks<std::uint32_t>(graph), sources, visitors, options)
        .run();
  }
  return block_queries<none, edge_offset, Visitor>(context, rows_for_blocks<edge_offset>(graph),
                                                   sources, visitors, options)
      .run();
}

}  // namespace

reach_result reach_by_blocks(engine_context& context, const lane_graph& graph,
                             std::span<const vertex_id> sources, const reach_options& options) {
  context.use();
  reach_result result;
  const std::vector<::tendril::detail::no_notes> visitors(
      std::min(sources.size(), queries_at_once));
  for (std::size_t first = 0; first < sources.size(); first += queries_at_once) {
    const auto some = sources.subspan(first, std::min(queries_at_once, sources.size() - first));
    reach_result part =
        run_blocks(context, graph, some, std::span(visitors).first(some.size()), options);
    for (reach_span& span : part.timeline) {
      span.place += first;
      result.timeline.push_back(span);
    }
    result.queries.insert(result.queries.end(), part.queries.begin(), part.queries.end());
    std::move(part.histograms.begin(), part.histograms.end(),
              std::back_inserter(result.histograms));
    result.report.slots = std::max(result.report.slots, part.report.slots);
  }
  for (const reach_summary& query : result.queries) {
    result.report.levels += static_cast<std::uint64_t>(query.depth) + 1;
  }
  return result;
}

::tendril::detail::query_width probe_on_device(engine_context& context, const lane_graph& graph,
                                               vertex_id source) {
  context.use();
  device_buffer<std::uint32_t> arrived(1, context.stream(), context.memory());
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(arrived.data(), 0, arrived.size_bytes(), context.stream()));
  const ::tendril::detail::width_probe probe{arrived.data()};
  const reach_summary found =
      run_blocks(context, graph, std::span(&source, 1), std::span(&probe, 1), {}).queries[0];
  // Where it stopped, the last vertices arrived in a level that was not expanded.
  const bool has_stopped = found.reached > probe.many || found.depth >= probe.most_levels;
  return {found.reached, found.depth + (has_stopped ? 0 : 1)};
}

}  // namespace tendril::cuda
