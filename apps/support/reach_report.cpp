#include "support/reach_report.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "support/report_json.hpp"
#include "support/text.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace tendril::app {

namespace {

using json = nlohmann::ordered_json;

/// Least, median and greatest of some numbers; zeros of none.
std::array<std::uint64_t, 3> spread(std::vector<std::uint64_t> values) {
  if (values.empty()) {
    return {};
  }
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2], values.back()};
}

template <class Value>
std::array<std::uint64_t, 3> spread_of(const reach_command_report& report, const Value& value) {
  std::vector<std::uint64_t> values;
  for (const reach_summary& query : report.result.queries) {
    values.push_back(static_cast<std::uint64_t>(value(query)));
  }
  return spread(std::move(values));
}

std::uint64_t reached_of(const reach_summary& query) {
  return query.reached;
}
std::int32_t depth_of(const reach_summary& query) {
  return query.depth;
}

double mean_depth(const reach_summary& query) {
  return static_cast<double>(query.total_depth) / static_cast<double>(query.reached);
}

std::string spread_text(const std::array<std::uint64_t, 3>& values) {
  return grouped(values[0]) + " to " + grouped(values[2]) + " (median " + grouped(values[1]) + ')';
}

json spread_json(const std::array<std::uint64_t, 3>& values) {
  return {{"min", values[0]}, {"median", values[1]}, {"max", values[2]}};
}

json query_json(const reach_command_report& report, std::size_t i) {
  const reach_summary& query = report.result.queries[i];
  json fields = {{"source", name_json(report.names, report.sources.ids[i])},
                 {"reached", query.reached},
                 {"depth", query.depth},
                 {"mean_depth", mean_depth(query)},
                 {"closeness", query.closeness(report.num_vertices)}};
  if (!report.result.histograms.empty()) {
    fields["histogram"] = report.result.histograms[i];
  }
  return fields;
}

std::string queries_text(const reach_command_report& report) {
  std::string count = counted(report.result.queries.size(), "query", "queries");
  if (report.result.queries.empty()) {
    return count;
  }
  return count + ": reached " + spread_text(spread_of(report, reached_of)) + " vertices, in " +
         spread_text(spread_of(report, depth_of)) + " steps";
}

std::string time_text(const reach_command_report& report) {
  const double rate = report.queries_per_second();
  return times_text(report.times) + (rate > 0 ? "; " + metric(rate) + " queries/s" : "");
}

}  // namespace

double reach_command_report::queries_per_second() const {
  const double seconds = times.median() / 1000;
  return seconds > 0 ? static_cast<double>(result.queries.size()) / seconds : 0;
}

std::string way_text(const reach_report& done) {
  std::string text(to_string(done.way));
  if (done.way == reach_way::batch) {
    text += ", " + grouped(done.lanes) + " lanes, " + counted(done.passes, "pass", "passes");
  } else {
    text += ", " + grouped(done.slots) + " at a time";
  }
  return done.reason.empty() ? text : text + ": " + done.reason;
}

std::string to_text(const reach_command_report& report) {
  return graph_line(report) + report_line("queries", queries_text(report)) + engine_line(report) +
         place_line(report) +
         (report.result.queries.empty() ? "" : report_line("way", way_text(report.result.report))) +
         report_line("time", time_text(report)) + check_line(report.check);
}

std::string to_json(const reach_command_report& report) {
  const reach_report& done = report.result.report;
  json queries = json::array();
  for (std::size_t i = 0; i < report.result.queries.size(); ++i) {
    queries.push_back(query_json(report, i));
  }
  json fields = head_json(report);
  fields["num_queries"] = report.result.queries.size();
  fields["reached"] = spread_json(spread_of(report, reached_of));
  fields["depth"] = spread_json(spread_of(report, depth_of));
  fields["way"] = to_string(done.way);
  fields["way_reason"] = done.reason;
  fields["lanes"] = done.lanes;
  fields["passes"] = done.passes;
  fields["slots"] = done.slots;
  fields["levels"] = done.levels;
  add_times(fields, report.times);
  fields["queries_per_second"] = report.queries_per_second();
  fields["queries"] = queries;
  add_place(fields, report);
  return finished_json(std::move(fields), report);
}

std::string to_rows(const reach_command_report& report) {
  const bool has_histograms = !report.result.histograms.empty();
  std::string text = "# source\treached\tdepth\tmean depth\tcloseness";
  text += has_histograms ? "\tvertices at depth 0, 1, ...\n" : "\n";
  for (std::size_t i = 0; i < report.result.queries.size(); ++i) {
    const reach_summary& query = report.result.queries[i];
    text += field_text(report.names.name(report.sources.ids[i])) + '\t' +
            std::to_string(query.reached) + '\t' + std::to_string(query.depth) + '\t' +
            number(mean_depth(query)) + '\t' + number(query.closeness(report.num_vertices));
    for (std::size_t depth = 0; has_histograms && depth < report.result.histograms[i].size();
         ++depth) {
      text += depth == 0 ? '\t' : ',';
      text += std::to_string(report.result.histograms[i][depth]);
    }
    text += '\n';
  }
  return text;
}

check_outcome check_reach(const csr<none>& graph, const chosen_sources& sources,
                          const reach_result& result) {
  for (std::size_t i = 0; i < sources.ids.size(); ++i) {
    reach_summary expected;
    std::vector<vertex_id> histogram;
    for (const std::int32_t depth : oracle::bfs_depths(graph, std::span(&sources.ids[i], 1))) {
      if (depth != unreached) {
        const auto place = static_cast<std::size_t>(depth);
        ++expected.reached;
        expected.depth = std::max(expected.depth, depth);
        expected.total_depth += place;
        histogram.resize(std::max(histogram.size(), place + 1));
        ++histogram[place];
      }
    }
    const reach_summary& found = result.queries[i];
    const std::string query = "query " + grouped(i);
    if (found != expected) {
      return {false, query + ": reached " + grouped(found.reached) + " vertices, the farthest " +
                         std::to_string(found.depth) + " steps away; Boost.Graph " +
                         grouped(expected.reached) + " and " + std::to_string(expected.depth)};
    }
    if (!result.histograms.empty() && result.histograms[i] != histogram) {
      return {false, query + ": its histogram differs from Boost.Graph's"};
    }
  }
  return {true, "every query counts what Boost.Graph's search from its source finds"};
}

}  // namespace tendril::app
