#pragma once

#include <nlohmann/json.hpp>

#include "support/graph_report.hpp"

namespace tendril::app {

/// The fields that reports of all such commands begin with.
[[nodiscard]] nlohmann::ordered_json head_json(const graph_report& report);

/// Adds the times of the runs.
void add_times(nlohmann::ordered_json& fields, const graph_report& report);

/// Adds what placing the graph took, or null, and what a check found.
void add_place_and_check(nlohmann::ordered_json& fields, const graph_report& report);

/// A vertex by the name the file uses: a number where it is one.
[[nodiscard]] nlohmann::ordered_json name_json(const vertex_names& names, vertex_id v);

}  // namespace tendril::app
