#include "support/run.hpp"

namespace tendril::app {

void begin_run(run_report& report, const char* command, const run_options& given,
               const engine_facts& engine) {
  report.command = command;
  report.engine = engine;
  announce_fallback(engine, given.common.quiet);
}

exit_status finish_run(const run_options& given, const run_report& report,
                       const report_texts& texts, const text_maker& rows, const text_maker& plot) {
  output_files files;
  if (!given.out.empty()) {
    files.add(given.out, rows());
  }
  if (!given.plot.empty()) {
    files.add(given.plot, plot());
  }
  finish_report(files, texts, given.json, given.common.quiet);
  return status_of(report.check, given.common.quiet);
}

}  // namespace tendril::app
