#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/query/traverse_each.hpp"

namespace tendril {

/// What tendril::traverse_each calls for a host engine: a thread per traversal. Of the options it
/// takes slots, histograms and timeline. Memory beyond the graph: that of a traversal for each
/// thread.
template <weight W, class Visitor>
reach_result run_traverse_each(host_engine& engine, const host_graph<W>& graph,
                               std::span<const vertex_id> sources,
                               std::span<const Visitor> visitors, const reach_options& options) {
  const std::size_t slots =
      std::min({static_cast<std::size_t>(engine.threads()), options.slots, sources.size()});
  reach_result result;
  result.queries.resize(sources.size());
  result.histograms.resize(options.histograms ? sources.size() : 0);
  result.timeline.resize(options.timeline ? sources.size() : 0);
  result.report.slots = slots;
  std::vector<std::unique_ptr<host_engine>> singles(slots);
  const auto search = [&](std::size_t query) {
    const auto slot = static_cast<std::uint32_t>(tbb::this_task_arena::current_thread_index());
    auto& single = singles[slot];
    if (single == nullptr) {
      single = std::make_unique<host_engine>(host_options{.threads = 1});
    }
    const std::uint64_t begin_ns = options.timeline ? detail::clock_ns() : 0;
    const auto report = single->traverse(graph, {sources[query]}, visitors[query], {});
    result.queries[query] = detail::summarise(report, [&](std::uint64_t size) {
      if (options.histograms) {
        result.histograms[query].push_back(static_cast<vertex_id>(size));
      }
    });
    if (options.timeline) {
      result.timeline[query] = {begin_ns, detail::clock_ns(), query, 1, slot};
    }
  };
  if (slots > 0) {
    tbb::task_arena(static_cast<int>(slots)).execute([&] {
      tbb::parallel_for(std::size_t{0}, sources.size(), search);
    });
  }
  return result;
}

}  // namespace tendril
