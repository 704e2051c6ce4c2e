#include "support/schedule_report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <sstream>
#include <utility>

#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out.precision(digits);
  out << std::fixed << value;
  return out.str();
}

constexpr std::array<const char*, 10> columns = {"schedule", "ms",      "least ms", "prologues",
                                                 "stolen",   "refused", "tail us",  "urgent us",
                                                 "regs",     "check"};

}  // namespace

check_outcome schedule_report::check() const {
  for (const schedule::study_row& each : rows) {
    if (!each.correct) {
      return {false, describe(each.way) + ": not every tile ran once with the right result"};
    }
  }
  return {true, "every tile ran once under every schedule"};
}

std::string to_text(const schedule_report& report) {
  using row = std::array<std::string, columns.size()>;
  std::vector<row> table(1);
  std::copy(columns.begin(), columns.end(), table[0].begin());
  for (const schedule::study_row& each : report.rows) {
    const schedule::launch_counts& counts = each.record.counts;
    table.push_back({describe(each.way), fixed(each.median_ms, 3), fixed(each.min_ms, 3),
                     std::to_string(counts.prologues), std::to_string(counts.stolen),
                     std::to_string(counts.refusals()), fixed(each.record.mean_tail_ns() / 1e3, 1),
                     each.urgent ? fixed(each.urgent->median_us, 0) : "-",
                     each.registers == 0 ? "-" : std::to_string(each.registers),
                     each.correct ? "ok" : "FAILED"});
  }
  std::array<std::size_t, columns.size()> widths{};
  for (const row& each : table) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], each[i].size());
    }
  }
  std::ostringstream out;
  const schedule::study_load& load = report.study.load;
  out << counted(load.num_tiles, "tile", "tiles") << " of " << load.costs.text()
      << " steps, prologue " << load.prologue_steps << " steps, on "
      << engine_text(report.engine, report.threads) << "; median of "
      << counted(static_cast<std::uint64_t>(report.study.runs), "run", "runs") << '\n';
  for (const row& each : table) {
    out << each[0] << std::string(widths[0] - each[0].size(), ' ');
    for (std::size_t i = 1; i < widths.size(); ++i) {
      out << "  " << std::string(widths[i] - each[i].size(), ' ') << each[i];
    }
    out << '\n';
  }
  out << report.hardware_form << '\n';
  return out.str();
}

std::string to_json(const schedule_report& report) {
  const schedule::study_load& load = report.study.load;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const schedule::study_row& each : report.rows) {
    const schedule::launch_counts& counts = each.record.counts;
    nlohmann::ordered_json row = {{"schedule", describe(each.way)},
                                  {"form", each.record.form},
                                  {"median_ms", each.median_ms},
                                  {"min_ms", each.min_ms},
                                  {"units", counts.units},
                                  {"started", counts.started},
                                  {"prologues", counts.prologues},
                                  {"stolen", counts.stolen},
                                  {"cancelled", counts.cancelled},
                                  {"refused", counts.refused},
                                  {"tail_us", each.record.mean_tail_ns() / 1e3},
                                  {"registers", each.registers},
                                  {"check", each.correct ? "ok" : "failed"}};
    if (each.urgent) {
      row["urgent_wait_us"] = {{"median", each.urgent->median_us}, {"most", each.urgent->most_us}};
    }
    rows.push_back(std::move(row));
  }
  return json_text({{"command", "schedule"},
                    {"engine", report.engine.name},
                    {"engine_reason", report.engine.reason},
                    {"device", report.engine.device},
                    {"threads", report.threads > 0 ? nlohmann::ordered_json(report.threads)
                                                   : nlohmann::ordered_json()},
                    {"num_tiles", load.num_tiles},
                    {"costs", load.costs.text()},
                    {"prologue_steps", load.prologue_steps},
                    {"threads_per_block", load.threads},
                    {"shared_bytes", load.shared_bytes},
                    {"seed", load.seed},
                    {"runs", report.study.runs},
                    {"hardware_launch_control", report.hardware_form},
                    {"rows", std::move(rows)},
                    {"version", TENDRIL_VERSION}});
}

}  // namespace tendril::app
