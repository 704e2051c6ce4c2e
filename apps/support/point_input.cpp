#include "support/point_input.hpp"

#include <charconv>
#include <cmath>
#include <functional>
#include <iostream>

#include "support/progress.hpp"
#include "tendril/core/error.hpp"
#include "tendril/tree/generate_points.hpp"

namespace tendril::app {

bool point_input::is_generator() const {
  return names_point_generator(text);
}

std::optional<std::uint64_t> point_input::seed() const {
  return is_generator() ? std::optional(point_generator_seed(text)) : std::nullopt;
}

namespace {

/// Calls load(callback) under a progress line, where somebody looks at it.
template <class Load>
auto with_progress(const std::string& label, const common_options& common, const Load& load) {
  std::optional<progress_line> progress;
  std::function<void(std::uint64_t, std::uint64_t)> callback;
  if (shows_progress(common.quiet)) {
    progress.emplace(label, std::cerr);
    callback = [&progress](std::uint64_t done, std::uint64_t total) {
      progress->update(done, total);
    };
  }
  return load(callback);
}

}  // namespace

void begin_report(run_report& report, const char* command, const point_options& given,
                  const engine_facts& engine, int threads) {
  begin_run(report, command, given, engine);
  report.input = given.input.text;
  report.seed = given.input.seed();
  report.threads = threads;
}

points<double> load_points(const point_input& input, const common_options& common) {
  if (input.is_generator()) {
    if (!input.columns.empty()) {
      throw usage_error("a generator has no columns to choose from");
    }
    return with_progress("make " + input.text, common,
                         [&](const auto& /*callback*/) { return generate_points(input.text); });
  }
  return with_progress("read " + input.text, common, [&](const auto& callback) {
    return read_points(input.text, {.columns = input.columns, .progress = callback});
  });
}

number_columns load_columns(const point_input& input, const common_options& common) {
  return with_progress("read " + input.text, common, [&](const auto& callback) {
    return read_columns(input.text, {.columns = input.columns, .progress = callback});
  });
}

input_error with_line(const point_input& input, const row_error& refused) {
  if (input.is_generator()) {
    return input_error(input.text + ": " + refused.what());
  }
  const std::uint64_t line = line_of_row(input.text, {.columns = input.columns}, refused.row());
  return input_error(input.text + ':' + std::to_string(line) + ": " + refused.reason());
}

std::vector<double> numbers_in(const std::string& option, const std::string& form,
                               const std::string& text, std::size_t count) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || std::isnan(value) || (stop != end && *stop != ',')) {
      break;
    }
    numbers.push_back(value);
    if (stop == end) {
      at = end;
      break;
    }
    at = stop + 1;
  }
  if (at != end || numbers.size() != count || text.back() == ',') {
    throw usage_error(option + ": expected " + form + ", found " + text);
  }
  return numbers;
}

}  // namespace tendril::app
