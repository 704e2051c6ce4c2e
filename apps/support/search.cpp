#include "support/search.hpp"

#include <filesystem>

#include "support/frontier_plot.hpp"
#include "support/output_file.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

std::string rows_text(const search_report& report, const search_output& output) {
  std::string text = "# " + output.header + '\n';
  for (vertex_id v = 0; v < report.num_vertices; ++v) {
    text += report.names.name(v) + '\t' + output.row(v) + '\n';
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

void check_outputs(const run_options& given) {
  for (const std::string& path : {given.json, given.out, given.plot}) {
    check_writable(path);
  }
}

exit_status finish_search(const run_options& given, const search_report& report,
                          const search_output& output) {
  output_files files;
  if (!given.out.empty()) {
    files.add(given.out, rows_text(report, output));
  }
  if (!given.plot.empty()) {
    files.add(given.plot, plot_text(report, output));
  }
  finish_report(files, {[&] { return to_json(report); }, [&] { return to_text(report); }},
                given.json, given.common.quiet);
  return status_of(report.check);
}

}  // namespace tendril::app
