#include "tendril/traverse/options.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "tendril/core/error.hpp"

namespace tendril {

std::string_view to_string(direction d) noexcept {
  switch (d) {
    case direction::automatic:
      return "auto";
    case direction::push:
      return "push";
    case direction::pull:
      return "pull";
  }
  return "";
}

std::string_view to_string(ending e) noexcept {
  switch (e) {
    case ending::exhausted:
      return "exhausted";
    case ending::depth_limit:
      return "depth limit";
    case ending::stopped_by_visitor:
      return "stopped by the visitor";
  }
  return "";
}

edge_offset traverse_report::edges_traversed() const noexcept {
  return std::accumulate(
      levels.begin(), levels.end(), edge_offset{0},
      [](edge_offset sum, const level_report& level) { return sum + level.frontier_edges; });
}

std::vector<vertex_id> all_vertices(vertex_id num_vertices) {
  std::vector<vertex_id> all(num_vertices);
  std::iota(all.begin(), all.end(), vertex_id{0});
  return all;
}

void check_options(const traverse_options& options, bool relaxes) {
  if (options.depth_limit < 0) {
    throw usage_error("the depth limit must be 0 or more, found " +
                      std::to_string(options.depth_limit));
  }
  if (relaxes && options.way == direction::pull) {
    throw usage_error("a relaxing traversal is pushed: direction pull does not apply to it");
  }
}

void check_vertex(vertex_id v, vertex_id num_vertices, const char* role) {
  if (v >= num_vertices) {
    const std::string valid = num_vertices == 0
                                  ? "the graph has no vertices"
                                  : "expected 0 .. " + std::to_string(num_vertices - 1);
    throw input_error(std::string(role) + ' ' + std::to_string(v) +
                      " is not in the graph: " + valid);
  }
}

std::vector<vertex_id> distinct_sources(const source_list& sources, vertex_id num_vertices) {
  const auto ids = sources.ids();
  for (const vertex_id id : ids) {
    check_vertex(id, num_vertices, "source");
  }
  std::vector<vertex_id> distinct(ids.begin(), ids.end());
  if (!std::is_sorted(distinct.begin(), distinct.end())) {  // as all_vertices() are
    std::sort(distinct.begin(), distinct.end());
  }
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

}  // namespace tendril
