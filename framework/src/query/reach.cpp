#include "tendril/query/reach.hpp"

#include <bit>
#include <string>

#include "tendril/core/error.hpp"

namespace tendril {

double reach_summary::closeness(vertex_id num_vertices) const noexcept {
  if (total_depth == 0) {
    return 0;
  }
  const auto others = static_cast<double>(reached - 1);
  return others / static_cast<double>(num_vertices - 1) *
         (others / static_cast<double>(total_depth));
}

namespace detail {

std::size_t lane_words(std::size_t num_lanes) noexcept {
  return std::bit_ceil((num_lanes + 63) / 64);
}

void check_reach(std::span<const vertex_id> sources, vertex_id num_vertices,
                 const reach_options& options) {
  if (options.lanes == 0 || options.lanes > most_lanes) {
    throw usage_error("lanes must be 1 to " + std::to_string(most_lanes) + ", found " +
                      std::to_string(options.lanes));
  }
  static_cast<void>(distinct_sources(sources, num_vertices));
}

void check_batch(std::span<const vertex_id> sources, vertex_id num_vertices) {
  if (sources.empty() || sources.size() > most_lanes) {
    throw usage_error("a batch has 1 to " + std::to_string(most_lanes) + " sources, found " +
                      std::to_string(sources.size()));
  }
  static_cast<void>(distinct_sources(sources, num_vertices));
}

void note_level(reach_result& result, std::size_t first_query, std::int32_t level,
                std::span<const vertex_id> counts, bool histograms) {
  for (std::size_t lane = 0; lane < counts.size(); ++lane) {
    if (counts[lane] == 0) {
      continue;
    }
    reach_summary& query = result.queries[first_query + lane];
    query.reached += counts[lane];
    query.depth = level;
    query.total_depth += static_cast<std::uint64_t>(level) * counts[lane];
    if (histograms) {
      result.histograms[first_query + lane].push_back(counts[lane]);
    }
  }
}

}  // namespace detail

}  // namespace tendril
