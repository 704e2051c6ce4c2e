#pragma once

#include <chrono>

#include "tendril/cuda/detail/first_visit_driver.cuh"
#include "tendril/cuda/engine.hpp"
#include "tendril/traverse/traverse.hpp"

// cuda_engine::traverse, for nvcc: include this where a visitor of your own runs on the GPU.

namespace tendril {

template <weight W, class Visitor>
traverse_report cuda_engine::traverse(const cuda_graph<W>& graph, const source_list& sources,
                                      const Visitor& visitor, const traverse_options& options) {
  const auto start = std::chrono::steady_clock::now();
  traverse_report report;
  const std::vector<vertex_id> distinct = distinct_sources(sources, graph.num_vertices());
  if (!distinct.empty()) {
    context_->use();
    if (options.way == direction::pull) {
      graph.prepare_pull();
    }
    const auto run = [&]<class Position>(Position) {
      cuda::first_visit_traversal<W, Position, Visitor>(*context_, graph.placed(), distinct,
                                                        visitor, options)
          .run(report);
    };
    if (graph.has_narrow_positions()) {
      run(std::uint32_t{});
    } else {
      run(edge_offset{});
    }
  }
  const auto end = std::chrono::steady_clock::now();
  report.ms = std::chrono::duration<double, std::milli>(end - start).count();
  return report;
}

template <weight W>
std::size_t cuda_engine::working_bytes(const cuda_graph<W>& graph, bool reads_edges) const {
  return cuda::first_visit_layout(graph.num_vertices(), 1,
                                  graph.has_narrow_positions() ? 4 : 8, reads_edges,
                                  sizeof(cuda::traversal_state), sizeof(cuda::level_record))
      .all.size();
}

}  // namespace tendril
