#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/query/traverse_each.hpp"

namespace tendril {

/// What tendril::traverse_each calls for a host engine: a thread per traversal. Memory beyond the
/// graph: that of a traversal for each thread.
/// @param histograms  null, or gets the vertices at each depth of each traversal: [num_sources]
template <weight W, class Visitor>
std::vector<reach_summary> run_traverse_each(host_engine& engine, const host_graph<W>& graph,
                                             std::span<const vertex_id> sources,
                                             std::span<const Visitor> visitors,
                                             std::vector<std::vector<vertex_id>>* histograms) {
  std::vector<reach_summary> answers(sources.size());
  std::vector<std::unique_ptr<host_engine>> singles(static_cast<std::size_t>(engine.threads()));
  const auto search = [&](std::size_t query) {
    auto& single = singles[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
    if (single == nullptr) {
      single = std::make_unique<host_engine>(host_options{.threads = 1});
    }
    const auto report = single->traverse(graph, {sources[query]}, visitors[query], {});
    answers[query] = detail::summarise(report, [&](std::uint64_t size) {
      if (histograms != nullptr) {
        (*histograms)[query].push_back(static_cast<vertex_id>(size));
      }
    });
  };
  engine.run([&] { tbb::parallel_for(std::size_t{0}, sources.size(), search); });
  return answers;
}

}  // namespace tendril
