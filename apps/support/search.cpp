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

void check_outputs(const search_options& search) {
  for (const std::string& path : {search.json, search.out, search.plot}) {
    check_writable(path);
  }
}

exit_status finish_run(const search_options& search, const graph_report& report,
                       const run_texts& texts) {
  output_files files;
  if (!search.out.empty()) {
    files.add(search.out, texts.rows());
  }
  if (!search.plot.empty()) {
    files.add(search.plot, texts.plot());
  }
  finish_report(files, {texts.json, texts.text}, search.json, search.common.quiet);
  return status_of(report.check);
}

exit_status finish_search(const search_options& search, const search_report& report,
                          const search_output& output) {
  return finish_run(search, report,
                    {.json = [&] { return to_json(report); },
                     .text = [&] { return to_text(report); },
                     .rows = [&] { return rows_text(report, output); },
                     .plot = [&] { return plot_text(report, output); }});
}

}  // namespace tendril::app
