#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/report.hpp"
#include "support/sources.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/vertex_names.hpp"
#include "tendril/query/reach.hpp"

namespace tendril::app {

/// What `reach` was asked and what it did.
struct reach_command_report {
  std::string input;
  vertex_id num_vertices = 0;
  edge_offset num_edges = 0;
  orientation kind = orientation::directed;
  std::optional<std::uint64_t> seed;  ///< of the generator
  engine_facts engine;
  int threads = 0;  ///< of the host engine
  chosen_sources sources;
  std::uint32_t source_seed = 0;
  vertex_names names;
  reach_result result;
  run_times times;
  std::optional<check_outcome> check;

  /// Queries by the median time; 0 where the clock saw no time pass.
  [[nodiscard]] double queries_per_second() const;
};

[[nodiscard]] std::string to_text(const reach_command_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const reach_command_report& report);
/// A line for each query, under a heading.
[[nodiscard]] std::string to_rows(const reach_command_report& report);

/// Compares each query with Boost.Graph's search.
[[nodiscard]] check_outcome check_reach(const csr<none>& graph, const chosen_sources& sources,
                                        const reach_result& result);

}  // namespace tendril::app
