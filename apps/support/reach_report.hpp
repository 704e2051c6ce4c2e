#pragma once

#include <string>

#include "support/graph_report.hpp"
#include "tendril/query/reach.hpp"

namespace tendril::app {

/// What `reach` was asked and what it did.
struct reach_command_report : graph_report {
  reach_result result;

  /// Queries by the median time; 0 where the clock saw no time pass.
  [[nodiscard]] double queries_per_second() const;
};

/// "blocks, 132 at a time: why"
[[nodiscard]] std::string way_text(const reach_report& done);

[[nodiscard]] std::string to_text(const reach_command_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const reach_command_report& report);
/// A line for each query, under a heading.
[[nodiscard]] std::string to_rows(const reach_command_report& report);

/// Compares each query with Boost.Graph's search.
[[nodiscard]] check_outcome check_reach(const csr<none>& graph, const chosen_sources& sources,
                                        const reach_result& result);

}  // namespace tendril::app
