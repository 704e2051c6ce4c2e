#include "support/report_json.hpp"
#include "support/search_report.hpp"

namespace tendril::app {

namespace {

using json = nlohmann::ordered_json;

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
  return {{"source", sources.empty() ? json() : sources.front()},
          {"sources", sources},
          {"reached", report.reached},
          {"depth", farthest_json(report)}};
}

}  // namespace

std::string to_json(const search_report& report) {
  json fields = head_json(report);
  fields.update(outcome_json(report));
  fields["ending"] = to_string(report.traversal.end);
  add_times(fields, report.times);
  fields["prepare_ms"] = report.prepare_ms;
  fields["edges_traversed"] = report.traversal.edges_traversed();
  fields["edges_per_second"] = report.edges_per_second(report.times);
  fields["kernels"] = kernels_json(report);
  fields["driver"] = word_json(report.gpu, &gpu_report::driver);  // the host engine needs none
  fields["driver_reason"] = report.gpu ? report.gpu->driver_reason : "";
  fields["schedule"] = word_json(report.gpu, &gpu_report::schedule);
  fields["schedule_form"] = word_json(report.gpu, &gpu_report::schedule_form);
  fields["direction"] = per_level(report, [](const level_report& l) { return to_string(l.way); });
  fields["frontier"] = per_level(report, [](const level_report& l) { return l.frontier; });
  add_place(fields, report);
  return finished_json(std::move(fields), report);
}

}  // namespace tendril::app
