#include "support/concurrency.hpp"

#include <algorithm>

#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(copy_row, streams, serial_ms, concurrent_ms, depth_first_ms,
                                   breadth_first_ms)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(kernel_row, streams, serial_ms, concurrent_ms, depth_first_ms,
                                   expected_depth_first_ms, depth_first_at_once, breadth_first_ms,
                                   breadth_first_at_once)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(concurrency_table, connections, kernel_ms, copy_ms, asked_clocks,
                                   least_clocks, kernels, copies)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(concurrency_report, device, runs, tables)

namespace expected {

double serial_ms(std::size_t num_streams, double first_ms, double second_ms) {
  return static_cast<double>(num_streams) * (first_ms + second_ms);
}

double concurrent_kernels_ms(double kernel_ms) {
  return 2 * kernel_ms;
}

double depth_first_kernels_ms(std::size_t num_streams, std::size_t num_connections,
                              double kernel_ms) {
  const std::size_t in_a_row = (num_streams + num_connections - 1) / num_connections;
  return static_cast<double>(in_a_row + 1) * kernel_ms;
}

double concurrent_copies_ms(std::size_t num_streams, double copy_ms, double kernel_ms) {
  return static_cast<double>(num_streams) * copy_ms + kernel_ms;
}

}  // namespace expected

namespace {

constexpr std::size_t column_width = 11;

/// Right-aligned columns below the heading of a line.
std::string table_line(std::string_view heading, const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) {
    text += align_right(column, text.empty() ? std::size_t{7} : column_width);
  }
  return report_line(heading, text);
}

std::string kernels_text(const concurrency_table& table) {
  std::string text = report_line(
      "kernels", counted(table.connections, "connection", "connections") + ", 2 kernels of " +
                     duration(table.kernel_ms) +
                     " in each stream; depth: stream by stream, breadth: all first kernels first");
  text += table_line("", {"streams", "serial", "concurrent", "depth", "expected", "at once",
                          "breadth", "at once"});
  for (const kernel_row& row : table.kernels) {
    text += table_line("", {grouped(row.streams), duration(row.serial_ms),
                            duration(row.concurrent_ms), duration(row.depth_first_ms),
                            duration(row.expected_depth_first_ms), grouped(row.depth_first_at_once),
                            duration(row.breadth_first_ms), grouped(row.breadth_first_at_once)});
  }
  return text;
}

std::string copies_text(const concurrency_table& table) {
  std::string text = report_line("copies", counted(table.connections, "connection", "connections") +
                                               ", a copy of " + duration(table.copy_ms) +
                                               " to the GPU, then a kernel of " +
                                               duration(table.kernel_ms) + ", in each stream");
  text += table_line("", {"streams", "serial", "concurrent", "depth", "breadth"});
  for (const copy_row& row : table.copies) {
    text +=
        table_line("", {grouped(row.streams), duration(row.serial_ms), duration(row.concurrent_ms),
                        duration(row.depth_first_ms), duration(row.breadth_first_ms)});
  }
  return text;
}

std::size_t most(const concurrency_table& table, std::size_t kernel_row::*at_once) {
  std::size_t found = 0;
  for (const kernel_row& row : table.kernels) {
    found = std::max(found, row.*at_once);
  }
  return found;
}

std::string overlap_text(const concurrency_table& table) {
  return "over " + counted(table.connections, "connection", "connections") + ' ' +
         grouped(most(table, &kernel_row::depth_first_at_once)) + " submitted stream by stream, " +
         grouped(most(table, &kernel_row::breadth_first_at_once)) + " breadth-first";
}

}  // namespace

check_outcome concurrency_report::check() const {
  for (const concurrency_table& table : tables) {
    if (!table.kept_clock()) {
      return {false, "a kernel counted " + grouped(table.least_clocks) + " clocks, asked " +
                         grouped(table.asked_clocks)};
    }
  }
  return {true, "every kernel counted the clocks that it was asked for"};
}

std::string to_text(const concurrency_report& report) {
  std::string text =
      report_line("GPU", report.device + "; medians of " +
                             grouped(static_cast<std::uint64_t>(report.runs)) + " runs");
  for (const concurrency_table& table : report.tables) {
    text += kernels_text(table) + copies_text(table);
  }
  std::string_view heading = "at once";
  for (const concurrency_table& table : report.tables) {
    text += report_line(heading, overlap_text(table));
    heading = "";
  }
  return text + check_line(report.check());
}

std::string to_json(const concurrency_report& report) {
  nlohmann::json fields = report;
  fields["command"] = "devices";
  fields["version"] = TENDRIL_VERSION;
  fields["check"] = check_word(report.check());
  return json_text(fields);
}

concurrency_report concurrency_from_json(const std::string& text) {
  return nlohmann::json::parse(text).get<concurrency_report>();
}

}  // namespace tendril::app
