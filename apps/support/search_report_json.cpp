#include <nlohmann/json.hpp>

#include "support/search_report.hpp"

namespace tendril::app {

namespace {

using json = nlohmann::ordered_json;

json name_json(const vertex_names& names, vertex_id v) {
  const std::string name = names.name(v);
  return names.texts().empty() ? json(std::stoull(name)) : json(name);
}

template <class Member>
json per_level(const search_report& report, const Member& member) {
  json values = json::array();
  for (const level_report& level : report.traversal.levels) {
    values.push_back(member(level));
  }
  return values;
}

json farthest_json(const search_report& report) {
  return std::visit(
      [](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const std::monostate&>) {
          return json();
        } else {
          return json(value);
        }
      },
      report.farthest);
}

/// Times on the device's own clock, and the rate they come to.
json kernels_json(const search_report& report) {
  if (!report.gpu || report.gpu->kernels.ms.empty()) {
    return {};
  }
  const run_times& kernels = report.gpu->kernels;
  return {{"median_ms", kernels.median()},
          {"min_ms", kernels.least()},
          {"times_ms", kernels.ms},
          {"edges_per_second", report.edges_per_second(kernels)}};
}

json place_json(const std::optional<gpu_report>& gpu) {
  return gpu ? json{{"copy_ms", gpu->copy_ms}, {"prepare_ms", gpu->prepare_ms}} : json();
}

/// A word of the GPU engine, or null.
json word_json(const std::optional<gpu_report>& gpu, std::string gpu_report::*word) {
  return gpu && !((*gpu).*word).empty() ? json((*gpu).*word) : json();
}

/// Where a search started and how far it came; or what the graph came to.
json outcome_json(const search_report& report) {
  if (!report.result.empty()) {
    json counts = json::object();
    for (const auto& [name, count] : report.counts) {
      counts[name] = count;
    }
    return counts;
  }
  json sources = json::array();
  for (const vertex_id source : report.sources.ids) {
    sources.push_back(name_json(report.names, source));
  }
  return {
      {"source", sources.empty() ? json() : sources.front()},
      {"sources", sources},
      {"source_seed", report.sources.are_random ? json(report.source_seed) : json()},
      {"reached", report.reached},
      {"depth", farthest_json(report)},
  };
}

}  // namespace

std::string to_json(const search_report& report) {
  json fields = {
      {"command", report.command},
      {"version", TENDRIL_VERSION},
      {"input", report.input},
      {"num_vertices", report.num_vertices},
      {"num_edges", report.num_edges},
      {"directed", report.kind == orientation::directed},
      {"weights", report.weights.empty() ? json("none") : json(report.weights)},
      {"seed", report.seed ? json(*report.seed) : json()},
      {"engine", report.engine.name},
      {"engine_reason", report.engine.reason},
      {"device", report.engine.device},
      {"threads", report.gpu ? json() : json(report.threads)},
  };
  fields.update(outcome_json(report));
  fields.update(json{
      {"ending", to_string(report.traversal.end)},
      {"runs", report.times.ms.size()},
      {"median_ms", report.times.median()},
      {"min_ms", report.times.least()},
      {"times_ms", report.times.ms},
      {"prepare_ms", report.prepare_ms},
      {"edges_traversed", report.edges_traversed()},
      {"edges_per_second", report.edges_per_second(report.times)},
      {"place", place_json(report.gpu)},
      {"kernels", kernels_json(report)},
      {"driver", word_json(report.gpu, &gpu_report::driver)},  // the host engine needs none
      {"driver_reason", report.gpu ? report.gpu->driver_reason : ""},
      {"schedule", word_json(report.gpu, &gpu_report::schedule)},
      {"schedule_form", word_json(report.gpu, &gpu_report::schedule_form)},
      {"direction", per_level(report, [](const level_report& l) { return to_string(l.way); })},
      {"frontier", per_level(report, [](const level_report& l) { return l.frontier; })},
      {"check", check_word(report.check)},
      {"check_text", report.check ? json(report.check->text) : json()},
  });
  return fields.dump(2) + '\n';
}

}  // namespace tendril::app
