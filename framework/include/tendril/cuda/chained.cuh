#pragma once

#include "tendril/cuda/detail/chained_driver.cuh"
#include "tendril/cuda/dynamic_engine.hpp"
#include "tendril/cuda/traverse.cuh"

// dynamic_cuda_engine::traverse, for nvcc with -rdc=true: include this where a visitor of your own
// runs on such an engine. Without -rdc=true include tendril/cuda/traverse.cuh and use cuda_engine.

namespace tendril {

namespace cuda {

/// Runs the chained driver.
template <class Position, weight W, class Visitor>
void chain_on(engine_context& context, const placed_graph<W>& graph,
              std::span<const vertex_id> sources, const Visitor& visitor,
              const traverse_options& options, traverse_report& report) {
  if constexpr (::tendril::detail::names_first_visit<Visitor>) {
    const auto job =
        make_first_visit_job<Position, device_shape, Visitor>(context, graph, sources, options);
    chained_driver<Position, first_visit_job<W, Position, device_shape>, Visitor>(context, job,
                                                                                  visitor, options)
        .run(report);
  } else {
    const auto job = make_relaxing_job<Position, device_shape>(context, graph, sources, options);
    chained_driver<Position, relaxing_job<W, Position, device_shape>, Visitor>(context, job,
                                                                               visitor, options)
        .run(report);
  }
}

}  // namespace cuda

template <weight W, class Visitor>
traverse_report dynamic_cuda_engine::traverse(const cuda_graph<W>& graph,
                                              const source_list& sources, const Visitor& visitor,
                                              const traverse_options& options) {
  driver_choice choice = cuda::choose_driver(context(), options, true);
  if (choice.used != cuda_driver::chained) {
    auto report = cuda_engine::traverse(graph, sources, visitor, options);
    if (context().last_driver().used != cuda_driver::automatic) {  // there was a source
      context().note_driver(std::move(choice));
    }
    return report;
  }
  const auto run = [&]<class Position>(Position /*width*/, const std::vector<vertex_id>& distinct,
                                       traverse_report& report) {
    cuda::chain_on<Position>(context(), graph.placed(), distinct, visitor, options, report);
  };
  return cuda::run_traversal(context(), graph, sources, visitor, options, std::move(choice), run);
}

}  // namespace tendril
