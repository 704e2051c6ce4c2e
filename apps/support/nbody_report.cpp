#include "support/nbody_report.hpp"

#include <cmath>
#include <utility>

#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

double nbody_report::drift() const {
  const double start = at_start.total();
  return start == 0 ? 0 : std::abs((at_end.total() - start) / start);
}

std::string to_text(const nbody_report& report) {
  std::string text =
      report_line("bodies", report.input + ": " + counted(report.num_bodies, "body", "bodies") +
                                ", mass " + rounded(report.mass));
  text += report_line("engine", engine_text(report.engine, report.threads));
  text += report_line("forces", "theta " + number(report.gravity.theta) + ", softening " +
                                    number(report.gravity.softening) + ": " +
                                    duration(report.first.median()));
  text += report_line("energy", number(report.at_start.total()) + " (kinetic " +
                                    number(report.at_start.kinetic) + ", potential " +
                                    number(report.at_start.potential) + ')');
  if (!report.steps.ms.empty()) {
    text += report_line("steps", counted(report.steps.ms.size(), "step", "steps") + " of " +
                                     number(report.time_step) + ", " +
                                     duration(report.steps.median()) + " each; energy drifted by " +
                                     number(report.drift()) + " of what it was");
  }
  return text + check_line(report.check);
}

std::string to_json(const nbody_report& report) {
  const bool has_steps = !report.steps.ms.empty();
  nlohmann::ordered_json fields = head_json(report);
  fields.update({
      {"num_bodies", report.num_bodies},
      {"mass", report.mass},
      {"theta", report.gravity.theta},
      {"softening", report.gravity.softening},
      {"forces_ms", report.first.median()},
      {"steps", report.steps.ms.size()},
      {"time_step", report.time_step},
      {"median_ms", has_steps ? report.steps.median() : report.first.median()},
      {"min_ms", has_steps ? report.steps.least() : report.first.least()},
      {"energy_at_start", report.at_start.total()},
      {"energy_at_end", report.at_end.total()},
      {"energy_drift", report.drift()},
  });
  return finished_json(std::move(fields), report);
}

}  // namespace tendril::app
