#pragma once

#include <functional>
#include <string>

#include "support/common_options.hpp"
#include "support/engine.hpp"
#include "support/exit_status.hpp"
#include "support/output_file.hpp"
#include "support/report.hpp"

namespace tendril::app {

/// What every algorithm takes, on graphs and on points.
struct run_options {
  engine_options engine;
  common_options common;
  int runs = 1;
  bool check = false;
  std::string json;
  std::string out;
  std::string plot;
};

/// Fills in what is known of every run. Says on the error output why the engine is not a GPU's,
/// where auto looked for one.
void begin_run(run_report& report, const char* command, const run_options& given,
               const engine_facts& engine);

/// Makes a text where it is wanted.
using text_maker = std::function<std::string()>;

/// Prints and writes what the options ask for.
/// @param rows  for --out
/// @param plot  for --plot, where there is one
/// @return check_failed where a check did
[[nodiscard]] exit_status finish_run(const run_options& given, const run_report& report,
                                     const report_texts& texts, const text_maker& rows,
                                     const text_maker& plot);

/// The same for a report with to_text() and to_json().
template <class Report>
[[nodiscard]] exit_status finish_run(const run_options& given, const Report& report,
                                     const text_maker& rows, const text_maker& plot = {}) {
  return finish_run(given, report,
                    {[&] { return to_json(report); }, [&] { return to_text(report); }}, rows, plot);
}

}  // namespace tendril::app
