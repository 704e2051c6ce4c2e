#include <bit>
#include <memory>

#include "cuda/lanes/pass.cuh"
#include "tendril/core/error.hpp"
#include "tendril/cuda/reach.hpp"

namespace tendril::cuda {

namespace {

/// Passes of that width, or of a narrower one where memory is short.
std::unique_ptr<lane_passes> make_passes(engine_context& context, const lane_graph& graph,
                                         std::size_t& words, std::size_t num_sources) {
  for (;; words /= 2) {
    try {
      return std::make_unique<lane_passes>(context, graph, words, num_sources, true);
    } catch (const resource_error&) {
      if (words == 1) {
        throw;
      }
    }
  }
}

std::vector<std::size_t> order_of(const lane_graph& graph, std::span<const vertex_id> sources) {
  std::vector<edge_offset> degrees(sources.size());
  for (std::size_t i = 0; graph.host_offsets != nullptr && i < sources.size(); ++i) {
    const edge_offset* const offset = graph.host_offsets + sources[i];
    degrees[i] = offset[1] - offset[0];
  }
  return ::tendril::detail::pass_order(degrees);
}

}  // namespace

reach_result reach_on_device(engine_context& context, const lane_graph& graph,
                             std::span<const vertex_id> sources, const reach_options& options) {
  reach_result result;
  result.queries.resize(sources.size());
  result.histograms.resize(options.histograms ? sources.size() : 0);
  context.use();
  std::size_t words = ::tendril::detail::lane_words(std::min(options.lanes, sources.size()));
  const auto passes = make_passes(context, graph, words, sources.size());
  passes->clear();  // while the queries are put in order
  const std::size_t width = std::min(options.lanes, 64 * words);
  const std::vector<std::size_t> order = order_of(graph, sources);
  std::vector<vertex_id> in_order;
  for (const std::size_t query : order) {
    in_order.push_back(sources[query]);
  }
  passes->load(in_order);
  const auto queries_from = [&](std::size_t first) {
    return std::span(order).subspan(first, std::min(width, order.size() - first));
  };
  std::uint64_t begin_ns = ::tendril::detail::clock_ns();
  passes->start(0, queries_from(0).size());
  for (std::size_t first = 0; first < order.size(); first += width) {
    const auto queries = queries_from(first);
    const auto note = [&](std::int32_t level, std::span<const vertex_id> counts) {
      ::tendril::detail::note_level(result, queries, level, counts, options.histograms);
      ++result.report.levels;
    };
    const auto left = passes->finish(note, [] {});
    const std::uint64_t end_ns = ::tendril::detail::clock_ns();
    if (options.timeline) {
      result.timeline.push_back({begin_ns, end_ns, result.report.passes, queries.size()});
    }
    begin_ns = end_ns;
    if (first + width < order.size()) {  // counts of this pass are noted while the next one runs
      passes->clear();
      passes->start(first + width, queries_from(first + width).size());
    }
    passes->hand_on(left, note);
    ++result.report.passes;
  }
  result.report.lanes = 64 * words;
  return result;
}

batch_depths<cuda_engine> bfs_batch_on_device(cuda_engine& engine, const lane_graph& graph,
                                              std::span<const vertex_id> sources) {
  constexpr std::size_t first_planes = 4;
  engine.context().use();
  batch_depths_view shape;
  shape.num_words = ::tendril::detail::lane_words(sources.size());
  shape.num_queries = sources.size();
  shape.num_vertices = graph.num_vertices;
  const auto make_mask = [&] {
    return engine.array(std::size_t{shape.num_vertices} * shape.num_words, std::uint64_t{0});
  };
  lane_passes passes(engine.context(), graph, shape.num_words, sources.size(), false);
  std::vector<cuda_array<std::uint64_t>> seen;
  std::vector<cuda_array<std::uint64_t>> planes;
  for (int i = 0; i < 2; ++i) {
    seen.push_back(make_mask());
  }
  passes.use_masks(seen[0].data(), seen[1].data());
  const auto add_plane = [&] {
    planes.push_back(make_mask());
    passes.add_plane(planes.back().data());
  };
  for (std::size_t i = 0; i < first_planes; ++i) {
    add_plane();
  }
  passes.load(sources);
  passes.clear();
  passes.start(0, sources.size());
  const auto end = passes.finish(
      [](std::int32_t /*level*/, std::span<const vertex_id> /*counts*/) {}, add_plane);
  const auto depth = static_cast<std::uint32_t>(end.end - 1);
  shape.num_planes = static_cast<std::size_t>(std::bit_width(depth));
  std::vector<cuda_array<std::uint64_t>> masks;
  masks.push_back(std::move(seen[end.masks]));
  for (std::size_t k = 0; k < shape.num_planes; ++k) {
    masks.push_back(std::move(planes[k]));
  }
  return {shape, std::move(masks)};
}

}  // namespace tendril::cuda
