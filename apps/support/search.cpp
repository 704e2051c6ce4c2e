#include "support/search.hpp"

#include <filesystem>

#include "support/frontier_plot.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

std::string rows_text(const search_report& report, const search_output& output) {
  std::string text = "# " + output.header + '\n';
  for (vertex_id v = 0; v < report.num_vertices; ++v) {
    text += field_text(report.names.name(v)) + '\t' + output.row(v) + '\n';
  }
  return text;
}

std::string plot_text(const search_report& report, const search_output& output) {
  const std::string input = std::filesystem::path(report.input).filename().string();
  return plot_frontier(report.traversal.levels,
                       {.title = output.title + " of " + input,
                        .note = report.outcome() + "; " + duration(report.times.median()),
                        .x_label = output.x_label});
}

}  // namespace

exit_status finish_search(const run_options& given, const search_report& report,
                          const search_output& output) {
  return finish_run(
      given, report, [&] { return rows_text(report, output); },
      [&] { return plot_text(report, output); });
}

}  // namespace tendril::app
