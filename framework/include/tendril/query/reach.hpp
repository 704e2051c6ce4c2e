#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tendril/core/types.hpp"
#include "tendril/traverse/options.hpp"

// Many searches at once, of which only numbers are wanted: how many vertices each source reaches,
// how far the farthest is, how many lie at each depth. Searches are carried together, one bit each
// in a mask of lanes per vertex, so that a look at an edge serves all of them (Then et al., The
// More the Merrier: Efficient Multi-Source Graph Traversal, VLDB 2014).

namespace tendril {

/// What one query found.
struct reach_summary {
  std::uint64_t reached = 0;      ///< vertices, the source among them
  std::int32_t depth = 0;         ///< of the farthest of them: the source's eccentricity
  std::uint64_t total_depth = 0;  ///< sum over them

  /// Closeness after Wasserman and Faust: the reached share of the other vertices by their mean
  /// depth; 0 where nothing else is reached.
  [[nodiscard]] double closeness(vertex_id num_vertices) const noexcept;

  friend bool operator==(const reach_summary&, const reach_summary&) = default;
};

/// Most queries that one pass carries.
inline constexpr std::size_t most_lanes = 512;

/// Options of a set of queries.
struct reach_options {
  /// Also keep how many vertices lie at each depth: 4 bytes per query and level.
  bool histograms = false;
  /// Queries carried together, at most: 1 .. most_lanes. Fewer take less memory.
  std::size_t lanes = most_lanes;
};

/// What a set of queries did.
struct reach_report {
  std::size_t lanes = 0;     ///< width of a pass: 64, 128, 256 or 512
  std::size_t passes = 0;    ///< over the graph
  std::uint64_t levels = 0;  ///< of all passes
  double ms = 0;             ///< host clock, the whole call
};

/// What a set of queries found.
struct reach_result {
  std::vector<reach_summary> queries;  ///< [num_sources], in the order of the sources
  /// [num_sources], each [depth + 1]: vertices at depth 0, 1, ...; empty unless asked for.
  std::vector<std::vector<vertex_id>> histograms;
  reach_report report;
};

/// Searches breadth-first from each source apart.
/// @param graph    what engine.place() returned; weights, self-loops and duplicate edges change
///                 nothing
/// @param sources  ids; one that is named twice is answered twice
/// @throws input_error naming a source outside the graph; usage_error for options that mean
/// nothing;
///         resource_error
/// @cost   per pass at most O(vertices + edges) per level, and the memory that run_reach() of the
/// engine names
template <class Engine, class Graph>
[[nodiscard]] reach_result reach(Engine& engine, const Graph& graph, const source_list& sources,
                                 const reach_options& options = {}) {
  return run_reach(engine, graph, sources.ids(), options);
}

namespace detail {

/// Words of 64 lanes in the narrowest mask that holds `num_lanes`: 1, 2, 4 or 8.
[[nodiscard]] std::size_t lane_words(std::size_t num_lanes) noexcept;

/// Refuses what reach() refuses.
void check_reach(std::span<const vertex_id> sources, vertex_id num_vertices,
                 const reach_options& options);

/// Refuses what bfs_batch() refuses.
void check_batch(std::span<const vertex_id> sources, vertex_id num_vertices);

/// Adds what one level of a pass found to the answers of its queries.
/// @param first_query  the query of lane 0
/// @param counts       [lanes of the pass] vertices of that level, none for a search that has ended
void note_level(reach_result& result, std::size_t first_query, std::int32_t level,
                std::span<const vertex_id> counts, bool histograms);

}  // namespace detail

}  // namespace tendril
