#pragma once

#include <chrono>
#include <cstring>
#include <span>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/first_visit_kernels.cuh"
#include "tendril/cuda/detail/workspace.hpp"

// Host side of a first-visit traversal: cuts up the working memory, launches, reads the log back.

namespace tendril::cuda {

/// Blocks of a kernel that are on the device together.
template <class Kernel>
[[nodiscard]] unsigned resident_blocks(const engine_context& context, Kernel kernel) {
  int per_multiprocessor = 0;
  TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_multiprocessor, kernel, static_cast<int>(kernel_shape::threads), 0));
  if (per_multiprocessor == 0) {
    throw resource_error("the traversal kernel does not fit on " + context.device().name);
  }
  return static_cast<unsigned>(per_multiprocessor * context.device().num_multiprocessors);
}

template <weight W, class Position>
[[nodiscard]] kernel_graph<W, Position> graph_for_kernels(const placed_graph<W>& graph) {
  kernel_graph<W, Position> view{};
  view.out = out_rows<Position>(graph);
  view.in = in_rows<Position>(graph);
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

template <weight W, class Position, class Visitor>
class first_visit_traversal {
 public:
  first_visit_traversal(engine_context& context, const placed_graph<W>& graph,
                        std::span<const vertex_id> sources, const Visitor& visitor,
                        const traverse_options& options)
      : context_(context),
        visitor_(visitor),
        options_(options),
        cooperative_(context.device().cooperative && context.driver() != cuda_driver::stepped) {
    const first_visit_layout layout(graph.num_vertices, sources.size(), sizeof(Position),
                                    reads_edges<Visitor, W>, sizeof(traversal_state),
                                    sizeof(level_record));
    std::byte* const memory = context.workspace(layout.all.size());
    const auto at = [&]<class T>(T*& pointer, std::size_t offset) {
      pointer = reinterpret_cast<T*>(memory + offset);
    };
    job_.graph = graph_for_kernels<W, Position>(graph);
    job_.counts = counts_for<Position>(graph.num_vertices, graph.num_edges);
    at(job_.state, layout.state);
    job_.log = reinterpret_cast<level_record*>(job_.state + 1);
    vertex_id* device_sources = nullptr;
    at(device_sources, layout.sources);
    job_.sources = device_sources;
    at(job_.bits[0], layout.bits[0]);
    at(job_.bits[1], layout.bits[1]);
    at(job_.queue.edges_before, layout.edges_before);
    at(job_.queue.shift, layout.shift);
    if (reads_edges<Visitor, W>) {
      at(job_.queue.vertices, layout.vertices);
    }
    job_.num_sources = static_cast<std::uint32_t>(sources.size());
    job_.log_capacity = options.each_level ? 1 : log_capacity;
    job_.depth_limit = options.depth_limit;
    job_.wanted = options.way;
    job_.pull_bias = context.tuning().pull_bias;
    job_.dense_push = context.tuning().dense_push;
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(device_sources, sources.data(), sources.size_bytes(),
                                       cudaMemcpyHostToDevice, context.stream()));
  }

  void run(traverse_report& report) {
    kernel_entry entry{true, true, 0};
    traversal_status status = traversal_status::running;
    while (status == traversal_status::running) {
      entry = cooperative_ ? launch_resident(entry) : launch_steps(entry);
      status = read_back(entry, report);
    }
    report.end = status == traversal_status::stopped       ? ending::stopped_by_visitor
                 : status == traversal_status::depth_limit ? ending::depth_limit
                                                           : ending::exhausted;
  }

 private:
  /// @return how the next launch enters
  kernel_entry launch_resident(kernel_entry entry) {
    auto* const kernel = resident_first_visit<W, Position, Visitor>;
    const unsigned blocks = resident_blocks(context_, kernel);
    void* arguments[] = {&job_, &visitor_, &entry};
    TENDRIL_CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, dim3(blocks),
                                                   dim3(kernel_shape::threads), arguments, 0,
                                                   context_.stream()));
    TENDRIL_CUDA_CHECK_LAUNCH();
    return {false, true, entry.parity ^ 1U};
  }

  kernel_entry launch_steps(kernel_entry entry) {
    constexpr int steps_per_look = 8;
    auto* const kernel = stepped_first_visit<W, Position, Visitor>;
    const unsigned blocks = resident_blocks(context_, kernel);
    for (int i = 0; i < steps_per_look; ++i) {
      kernel<<<blocks, kernel_shape::threads, 0, context_.stream()>>>(job_, visitor_, entry);
      TENDRIL_CUDA_CHECK_LAUNCH();
      entry = {false, false, entry.parity ^ 1U};
    }
    return {false, true, entry.parity};
  }

  /// Waits, and takes the log over. @return how the kernels left the traversal
  traversal_status read_back(const kernel_entry& next, traverse_report& report) {
    constexpr std::size_t head_records =
        (engine_context::status_bytes - sizeof(traversal_state)) / sizeof(level_record);
    constexpr std::size_t head_bytes =
        sizeof(traversal_state) + head_records * sizeof(level_record);
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(context_.status(), job_.state, head_bytes,
                                       cudaMemcpyDeviceToHost, context_.stream()));
    context_.synchronize();
    traversal_state state;
    std::memcpy(&state, context_.status(), sizeof state);
    const traversal_cursor& cursor = state.cursors[next.parity];
    std::vector<level_record> records(cursor.num_logged);
    std::memcpy(records.data(), context_.status() + sizeof state,
                std::min(records.size(), head_records) * sizeof(level_record));
    if (records.size() > head_records) {
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(records.data() + head_records, job_.log + head_records,
                                         (records.size() - head_records) * sizeof(level_record),
                                         cudaMemcpyDeviceToHost, context_.stream()));
      context_.synchronize();
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::uint64_t end_ns =
          i + 1 < records.size() ? records[i + 1].start_ns : state.end_ns;
      report.levels.push_back({static_cast<std::int32_t>(report.levels.size()), records[i].way,
                               records[i].frontier, records[i].edges,
                               static_cast<double>(end_ns - records[i].start_ns) * 1e-6});
      if (options_.each_level) {
        options_.each_level(report.levels.back());
      }
    }
    report.entered = cursor.entered;
    return cursor.status;
  }

  engine_context& context_;
  Visitor visitor_;
  const traverse_options& options_;
  bool cooperative_;
  first_visit_job<W, Position> job_{};
};

}  // namespace tendril::cuda
