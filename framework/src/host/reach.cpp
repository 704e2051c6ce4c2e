#include "tendril/host/reach.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "host/lane_search.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

/// Calls run(width) with the number of words as a type.
template <class Run>
void with_words(std::size_t words, const Run& run) {
  switch (words) {
    case 1:
      return run(std::integral_constant<std::size_t, 1>{});
    case 2:
      return run(std::integral_constant<std::size_t, 2>{});
    case 4:
      return run(std::integral_constant<std::size_t, 4>{});
    default:
      return run(std::integral_constant<std::size_t, 8>{});
  }
}

}  // namespace

reach_result reach_on_host(host_engine& engine, const lane_rows& rows,
                           std::span<const vertex_id> sources, const reach_options& options) {
  reach_result result;
  result.queries.resize(sources.size());
  result.histograms.resize(options.histograms ? sources.size() : 0);
  const std::size_t words = lane_words(std::min(options.lanes, sources.size()));
  const std::size_t width = std::min(options.lanes, 64 * words);
  std::vector<edge_offset> degrees;
  for (const vertex_id source : sources) {
    degrees.push_back(rows.out.degree(source));
  }
  const std::vector<std::size_t> order = pass_order(degrees);
  with_words(words, [&](auto num_words) {
    engine.run([&] {
      lane_search<num_words()> search(engine, rows);
      std::vector<vertex_id> batch;
      for (std::size_t first = 0; first < order.size(); first += width) {
        const auto queries = std::span(order).subspan(first, std::min(width, order.size() - first));
        const std::uint64_t begin_ns = clock_ns();
        batch.clear();
        for (const std::size_t query : queries) {
          batch.push_back(sources[query]);
        }
        search.run(
            batch,
            [&](std::int32_t level, const auto& counts) {
              note_level(result, queries, level, counts, options.histograms);
              ++result.report.levels;
            },
            nullptr);
        if (options.timeline) {
          result.timeline.push_back({begin_ns, clock_ns(), result.report.passes, queries.size()});
        }
        ++result.report.passes;
      }
    });
  });
  result.report.lanes = 64 * words;
  return result;
}

batch_depths<host_engine> bfs_batch_on_host(host_engine& engine, const lane_rows& rows,
                                            std::span<const vertex_id> sources) {
  const std::size_t words = lane_words(sources.size());
  batch_depths_view shape;
  shape.num_words = words;
  shape.num_queries = sources.size();
  shape.num_vertices = rows.out.num_vertices();
  std::vector<host_array<std::uint64_t>> masks;
  with_words(words, [&](auto num_words) {
    engine.run([&] {
      lane_search<num_words()> search(engine, rows);
      std::vector<host_array<std::uint64_t>> planes;
      search.run(
          sources, [](std::int32_t /*level*/, const auto& /*counts*/) {}, &planes);
      shape.num_planes = planes.size();
      const std::size_t size = std::size_t{shape.num_vertices} * words;
      masks.push_back(engine.array(size, std::uint64_t{0}));
      std::copy_n(search.seen(), size, masks[0].data());
      std::move(planes.begin(), planes.end(), std::back_inserter(masks));
    });
  });
  return {shape, std::move(masks)};
}

}  // namespace tendril::detail
