#include "support/report_json.hpp"

namespace tendril::app {

using nlohmann::ordered_json;

namespace {

/// The value, or null.
template <class T>
ordered_json optional_json(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

}  // namespace

std::string json_text(const ordered_json& document) {
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

ordered_json name_json(const vertex_names& names, vertex_id v) {
  const std::string name = names.name(v);
  return names.texts().empty() ? ordered_json(std::stoull(name)) : ordered_json(name);
}

ordered_json head_json(const run_report& report) {
  return {{"command", report.command},
          {"version", TENDRIL_VERSION},
          {"input", report.input},
          {"seed", optional_json(report.seed)},
          {"engine", report.engine.name},
          {"engine_reason", report.engine.reason},
          {"device", report.engine.device},
          {"threads", report.threads > 0 ? ordered_json(report.threads) : ordered_json()}};
}

ordered_json head_json(const graph_report& report) {
  const run_report& run = report;
  ordered_json fields = head_json(run);
  fields["num_vertices"] = report.num_vertices;
  fields["num_edges"] = report.num_edges;
  fields["directed"] = report.kind == orientation::directed;
  fields["weights"] = report.weights.empty() ? "none" : report.weights;
  fields["source_seed"] = optional_json(report.sources.seed);
  return fields;
}

void add_times(ordered_json& fields, const run_times& times) {
  fields["runs"] = times.ms.size();
  fields["median_ms"] = times.median();
  fields["min_ms"] = times.least();
  fields["times_ms"] = times.ms;
}

void add_place(ordered_json& fields, const graph_report& report) {
  fields["place"] = report.gpu ? ordered_json{{"copy_ms", report.gpu->copy_ms},
                                              {"prepare_ms", report.gpu->prepare_ms}}
                               : ordered_json();
}

std::string finished_json(ordered_json fields, const run_report& report) {
  fields["check"] = check_word(report.check);
  fields["check_text"] = report.check ? ordered_json(report.check->text) : ordered_json();
  return json_text(fields);
}

}  // namespace tendril::app
