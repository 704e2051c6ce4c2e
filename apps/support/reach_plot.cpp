#include "support/reach_plot.hpp"

#include <algorithm>
#include <filesystem>

#include "draw/timeline.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

/// More than fit with words on them are drawn without.
constexpr std::size_t most_words = 1000;

// Neighbours in a row are told apart by shade.
const std::vector<draw::timeline_series> shades = {{"#0072b2", ""}, {"#56a0d3", ""}};

std::uint64_t length_of(const std::vector<reach_span>& timeline) {
  std::uint64_t length_ns = 0;
  for (const reach_span& span : timeline) {
    length_ns = std::max(length_ns, span.end_ns);
  }
  return length_ns;
}

/// What is written on a stroke: how many queries a pass carried, or which source a query had.
std::string words_on(const reach_command_report& report, const reach_span& span) {
  return report.result.report.way == reach_way::batch
             ? counted(span.num_queries, "query", "queries")
             : report.names.name(report.sources.ids[span.place]);
}

/// "block 3", "thread 0"; passes share a row.
std::string row_name(reach_way way, std::uint32_t slot) {
  if (way == reach_way::batch) {
    return "passes";
  }
  return (way == reach_way::blocks ? "block " : "thread ") + std::to_string(slot);
}

/// The row of each entry. @param slots  gets those that occur, ascending: one to a row
std::vector<std::uint32_t> rows_of_slots(const std::vector<reach_span>& timeline,
                                         std::vector<std::uint32_t>& slots) {
  slots.reserve(timeline.size());
  for (const reach_span& span : timeline) {
    slots.push_back(span.slot);
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::vector<std::uint32_t> rows;
  rows.reserve(timeline.size());
  for (const reach_span& span : timeline) {
    rows.push_back(static_cast<std::uint32_t>(
        std::lower_bound(slots.begin(), slots.end(), span.slot) - slots.begin()));
  }
  return rows;
}

draw::timeline_panel panel_of(const reach_command_report& report) {
  const std::vector<reach_span>& timeline = report.result.timeline;
  std::vector<std::uint32_t> slots;
  const std::vector<std::uint32_t> rows = rows_of_slots(timeline, slots);
  draw::timeline_panel panel;
  panel.num_rows = static_cast<std::uint32_t>(slots.size());
  panel.length_ns = length_of(timeline);
  panel.at_end = duration(static_cast<double>(panel.length_ns) / 1e6);
  if (!slots.empty()) {
    panel.first_row = row_name(report.result.report.way, slots.front());
    panel.last_row = row_name(report.result.report.way, slots.back());
  }
  std::vector<std::uint32_t> num_before(slots.size());
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const reach_span& span = timeline[i];
    panel.strokes.push_back({span.begin_ns, span.end_ns, rows[i], num_before[rows[i]]++ % 2});
    if (timeline.size() <= most_words) {
      panel.words.push_back({panel.strokes.back(), words_on(report, span)});
    }
  }
  return panel;
}

std::string note_of(const reach_command_report& report) {
  const reach_report& done = report.result.report;
  const std::string note = way_text(done);
  return done.way == reach_way::batch
             ? note
             : note + "; on average " + rounded(mean_at_a_time(report.result.timeline)) +
                   " ran at a time";
}

}  // namespace

double mean_at_a_time(const std::vector<reach_span>& timeline) {
  std::uint64_t busy_ns = 0;
  for (const reach_span& span : timeline) {
    busy_ns += span.end_ns - span.begin_ns;
  }
  const std::uint64_t length_ns = length_of(timeline);
  return length_ns == 0 ? 0 : static_cast<double>(busy_ns) / static_cast<double>(length_ns);
}

std::string plot_reach(const reach_command_report& report) {
  draw::timeline picture;
  const std::string input = std::filesystem::path(report.input).filename().string();
  picture.title = counted(report.sources.ids.size(), "query", "queries") + " over " + input +
                  " on " + report.engine.device;
  picture.note = note_of(report);
  picture.series = shades;
  picture.panels = {panel_of(report)};
  return draw::to_svg(picture);
}

}  // namespace tendril::app
