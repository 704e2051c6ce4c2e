#include "tendril/query/reach.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/query/traverse_each.hpp"

namespace tendril {

double reach_summary::closeness(vertex_id num_vertices) const noexcept {
  if (total_depth == 0) {
    return 0;
  }
  const auto others = static_cast<double>(reached - 1);
  return others / static_cast<double>(num_vertices - 1) *
         (others / static_cast<double>(total_depth));
}

std::string_view to_string(reach_way way) noexcept {
  switch (way) {
    case reach_way::automatic:
      return "auto";
    case reach_way::batch:
      return "batch";
    case reach_way::blocks:
      return "blocks";
    case reach_way::streams:
      return "streams";
  }
  return "";
}

namespace detail {

/// Levels of most searches that run as a batch.
constexpr std::size_t usual_levels = 16;

namespace {

/// Refuses sources outside the graph.
void check_sources(std::span<const vertex_id> sources, vertex_id num_vertices) {
  for (const vertex_id source : sources) {
    check_vertex(source, num_vertices, "source");
  }
}

}  // namespace

std::size_t lane_words(std::size_t num_lanes) noexcept {
  return std::bit_ceil((num_lanes + 63) / 64);
}

void check_reach(std::span<const vertex_id> sources, vertex_id num_vertices,
                 const reach_options& options, reach_way side_by_side) {
  if (options.way != reach_way::automatic && options.way != reach_way::batch &&
      options.way != side_by_side) {
    throw usage_error("this engine runs queries as batch or " +
                      std::string(to_string(side_by_side)) + ", found " +
                      std::string(to_string(options.way)));
  }
  if (options.lanes == 0 || options.lanes > most_lanes) {
    throw usage_error("lanes must be 1 to " + std::to_string(most_lanes) + ", found " +
                      std::to_string(options.lanes));
  }
  if (options.slots == 0 || options.slots > all_slots) {
    throw usage_error("slots must be 1 to " + std::to_string(all_slots) + ", found " +
                      std::to_string(options.slots));
  }
  check_sources(sources, num_vertices);
}

void check_batch(std::span<const vertex_id> sources, vertex_id num_vertices) {
  if (sources.empty() || sources.size() > most_lanes) {
    throw usage_error("a batch has 1 to " + std::to_string(most_lanes) + " sources, found " +
                      std::to_string(sources.size()));
  }
  check_sources(sources, num_vertices);
}

std::uint64_t clock_ns() noexcept {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(now.count());
}

void settle(std::vector<reach_span>& timeline) {
  std::sort(timeline.begin(), timeline.end(), [](const reach_span& a, const reach_span& b) {
    return std::pair(a.begin_ns, a.place) < std::pair(b.begin_ns, b.place);
  });
  const std::uint64_t start = timeline.empty() ? 0 : timeline.front().begin_ns;
  for (reach_span& span : timeline) {
    span.begin_ns -= start;
    span.end_ns -= start;
  }
}

reach_report choose_way(const query_width& width, reach_way side_by_side) {
  reach_report plan;
  const bool is_broad = width.entered > width_probe::many;
  plan.way = is_broad ? reach_way::batch : side_by_side;
  plan.reason = "a query enters " +
                (is_broad ? "more than " + std::to_string(width_probe::many)
                          : std::to_string(width.entered)) +
                " vertices in its first " + std::to_string(width.levels) + " levels";
  return plan;
}

std::vector<std::size_t> pass_order(std::span<const edge_offset> degrees) {
  std::vector<std::size_t> queries(degrees.size());
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  std::stable_sort(queries.begin(), queries.end(),
                   [&](std::size_t a, std::size_t b) { return degrees[a] > degrees[b]; });
  return queries;
}

void note_level(reach_result& result, std::span<const std::size_t> queries, std::int32_t level,
                std::span<const vertex_id> counts, bool histograms) {
  for (std::size_t lane = 0; lane < queries.size(); ++lane) {
    if (counts[lane] == 0) {
      continue;
    }
    reach_summary& query = result.queries[queries[lane]];
    query.reached += counts[lane];
    query.depth = level;
    query.total_depth += static_cast<std::uint64_t>(level) * counts[lane];
    if (histograms) {
      std::vector<vertex_id>& histogram = result.histograms[queries[lane]];
      if (level == 0) {
        histogram.reserve(usual_levels);
      }
      histogram.push_back(counts[lane]);
    }
  }
}

}  // namespace detail

}  // namespace tendril
