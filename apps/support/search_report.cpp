#include "support/search_report.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace tendril::app {

namespace {

constexpr std::size_t most_table_rows = 32;

/// Times with the rate they come to.
std::string rate_text(const search_report& report, const run_times& times) {
  const double rate = report.edges_per_second(times);
  return times_text(times) + (rate > 0 ? "; " + metric(rate) + " edges/s" : "");
}

std::string time_lines(const search_report& report) {
  std::string text = rate_text(report, report.times);
  if (report.prepare_ms > 0) {
    text += "; before that " + duration(report.prepare_ms) + " to turn the edges round";
  }
  text = report_line("time", text);
  if (report.gpu && !report.gpu->kernels.ms.empty()) {
    text += report_line("kernels", rate_text(report, report.gpu->kernels));
  }
  return text;
}

/// "push 0 - 2, pull 3 - 4, push 5 - 8"
std::string directions_text(const std::vector<level_report>& levels) {
  std::string text;
  for (std::size_t first = 0; first < levels.size();) {
    std::size_t last = first;
    while (last + 1 < levels.size() && levels[last + 1].way == levels[first].way) {
      ++last;
    }
    text += (text.empty() ? "" : ", ") + std::string(to_string(levels[first].way)) + ' ' +
            grouped(first) + (last > first ? " - " + grouped(last) : "");
    first = last + 1;
  }
  return text;
}

std::string summary_text(const std::vector<level_report>& levels) {
  const auto widest = std::max_element(
      levels.begin(), levels.end(),
      [](const level_report& a, const level_report& b) { return a.frontier < b.frontier; });
  return report_line("levels", grouped(levels.size()) + ": " + directions_text(levels) +
                                   "; the widest is " +
                                   grouped(static_cast<std::uint64_t>(widest->level)) + " with " +
                                   counted(widest->frontier, "vertex", "vertices"));
}

std::string table_text(const std::vector<level_report>& levels) {
  const auto row = [](std::string_view level, std::string_view way, std::string_view frontier,
                      std::string_view edges, std::string_view time) {
    return align_right(level, 5) + "  " + align_left(way, 4) + align_right(frontier, 13) +
           align_right(edges, 16) + align_right(time, 10) + '\n';
  };
  const std::string indent(heading_width, ' ');
  std::string text =
      align_left("levels", heading_width) + row("level", "way", "frontier", "edges", "time");
  for (const level_report& level : levels) {
    text += indent + row(std::to_string(level.level), to_string(level.way), grouped(level.frontier),
                         grouped(level.frontier_edges), duration(level.ms));
  }
  return text;
}

std::string levels_text(const std::vector<level_report>& levels) {
  if (levels.empty()) {
    return {};
  }
  return levels.size() <= most_table_rows ? table_text(levels) : summary_text(levels);
}

}  // namespace

double search_report::edges_per_second(const run_times& of) const {
  const double seconds = of.median() / 1000;
  return seconds > 0 ? static_cast<double>(traversal.edges_traversed()) / seconds : 0;
}

std::string search_report::start() const {
  if (sources.ids.empty()) {
    return "no source";
  }
  return sources.ids.size() == 1 ? names.name(sources.ids.front())
                                 : grouped(sources.ids.size()) + " sources";
}

std::string search_report::outcome() const {
  if (!result.empty()) {
    return result;
  }
  return "from " + start() + ": " + grouped(reached) + " of " +
         counted(num_vertices, "vertex", "vertices") + " reached" +
         (extent.empty() ? "" : ' ' + extent);
}

std::string to_text(const search_report& report) {
  return graph_line(report) +
         report_line(report.result.empty() ? "search" : "result", report.outcome()) +
         engine_line(report) + place_line(report) + time_lines(report) +
         levels_text(report.traversal.levels) + check_line(report.check);
}

}  // namespace tendril::app
