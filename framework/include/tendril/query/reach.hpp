#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
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

  friend bool operator==(const reach_summary&, const reach_summary&) = default;  ///< memberwise
};

/// When a query ran, or a pass that carried several.
struct reach_span {
  /// From the beginning of the first one, by the GPU's clock for blocks, else by the host's.
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;     ///< by the same clock
  std::size_t place = 0;        ///< of the query among the sources, or of the pass among the passes
  std::size_t num_queries = 1;  ///< of the pass
  std::uint32_t slot = 0;       ///< block or thread; 0 for a pass
};

/// Most queries that one pass carries.
inline constexpr std::size_t most_lanes = 512;
/// As many queries side by side as there is room for.
inline constexpr std::size_t all_slots = std::numeric_limits<std::uint32_t>::max();

/// How a set of queries runs.
enum class reach_way : std::uint8_t {
  automatic,  ///< by the width of the first levels of one query
  batch,      ///< together, a bit each: for few levels of many vertices
  blocks,     ///< side by side, a block each in one launch: on a GPU, for many narrow levels
  streams     ///< side by side, a thread each: on the CPU, for many narrow levels
};
/// "auto", "batch", "blocks", "streams".
[[nodiscard]] std::string_view to_string(reach_way way) noexcept;

/// Options of a set of queries.
struct reach_options {
  reach_way way = reach_way::automatic;  ///< batch, or the one that the engine has beside it
  /// Also keep how many vertices lie at each depth: 4 bytes per query and level.
  bool histograms = false;
  /// Queries carried together, at most: 1 .. most_lanes. Fewer take less memory.
  std::size_t lanes = most_lanes;
  /// Queries side by side, at most: 1 .. all_slots. Fewer take less memory.
  std::size_t slots = all_slots;
  bool timeline = false;  ///< also keep when each query or pass ran
};

/// What a set of queries did.
struct reach_report {
  reach_way way = reach_way::batch;  ///< the way they ran
  std::string reason;                ///< why, where it was chosen; empty where it was asked for
  std::size_t lanes = 0;     ///< width of a pass: 64, 128, 256 or 512; 0 where there was none
  std::size_t passes = 0;    ///< over the graph
  std::size_t slots = 0;     ///< threads or blocks, side by side; 0 for a batch
  std::uint64_t levels = 0;  ///< of all passes
  double ms = 0;             ///< host clock, the whole call
};

/// What a set of queries found.
struct reach_result {
  std::vector<reach_summary> queries;  ///< [num_sources], in the order of the sources
  /// [num_sources], each [depth + 1]: vertices at depth 0, 1, ...; empty unless asked for.
  std::vector<std::vector<vertex_id>> histograms;
  /// By begin_ns, each query or each pass; empty unless asked for.
  std::vector<reach_span> timeline;
  reach_report report;  ///< of all of them
};

namespace detail {

/// The host's clock, for timelines.
[[nodiscard]] std::uint64_t clock_ns() noexcept;

/// Sorts a timeline, and counts its times from its beginning.
void settle(std::vector<reach_span>& timeline);

/// Words of 64 lanes in the narrowest mask that holds `num_lanes`: 1, 2, 4 or 8.
[[nodiscard]] std::size_t lane_words(std::size_t num_lanes) noexcept;

/// Refuses what reach() refuses.
/// @param side_by_side  the engine's way beside batch
void check_reach(std::span<const vertex_id> sources, vertex_id num_vertices,
                 const reach_options& options, reach_way side_by_side);

/// How one query began.
struct query_width {
  std::uint64_t entered = 0;  ///< vertices
  std::int32_t levels = 0;    ///< in so many levels
};

/// The way for queries that begin like this one, and why.
[[nodiscard]] reach_report choose_way(const query_width& width, reach_way side_by_side);

/// Refuses what bfs_batch() refuses.
void check_batch(std::span<const vertex_id> sources, vertex_id num_vertices);

/// Queries in the order in which passes take them. Those whose sources have many edges go together:
/// their searches broaden in the same level.
/// @param degrees  [num_queries] of the sources
[[nodiscard]] std::vector<std::size_t> pass_order(std::span<const edge_offset> degrees);

/// Adds what one level of a pass found to the answers of its queries.
/// @param queries  of the pass's lanes
/// @param counts   of each lane: vertices of that level, none for a search that has ended
void note_level(reach_result& result, std::span<const std::size_t> queries, std::int32_t level,
                std::span<const vertex_id> counts, bool histograms);

}  // namespace detail

/// Searches breadth-first from each source apart.
/// @param engine   a host_engine or a cuda_engine
/// @param graph    what engine.place() returned; weights, self-loops and duplicate edges change
///                 nothing
/// @param sources  ids; one that is named twice is answered twice
/// @param options  way, what is kept, and how many at a time
/// @throws input_error naming a source outside the graph; usage_error for options that mean
///         nothing, or a way that the engine does not have; resource_error
/// @sync   waits until all are answered
/// @cost   batch: per pass at most O(vertices + edges) per level; side by side: O(vertices + edges)
///         per query. Memory: see run_reach_batch() and run_reach_side_by_side() of the engine
template <class Engine, class Graph>
[[nodiscard]] reach_result reach(Engine& engine, const Graph& graph, const source_list& sources,
                                 const reach_options& options = {}) {
  const auto started = std::chrono::steady_clock::now();
  const auto ids = sources.ids();
  const reach_way side_by_side = side_by_side_way(engine);
  detail::check_reach(ids, graph.num_vertices(), options, side_by_side);
  reach_result result;
  if (ids.empty()) {
    return result;
  }
  reach_report plan;
  plan.way = options.way;
  if (options.way == reach_way::automatic) {
    plan = detail::choose_way(run_probe(engine, graph, ids), side_by_side);
  }
  result = plan.way == reach_way::batch ? run_reach_batch(engine, graph, ids, options)
                                        : run_reach_side_by_side(engine, graph, ids, options);
  result.report.way = plan.way;
  result.report.reason = plan.reason;
  detail::settle(result.timeline);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - started;
  result.report.ms = elapsed.count();
  return result;
}

}  // namespace tendril
