#pragma once

#include <functional>
#include <optional>
#include <string>

#include "support/common_options.hpp"
#include "support/engine.hpp"
#include "support/exit_status.hpp"
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

/// What a command prints and writes, made only where it is wanted.
struct run_texts {
  std::function<std::string()> json;
  std::function<std::string()> text;
  std::function<std::string()> rows;       ///< for --out
  std::function<std::string()> plot = {};  ///< of a command that has --plot
};

/// Prints and writes what the options ask for.
/// @return check_failed where a check did
[[nodiscard]] exit_status finish_run(const run_options& given,
                                     const std::optional<check_outcome>& check,
                                     const run_texts& texts);

}  // namespace tendril::app
