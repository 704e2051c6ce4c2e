#include "support/report.hpp"

#include <algorithm>
#include <iostream>

#include "support/text.hpp"

namespace tendril::app {

double run_times::median() const {
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double run_times::least() const {
  return *std::min_element(ms.begin(), ms.end());
}

check_outcome first_failure(std::initializer_list<std::optional<std::string>> failures,
                            const std::string& passed) {
  for (const std::optional<std::string>& failure : failures) {
    if (failure) {
      return {false, *failure};
    }
  }
  return {true, passed};
}

exit_status status_of(const std::optional<check_outcome>& check, bool quiet) {
  if (!check || check->passed) {
    return exit_status::done;
  }
  if (quiet) {
    std::cerr << "tendril: check FAILED: " << check->text << '\n';
  }
  return exit_status::check_failed;
}

const char* check_word(const std::optional<check_outcome>& check) {
  if (!check) {
    return "not run";
  }
  return check->passed ? "passed" : "failed";
}

std::string report_line(std::string_view heading, const std::string& content) {
  return align_left(heading, heading_width) + content + '\n';
}

std::string check_line(const std::optional<check_outcome>& check) {
  return check ? report_line("check", (check->passed ? "passed: " : "FAILED: ") + check->text) : "";
}

std::string engine_text(const engine_facts& engine, int threads) {
  if (engine.name == "cuda") {
    return "cuda, " + engine.device;
  }
  return engine.name + ", " + counted(static_cast<std::uint64_t>(threads), "thread", "threads") +
         " of " + engine.device + (engine.reason.empty() ? "" : " (" + engine.reason + ')');
}

std::string times_text(const run_times& times) {
  std::string text = duration(times.median());
  if (times.ms.size() > 1) {
    text += ", median of " + grouped(times.ms.size()) + " runs (fastest " +
            duration(times.least()) + ')';
  }
  return text;
}

}  // namespace tendril::app
