#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/graph_report.hpp"

namespace tendril::app {

/// The text of a document, with its end. Bytes of a name that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

/// The fields that all reports begin with.
[[nodiscard]] nlohmann::ordered_json head_json(const run_report& report);
/// The same and those of the graph.
[[nodiscard]] nlohmann::ordered_json head_json(const graph_report& report);

/// Adds the times of the runs.
void add_times(nlohmann::ordered_json& fields, const run_times& times);

/// Adds what placing the graph took, or null.
void add_place(nlohmann::ordered_json& fields, const graph_report& report);

/// The text of the fields, what a check found last.
[[nodiscard]] std::string finished_json(nlohmann::ordered_json fields, const run_report& report);

/// A vertex by the name the file uses: a number where it is one.
[[nodiscard]] nlohmann::ordered_json name_json(const vertex_names& names, vertex_id v);

}  // namespace tendril::app
