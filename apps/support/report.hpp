#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/engine.hpp"
#include "support/exit_status.hpp"

// What the reports of all commands have in common.

namespace tendril::app {

/// Host-clock times of the same work, run several times.
struct run_times {
  std::vector<double> ms;  ///< in the order of the runs, at least one

  [[nodiscard]] double median() const;  ///< mean of the middle two of an even number
  [[nodiscard]] double least() const;
};

/// Does nothing after a run.
struct nothing {
  void operator()() const {}
};

/// Calls run() that many times, and after each, untimed, note(); the last result stays.
template <class Run, class Note = nothing>
auto repeat(int runs, run_times& times, const Run& run, const Note& note = {}) {
  const auto timed = [&] {
    const auto begin = std::chrono::steady_clock::now();
    auto result = run();
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - begin;
    times.ms.push_back(passed.count());
    note();
    return result;
  };
  for (int i = 1; i < runs; ++i) {
    static_cast<void>(timed());
  }
  return timed();
}

/// What --check found.
struct check_outcome {
  bool passed = false;
  std::string text;  ///< what was compared, or the first difference
};

/// What the reports of all algorithms have in common.
struct run_report {
  std::string command;
  std::string input;
  std::optional<std::uint64_t> seed;  ///< of the generator
  engine_facts engine;
  int threads = 0;  ///< of the host engine
  std::optional<check_outcome> check;
};

/// The first sentence that says what is wrong, or `passed`.
[[nodiscard]] check_outcome first_failure(
    std::initializer_list<std::optional<std::string>> failures, const std::string& passed);

/// check_failed where a check was asked for and failed: an error, so it is said on the error output
/// even where the report is not printed.
[[nodiscard]] exit_status status_of(const std::optional<check_outcome>& check, bool quiet);

/// "passed", "failed" or "not run", for JSON.
[[nodiscard]] const char* check_word(const std::optional<check_outcome>& check);

/// Columns before the text of a line.
inline constexpr std::size_t heading_width = 9;

/// "time     12.3 ms", with its end.
[[nodiscard]] std::string report_line(std::string_view heading, const std::string& content);

/// The line of a check; nothing where none was asked for.
[[nodiscard]] std::string check_line(const std::optional<check_outcome>& check);

/// "host, 2 threads of AMD EPYC (why auto took it)"
[[nodiscard]] std::string engine_text(const engine_facts& engine, int threads);

/// "12.3 ms, median of 5 runs (fastest 11.9 ms)"
[[nodiscard]] std::string times_text(const run_times& times);

}  // namespace tendril::app
