#include <array>
#include <cstdio>
#include <ostream>
#include <string>

#include "lanes.hpp"
#include "tendril/core/error.hpp"
#include "tendril/core/timeline.hpp"
#include "tendril/schedule/record.hpp"

namespace tendril::schedule {

namespace {

/// [doing]
const std::vector<draw::timeline_series> all_doings = {
    {"#e69f00", "prologue"}, {"#0072b2", "own tile"}, {"#009e73", "stolen tile"}};

std::string number(double value, int digits) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

draw::timeline_panel panel_of(const launch_record& launch) {
  const detail::lanes lanes = detail::pack_lanes(launch);
  draw::timeline_panel panel;
  panel.title = launch.name;
  panel.num_rows = lanes.num_lanes();
  panel.length_ns = launch.length_ns();
  panel.at_end = number(static_cast<double>(panel.length_ns) / 1e6, 3) + " ms";
  panel.below_end = "tail " + number(launch.mean_tail_ns() / 1e3, 0) + " us";
  if (panel.num_rows > 0) {
    panel.first_row = std::to_string(lanes.processor.front());
    panel.last_row = std::to_string(lanes.processor.back());
  }
  panel.strokes.reserve(launch.timeline.size());
  for (std::size_t i = 0; i < launch.timeline.size(); ++i) {
    const interval& entry = launch.timeline[i];
    const std::uint64_t start_ns = launch.timeline.front().begin_ns;
    panel.strokes.push_back({entry.begin_ns - start_ns, entry.end_ns - start_ns, lanes.lane_of[i],
                             static_cast<std::uint32_t>(entry.what)});
  }
  return panel;
}

}  // namespace

void write_timeline_svg(std::ostream& out, std::span<const launch_record> launches) {
  if (launches.empty()) {
    throw usage_error("a timeline needs at least one recorded launch");
  }
  draw::timeline picture;
  picture.title = "Who ran which tile";
  picture.note = "processors down (one row per resident block), time across";
  picture.series = all_doings;
  for (const launch_record& launch : launches) {
    picture.panels.push_back(panel_of(launch));
  }
  out << draw::to_svg(picture);
}

}  // namespace tendril::schedule
