#pragma once

#include <string>
#include <vector>

#include "support/report.hpp"
#include "tendril/schedule/study.hpp"

namespace tendril::app {

/// What `schedule` was asked, what ran, and the rows.
struct schedule_report {
  schedule::study_options study;
  engine_facts engine;
  int threads = 0;  ///< of the host engine
  std::string hardware_form;
  std::vector<schedule::study_row> rows;

  /// Whether every tile ran once under every schedule.
  [[nodiscard]] check_outcome check() const;
};

/// A table, a row for each schedule.
[[nodiscard]] std::string to_text(const schedule_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const schedule_report& report);

}  // namespace tendril::app
