#include "support/graph_report_json.hpp"

namespace tendril::app {

using nlohmann::ordered_json;

ordered_json name_json(const vertex_names& names, vertex_id v) {
  const std::string name = names.name(v);
  return names.texts().empty() ? ordered_json(std::stoull(name)) : ordered_json(name);
}

ordered_json head_json(const graph_report& report) {
  return {{"command", report.command},
          {"version", TENDRIL_VERSION},
          {"input", report.input},
          {"num_vertices", report.num_vertices},
          {"num_edges", report.num_edges},
          {"directed", report.kind == orientation::directed},
          {"weights", report.weights.empty() ? "none" : report.weights},
          {"seed", report.seed ? ordered_json(*report.seed) : ordered_json()},
          {"engine", report.engine.name},
          {"engine_reason", report.engine.reason},
          {"device", report.engine.device},
          {"threads", report.gpu ? ordered_json() : ordered_json(report.threads)},
          {"source_seed",
           report.sources.are_random ? ordered_json(report.source_seed) : ordered_json()}};
}

void add_times(ordered_json& fields, const graph_report& report) {
  fields["runs"] = report.times.ms.size();
  fields["median_ms"] = report.times.median();
  fields["min_ms"] = report.times.least();
  fields["times_ms"] = report.times.ms;
}

void add_place_and_check(ordered_json& fields, const graph_report& report) {
  fields["place"] = report.gpu ? ordered_json{{"copy_ms", report.gpu->copy_ms},
                                              {"prepare_ms", report.gpu->prepare_ms}}
                               : ordered_json();
  fields["check"] = check_word(report.check);
  fields["check_text"] = report.check ? ordered_json(report.check->text) : ordered_json();
}

}  // namespace tendril::app
