#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/report.hpp"
#include "support/sources.hpp"
#include "tendril/graph/vertex_names.hpp"
#include "tendril/traverse/options.hpp"

namespace tendril::app {

/// What a search on a GPU tells beside the rest.
struct gpu_report {
  std::string driver;         ///< "resident", ...; empty where there was no source
  std::string driver_reason;  ///< why auto picked it, or it is not the one that was asked for
  std::string schedule;       ///< "launch-control", ...; empty where a grid was resident
  std::string schedule_form;  ///< of launch control: "hardware" or "software"
  double copy_ms = 0;         ///< of place(): rows to the device
  double prepare_ms = 0;      ///< of place(): rows sorted, vertices marked
  run_times kernels;  ///< device clock; none without a source, or of runs that are several searches
};

/// What an algorithm was asked and what it did: the same for bfs, sssp and their like, which search
/// from sources, and for what has none and comes to a result.
struct search_report {
  std::string command;
  std::string input;
  vertex_id num_vertices = 0;
  edge_offset num_edges = 0;
  orientation kind = orientation::directed;
  std::string weights;                ///< "int32", ...; empty where the search reads none
  std::optional<std::uint64_t> seed;  ///< of the generator
  engine_facts engine;
  int threads = 0;                ///< of the host engine
  std::optional<gpu_report> gpu;  ///< of the GPU engine
  chosen_sources sources;
  std::uint32_t source_seed = 0;
  vertex_names names;

  std::uint64_t reached = 0;
  /// The largest depth or distance; none where nothing is reached.
  std::variant<std::monostate, std::int64_t, double> farthest;
  std::string extent;                                         ///< the same in words: "in 9 steps"
  std::string result;                                         ///< without sources: "3 components"
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< the same by name
  traverse_report traversal;                                  ///< of the last run
  double prepare_ms = 0;  ///< turning the edges round, not part of a run
  run_times times;
  std::optional<check_outcome> check;

  /// Stored edges that leave the vertices that were expanded.
  [[nodiscard]] edge_offset edges_traversed() const;
  /// The same by a median time; 0 where the clock saw no time pass.
  [[nodiscard]] double edges_per_second(const run_times& of) const;
  /// "bash", "3 sources" or "no source".
  [[nodiscard]] std::string start() const;
  /// "from bash: 4,812 of 63,465 vertices reached in 9 steps", or the result.
  [[nodiscard]] std::string outcome() const;
};

[[nodiscard]] std::string to_text(const search_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const search_report& report);

}  // namespace tendril::app
