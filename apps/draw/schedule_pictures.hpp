#pragma once

#include <span>
#include <string>

#include "tendril/schedule/record.hpp"

// What recorded launches look like.

namespace tendril::draw {

/// Launches as Chrome trace events (opens in Perfetto and chrome://tracing): a process per launch,
/// a thread per lane of a processor, times in microseconds from the start of the launch.
[[nodiscard]] std::string schedule_trace(std::span<const schedule::launch_record> launches);

/// Launches as SVG panels of the same time scale, one below the other: processors down, time
/// across; prologues, own and stolen tiles differ in colour.
/// @throws usage_error if there is no launch
[[nodiscard]] std::string schedule_timeline(std::span<const schedule::launch_record> launches);

}  // namespace tendril::draw
