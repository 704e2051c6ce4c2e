#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "tendril/core/types.hpp"

namespace tendril {

/// How a level looks for new vertices. automatic switches level by level, by the edges that leave
/// the frontier against the edges not yet explored (Beamer, Asanovic, Patterson 2012).
enum class direction : std::uint8_t { automatic, push, pull };
/// "auto", "push", "pull".
[[nodiscard]] std::string_view to_string(direction d) noexcept;

/// What one level did.
struct level_report {
  std::int32_t level = 0;           ///< 0 expands the sources
  direction way = direction::push;  ///< push or pull
  vertex_id frontier = 0;           ///< vertices expanded
  edge_offset frontier_edges = 0;   ///< stored edges that leave them
  double ms = 0;  ///< host clock; the device's where levels follow each other there
};

/// Options of a traversal, whatever the engine.
struct traverse_options {
  /// A relaxing visitor is always pushed: it may improve a vertex over any edge, so a pull could
  /// not end early.
  direction way = direction::automatic;
  /// No vertex beyond this depth is entered. 0: the sources enter, no edge is looked at.
  std::int32_t depth_limit = std::numeric_limits<std::int32_t>::max();
  /// Called on the host after each level. Costs a host round trip per level on a GPU.
  std::function<void(const level_report&)> each_level = {};
};

/// Why a traversal ended.
enum class ending : std::uint8_t { exhausted, depth_limit, stopped_by_visitor };
/// "exhausted", "depth limit", "stopped by the visitor".
[[nodiscard]] std::string_view to_string(ending e) noexcept;

/// What a traversal did.
struct traverse_report {
  std::vector<level_report> levels;  ///< in order; empty when no level was run
  ending end = ending::exhausted;    ///< why no further level was run
  /// Distinct vertices entered, sources included (first_visit); for a relaxing visitor the sum of
  /// frontier sizes: a vertex improved twice counts twice.
  std::uint64_t entered = 0;
  double ms = 0;  ///< host clock, the whole call

  /// Stored edges that leave the vertices that were expanded.
  [[nodiscard]] edge_offset edges_traversed() const noexcept;
};

/// The sources of a traversal: `{7}`, a vector or a span. Borrowed for the call.
class source_list {
 public:
  /// For a call: the list lives as long as the full expression.
  source_list(std::initializer_list<vertex_id> ids) : ids_(ids.begin(), ids.size()) {}
  /// Ids in host memory.
  source_list(std::span<const vertex_id> ids) : ids_(ids) {}
  /// Ids in host memory.
  source_list(const std::vector<vertex_id>& ids) : ids_(ids) {}

  /// The ids as they were given.
  [[nodiscard]] std::span<const vertex_id> ids() const noexcept { return ids_; }

 private:
  std::span<const vertex_id> ids_;
};

/// The ids of all vertices, ascending: the sources of a traversal of the whole graph.
[[nodiscard]] std::vector<vertex_id> all_vertices(vertex_id num_vertices);

/// Refuses options that mean nothing, whatever the engine.
/// @param options  of any traversal
/// @param relaxes  the visitor is a relaxing one
/// @throws usage_error for a negative depth limit, or pull with a relaxing visitor
void check_options(const traverse_options& options, bool relaxes);

/// Refuses a vertex that is not in the graph; the message calls it by its role: "source 7 is not
/// in the graph: expected 0 .. 4".
/// @throws input_error with the vertex and the ids that there are
void check_vertex(vertex_id v, vertex_id num_vertices, const char* role);

/// The distinct sources, ascending.
/// @throws input_error naming the first source outside 0 .. num_vertices - 1
[[nodiscard]] std::vector<vertex_id> distinct_sources(const source_list& sources,
                                                      vertex_id num_vertices);

}  // namespace tendril
