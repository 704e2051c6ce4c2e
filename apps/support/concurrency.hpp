#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/report.hpp"

// `tendril devices --concurrency`: how many queries a GPU really runs at once, by the yardstick of
// NVIDIA's sample simpleHyperQ: so many streams, two kernels of equal length in each.

namespace tendril::app {

/// What work on streams should take.
namespace expected {

/// One after another.
[[nodiscard]] double serial_ms(std::size_t num_streams, double first_ms, double second_ms);
/// All streams beside each other, two kernels in each.
[[nodiscard]] double concurrent_kernels_ms(double kernel_ms);
/// The same, submitted stream by stream: on a connection, a stream's first kernel waits for the
/// first of the stream before it, but runs beside its second.
[[nodiscard]] double depth_first_kernels_ms(std::size_t num_streams, std::size_t num_connections,
                                            double kernel_ms);
/// Copies one after another, as they share a link, and kernels beside them.
[[nodiscard]] double concurrent_copies_ms(std::size_t num_streams, double copy_ms,
                                          double kernel_ms);

}  // namespace expected

/// Streams of a copy and a kernel each, in both orders of submission.
struct copy_row {
  std::size_t streams = 0;
  double serial_ms = 0;       ///< expected, if nothing overlaps
  double concurrent_ms = 0;   ///< expected, if all does
  double depth_first_ms = 0;  ///< measured
  double breadth_first_ms = 0;
};

/// Streams of two kernels each.
struct kernel_row {
  std::size_t streams = 0;
  double serial_ms = 0;
  double concurrent_ms = 0;
  double depth_first_ms = 0;
  double expected_depth_first_ms = 0;   ///< over so many connections
  std::size_t depth_first_at_once = 0;  ///< most kernels that ran at one moment
  double breadth_first_ms = 0;
  std::size_t breadth_first_at_once = 0;
};

/// Measurements of a process with so many connections.
struct concurrency_table {
  std::size_t connections = 0;
  double kernel_ms = 0;
  double copy_ms = 0;
  std::uint64_t asked_clocks = 0;  ///< of each kernel
  std::uint64_t least_clocks = 0;  ///< that a kernel counted itself
  std::vector<kernel_row> kernels;
  std::vector<copy_row> copies;

  [[nodiscard]] bool kept_clock() const noexcept { return least_clocks >= asked_clocks; }
};

/// All of it.
struct concurrency_report {
  std::string device;
  int runs = 0;
  std::vector<concurrency_table> tables;

  /// Whether kernels counted the clocks that they were asked for.
  [[nodiscard]] check_outcome check() const;
};

/// What is measured.
struct concurrency_options {
  std::optional<std::int32_t> device;
  /// CUDA_DEVICE_MAX_CONNECTIONS; none: 8 and 32, in a process each.
  std::optional<std::int32_t> connections;
};
inline constexpr std::int32_t most_connections = 32;

/// Measures in this process, which has not used the GPU before.
/// @throws resource_error saying why there is no GPU to use
[[nodiscard]] concurrency_report measure_concurrency(const concurrency_options& options);

[[nodiscard]] std::string to_text(const concurrency_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const concurrency_report& report);
/// Reads what to_json() wrote.
[[nodiscard]] concurrency_report concurrency_from_json(const std::string& text);

}  // namespace tendril::app
