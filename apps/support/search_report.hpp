#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/graph_report.hpp"
#include "tendril/traverse/options.hpp"

namespace tendril::app {

/// What an algorithm was asked and what it did: the same for bfs, sssp and their like, which search
/// from sources, and for what has none and comes to a result.
struct search_report : graph_report {
  std::uint64_t reached = 0;
  /// The largest depth or distance; none where nothing is reached.
  std::variant<std::monostate, std::int64_t, double> farthest;
  std::string extent;                                         ///< the same in words: "in 9 steps"
  std::string result;                                         ///< without sources: "3 components"
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< the same by name
  traverse_report traversal;                                  ///< of the last run
  double prepare_ms = 0;  ///< turning the edges round, not part of a run

  /// Edges traversed by a median time; 0 where the clock saw no time pass.
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
