#include "support/run.hpp"

#include "support/output_file.hpp"

namespace tendril::app {

void begin_run(run_report& report, const char* command, const run_options& given,
               const engine_facts& engine) {
  report.command = command;
  report.engine = engine;
  announce_fallback(engine, given.common.quiet);
}

exit_status finish_run(const run_options& given, const std::optional<check_outcome>& check,
                       const run_texts& texts) {
  output_files files;
  if (!given.out.empty()) {
    files.add(given.out, texts.rows());
  }
  if (!given.plot.empty()) {
    files.add(given.plot, texts.plot());
  }
  finish_report(files, {texts.json, texts.text}, given.json, given.common.quiet);
  return status_of(check, given.common.quiet);
}

}  // namespace tendril::app
