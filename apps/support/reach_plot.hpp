#pragma once

#include <string>

#include "support/reach_report.hpp"

namespace tendril::app {

/// Draws when each query, or each pass, ran, and on which slot, as SVG.
/// @pre the result has a timeline, or no queries
[[nodiscard]] std::string plot_reach(const reach_command_report& report);

/// How many queries or passes ran at a time, on average over a timeline; 0 where no time passed.
[[nodiscard]] double mean_at_a_time(const std::vector<reach_span>& timeline);

}  // namespace tendril::app
