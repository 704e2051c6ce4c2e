#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tendril/cuda/detail/block_launch.cuh"
#include "tendril/cuda/detail/jobs.cuh"
#include "tendril/cuda/engine.hpp"
#include "tendril/query/traverse_each.hpp"

// tendril::traverse_each on a GPU, for nvcc.

namespace tendril {

namespace cuda {

/// Host side of one call: a block per query.
template <weight W, class Position, class Visitor>
class block_queries {
 public:
  /// As many blocks as queries, slots, and blocks that fit at once. Borrows all it is given.
  block_queries(engine_context& context, const kernel_graph<W, Position>& graph,
                std::span<const vertex_id> sources, std::span<const Visitor> visitors,
                const reach_options& options)
      : context_(context),
        sources_(sources),
        visitors_(visitors),
        options_(options),
        launch_(context, graph) {
    job_.num_queries = static_cast<std::uint32_t>(sources.size());
    const auto resident = static_cast<std::size_t>(launch_.blocks_per_multiprocessor() *
                                                   context.device().num_multiprocessors);
    blocks_ = static_cast<std::uint32_t>(std::min({sources.size(), resident, options.slots}));
  }

  /// Launches, once more where levels are deeper than was thought. @sync waits
  [[nodiscard]] reach_result run() {
    reach_result result;
    job_.counted_levels =
        options_.histograms ? std::min(first_counted_levels, job_.graph.num_vertices) : 0;
    launch(result);
    if (options_.histograms) {
      std::int32_t deepest = 0;
      for (const reach_summary& answer : result.queries) {
        deepest = std::max(deepest, answer.depth);
      }
      if (static_cast<std::uint32_t>(deepest) >= job_.counted_levels) {
        job_.counted_levels = static_cast<std::uint32_t>(deepest) + 1;  // now it is known
        launch(result);
      }
      take_counts(result, static_cast<std::size_t>(deepest) + 1);
    }
    result.report.slots = blocks_;
    return result;
  }

 private:
  static constexpr std::uint32_t first_counted_levels = 2048;

  struct memory_layout {
    memory_layout(const block_launch<W, Position, Visitor>& launch, std::uint32_t blocks,
                  bool with_times)
        : sources(all.add(launch.job.num_queries * sizeof(vertex_id))),
          visitors(all.add(launch.job.num_queries * sizeof(Visitor))),
          answers(all.add(launch.job.num_queries * sizeof(reach_summary))),
          level_counts(all.add(std::size_t{launch.job.num_queries} * launch.job.counted_levels *
                               sizeof(vertex_id))),
          times(all.add(with_times ? launch.job.num_queries * sizeof(block_query_times) : 0)),
          ticket(all.add(sizeof(std::uint32_t))),
          bitmaps(all.add(launch.bitmap_memory(blocks))),
          spilled(all.add(launch.spill_memory(blocks))) {}
    layout all;
    std::size_t sources;
    std::size_t visitors;
    std::size_t answers;
    std::size_t level_counts;
    std::size_t times;
    std::size_t ticket;
    std::size_t bitmaps;
    std::size_t spilled;
  };

  /// Memory for as many blocks as it is there for, one at least.
  [[nodiscard]] memory_layout reserve() {
    for (;; blocks_ = (blocks_ + 1) / 2) {
      const memory_layout wanted(launch_, blocks_, options_.timeline);
      try {
        memory_ = {context_.workspace(wanted.all.size())};
        return wanted;
      } catch (const resource_error&) {
        if (blocks_ == 1) {
          throw;
        }
      }
    }
  }

