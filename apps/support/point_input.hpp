#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/run.hpp"
#include "tendril/core/error.hpp"
#include "tendril/tree/read_points.hpp"

namespace tendril::app {

/// POINTS and how to read it.
struct point_input {
  std::string text;  ///< a file, or a generator such as uniform:1000
  std::vector<std::string> columns;

  [[nodiscard]] bool is_generator() const;
  [[nodiscard]] std::optional<std::uint64_t> seed() const;
};

/// What every algorithm on points takes.
struct point_options : run_options {
  point_input input;
};

/// begin_run() once the points are there.
void begin_report(run_report& report, const char* command, const point_options& given,
                  const engine_facts& engine, int threads);

/// Reads or makes the points, with a progress line on a terminal.
[[nodiscard]] points<double> load_points(const point_input& input, const common_options& common);

/// Reads columns of a file, with a progress line on a terminal.
[[nodiscard]] number_columns load_columns(const point_input& input, const common_options& common);

/// What a refused row is called by: "bodies.csv:4: expected ..., found ..." for one of a file.
[[nodiscard]] input_error with_line(const point_input& input, const row_error& refused);

/// Calls run(); a row that it refuses is named by its line.
template <class Run>
auto naming_lines(const point_input& input, const Run& run) {
  try {
    return run();
  } catch (const row_error& refused) {
    throw with_line(input, refused);
  }
}

/// The numbers of "1,2.5,-3".
/// @throws usage_error `OPTION: expected FORM, found TEXT`
[[nodiscard]] std::vector<double> numbers_in(const std::string& option, const std::string& form,
                                             const std::string& text, std::size_t count);

}  // namespace tendril::app
