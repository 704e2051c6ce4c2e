// What `tendril devices --concurrency` measures, in a program that has the GPU engine.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>

#include "support/concurrency.hpp"
#include "tendril/cuda/overlap.hpp"

namespace tendril::app {

namespace {

constexpr std::array<std::size_t, 8> stream_counts = {1, 2, 4, 8, 16, 32, 64, 128};
constexpr double wanted_kernel_ms = 1;
constexpr int runs_of_each = 5;
constexpr std::int32_t usual_connections = 8;

kernel_row measure_kernels(overlap_yardstick& yardstick, std::size_t streams,
                           concurrency_table& table) {
  const measured_overlap depth =
      yardstick.measure(streams, stream_work::two_kernels, submission::depth_first, runs_of_each);
  const measured_overlap breadth =
      yardstick.measure(streams, stream_work::two_kernels, submission::breadth_first, runs_of_each);
  table.least_clocks = std::min({table.least_clocks, depth.least_clocks, breadth.least_clocks});
  const double t = table.kernel_ms;
  return {streams,
          expected::serial_ms(streams, t, t),
          expected::concurrent_kernels_ms(t),
          depth.ms,
          expected::depth_first_kernels_ms(streams, table.connections, t),
          depth.at_once,
          breadth.ms,
          breadth.at_once};
}

copy_row measure_copies(overlap_yardstick& yardstick, std::size_t streams,
                        concurrency_table& table) {
  constexpr stream_work work = stream_work::copy_then_kernel;
  const measured_overlap depth =
      yardstick.measure(streams, work, submission::depth_first, runs_of_each);
  const measured_overlap breadth =
      yardstick.measure(streams, work, submission::breadth_first, runs_of_each);
  table.least_clocks = std::min({table.least_clocks, depth.least_clocks, breadth.least_clocks});
  return {streams, expected::serial_ms(streams, table.copy_ms, table.kernel_ms),
          expected::concurrent_copies_ms(streams, table.copy_ms, table.kernel_ms), depth.ms,
          breadth.ms};
}

}  // namespace

concurrency_report measure_concurrency(const concurrency_options& options) {
  const std::int32_t connections = options.connections.value_or(usual_connections);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(connections).c_str(), 1);
  overlap_yardstick yardstick(options.device, stream_counts.back(), wanted_kernel_ms);
  concurrency_table table;
  table.connections = static_cast<std::size_t>(connections);
  table.kernel_ms = yardstick.kernel_ms();
  table.copy_ms = yardstick.copy_ms();
  table.asked_clocks = yardstick.asked_clocks();
  table.least_clocks = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t streams : stream_counts) {
    table.kernels.push_back(measure_kernels(yardstick, streams, table));
    table.copies.push_back(measure_copies(yardstick, streams, table));
  }
  return {yardstick.device_name(), runs_of_each, {table}};
}

}  // namespace tendril::app
