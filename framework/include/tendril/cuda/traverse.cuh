#pragma once

#include <chrono>
#include <type_traits>
#include <utility>
#include <vector>

#include "tendril/cuda/detail/choose.hpp"
#include "tendril/cuda/detail/driver.cuh"
#include "tendril/cuda/detail/jobs.cuh"
#include "tendril/cuda/detail/profile_range.hpp"
#include "tendril/cuda/engine.hpp"
#include "tendril/traverse/traverse.hpp"

// cuda_engine::traverse, for nvcc: include this where a visitor of your own runs on the GPU.

namespace tendril {

namespace cuda {

/// What runs the resident or the stepped driver for a visitor.
template <class Position, weight W, class Visitor>
using driver_of = driver<Position,
                         std::conditional_t<::tendril::detail::names_first_visit<Visitor>,
                                            first_visit_job<W, Position, host_shape>,
                                            relaxing_job<W, Position, host_shape>>,
                         Visitor>;

/// The same, as the context's last_driver() says. The options have to live as long as the result.
template <class Position, weight W, class Visitor>
[[nodiscard]] driver_of<Position, W, Visitor> make_driver(engine_context& context,
                                                          const placed_graph<W>& graph,
                                                          std::span<const vertex_id> sources,
                                                          const Visitor& visitor,
                                                          const traverse_options& options) {
  if constexpr (::tendril::detail::names_first_visit<Visitor>) {
    const auto job =
        make_first_visit_job<Position, host_shape, Visitor>(context, graph, sources, options);
    return {context, job, visitor, options};
  } else {
    const auto job = make_relaxing_job<Position, host_shape>(context, graph, sources, options);
    return {context, job, visitor, options};
  }
}

/// Runs it; `small` runs the narrow levels of a first-visit traversal: a small_launcher, or none.
template <class Position, weight W, class Visitor, class Small>
void traverse_broad(engine_context& context, const placed_graph<W>& graph,
                    std::span<const vertex_id> sources, const Visitor& visitor,
                    const traverse_options& options, traverse_report& report, const Small& small) {
  make_driver<Position>(context, graph, sources, visitor, options).run(small, report);
}

/// The same, with narrow levels in the small kernel where it can run.
template <class Position, weight W, class Visitor>
void traverse_on(engine_context& context, const placed_graph<W>& graph,
                 std::span<const vertex_id> sources, const Visitor& visitor,
                 const traverse_options& options, traverse_report& report) {
  if constexpr (::tendril::detail::names_first_visit<Visitor>) {
    const small_launcher<W, Position, Visitor> small(context, graph, options, sources.size());
    traverse_broad<Position>(context, graph, sources, visitor, options, report, small);
  } else {
    traverse_broad<Position>(context, graph, sources, visitor, options, report,
                             no_small_launcher{});
  }
}

/// What every traversal begins and ends with. In between, run(position, distinct, report) does what
/// `choice` says, with a position of the graph's width and the distinct sources.
template <weight W, class Visitor, class Run>
traverse_report run_traversal(engine_context& context, const cuda_graph<W>& graph,
                              const source_list& sources, const Visitor& /*visitor*/,
                              const traverse_options& options, driver_choice choice,
                              const Run& run) {
  const profile_range range("tendril: traverse");
  const auto start = std::chrono::steady_clock::now();
  check_options(options, ::tendril::detail::names_relaxing<Visitor>);
  const std::vector<vertex_id> distinct = distinct_sources(sources, graph.num_vertices());
  traverse_report report;
  if (distinct.empty()) {
    return report;
  }
  context.use();
  context.note_driver(std::move(choice));
  if (options.way == direction::pull) {
    graph.prepare_pull();
  }
  if (graph.has_narrow_positions()) {
    run(std::uint32_t{}, distinct, report);
  } else {
    run(edge_offset{}, distinct, report);
  }
  const auto end = std::chrono::steady_clock::now();
  report.ms = std::chrono::duration<double, std::milli>(end - start).count();
  return report;
}

}  // namespace cuda

template <weight W, class Visitor>
traverse_report cuda_engine::traverse(const cuda_graph<W>& graph, const source_list& sources,
                                      const Visitor& visitor, const traverse_options& options) {
  const auto run = [&]<class Position>(Position /*width*/, const std::vector<vertex_id>& distinct,
                                       traverse_report& report) {
    cuda::traverse_on<Position>(*context_, graph.placed(), distinct, visitor, options, report);
  };
  return cuda::run_traversal(*context_, graph, sources, visitor, options,
                             cuda::choose_driver(*context_, options, false), run);
}

}  // namespace tendril