  void launch(reach_result& result) {
    const memory_layout at = reserve();
    const cudaStream_t stream = context_.stream();
    auto* const sources = memory_.at<vertex_id>(at.sources);
    auto* const visitors = memory_.at<Visitor>(at.visitors);
    job_.sources = sources;
    job_.answers = memory_.at<reach_summary>(at.answers);
    job_.level_counts = memory_.at<vertex_id>(at.level_counts);
    job_.times = options_.timeline ? memory_.at<block_query_times>(at.times) : nullptr;
    job_.ticket = memory_.at<std::uint32_t>(at.ticket);
    job_.bitmaps = memory_.at<bit_word>(at.bitmaps);
    job_.spilled = memory_.at<vertex_id>(at.spilled);
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(sources, sources_.data(), sources_.size_bytes(),
                                       cudaMemcpyHostToDevice, stream));
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(visitors, visitors_.data(), visitors_.size_bytes(),
                                       cudaMemcpyHostToDevice, stream));
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(job_.ticket, 0, sizeof(std::uint32_t), stream));
    launch_.launch(blocks_, visitors, stream);
    result.queries.resize(sources_.size());
    std::vector<block_query_times> times(options_.timeline ? sources_.size() : 0);
    fetch(result.queries, job_.answers);
    fetch(times, job_.times);
    context_.synchronize();
    result.timeline.clear();
    for (std::size_t query = 0; query < times.size(); ++query) {
      const block_query_times& time = times[query];
      result.timeline.push_back({time.begin_ns, time.end_ns, query, 1, time.block});
    }
  }

  /// Fills what was sized. @sync none
  template <class T>
  void fetch(std::vector<T>& to, const T* from) const {
    if (!to.empty()) {
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(to.data(), from, to.size() * sizeof(T),
                                         cudaMemcpyDeviceToHost, context_.stream()));
    }
  }

  /// @param levels  of the deepest query
  void take_counts(reach_result& result, std::size_t levels) const {
    const std::size_t width = levels * sizeof(vertex_id);
    std::vector<vertex_id> counts(result.queries.size() * levels);
    TENDRIL_CUDA_CHECK(cudaMemcpy2DAsync(
        counts.data(), width, job_.level_counts, job_.counted_levels * sizeof(vertex_id), width,
        result.queries.size(), cudaMemcpyDeviceToHost, context_.stream()));
    context_.synchronize();
    for (auto row = counts.cbegin(); const reach_summary& query : result.queries) {
      result.histograms.emplace_back(row, row + query.depth + 1);
      row += static_cast<std::ptrdiff_t>(levels);
    }
  }

  engine_context& context_;
  std::span<const vertex_id> sources_;
  std::span<const Visitor> visitors_;
  const reach_options& options_;
  block_launch<W, Position, Visitor> launch_;
  block_query_job<W, Position>& job_ = launch_.job;
  workspace_carver memory_{};
  std::uint32_t blocks_ = 0;
};

}  // namespace cuda

/// What tendril::traverse_each calls for a GPU engine. Memory beyond the graph: per block 4 bytes
/// per vertex, and an eighth more where the visited bitmap does not fit into shared memory; as many
/// blocks run as there is memory for. Per query 28 bytes and a visitor, with histograms 4 more for
/// each of 2048 levels (of num_vertices, if fewer; of all there are, if more). Of the options it
/// takes slots, histograms and timeline.
template <weight W, class Visitor>
reach_result run_traverse_each(cuda_engine& engine, const cuda_graph<W>& graph,
                               std::span<const vertex_id> sources,
                               std::span<const Visitor> visitors, const reach_options& options) {
  if (sources.empty()) {
    return {};
  }
  cuda::engine_context& context = engine.context();
  context.use();
  const cuda::placed_graph<W>& placed = graph.placed();
  if (graph.has_narrow_positions()) {
    return cuda::block_queries<W, std::uint32_t, Visitor>(
               context, cuda::graph_for_kernels<W, std::uint32_t>(placed), sources, visitors,
               options)
        .run();
  }
  return cuda::block_queries<W, edge_offset, Visitor>(
             context, cuda::graph_for_kernels<W, edge_offset>(placed), sources, visitors, options)
      .run();
}

}  // namespace tendril
