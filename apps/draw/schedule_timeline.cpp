#include <array>
#include <cstdio>
#include <string>

#include "draw/schedule_lanes.hpp"
#include "draw/schedule_pictures.hpp"
#include "draw/timeline.hpp"
#include "tendril/core/error.hpp"

namespace tendril::draw {

namespace {

/// [doing]
const std::vector<timeline_series> all_doings = {
    {"#e69f00", "prologue"}, {"#0072b2", "own tile"}, {"#009e73", "stolen tile"}};

std::string number(double value, int digits) {
  std::array<char, 32> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

timeline_panel panel_of(const schedule::launch_record& launch) {
  const lanes rows = pack_lanes(launch);
  timeline_panel panel;
  panel.title = launch.name;
  panel.num_rows = rows.num_lanes();
  panel.length_ns = launch.length_ns();
  panel.at_end = number(static_cast<double>(panel.length_ns) / 1e6, 3) + " ms";
  panel.below_end = "tail " + number(launch.mean_tail_ns() / 1e3, 0) + " us";
  if (panel.num_rows > 0) {
    panel.first_row = std::to_string(rows.processor.front());
    panel.last_row = std::to_string(rows.processor.back());
  }
  panel.strokes.reserve(launch.timeline.size());
  for (std::size_t i = 0; i < launch.timeline.size(); ++i) {
    const schedule::interval& entry = launch.timeline[i];
    const std::uint64_t start_ns = launch.timeline.front().begin_ns;
    panel.strokes.push_back({entry.begin_ns - start_ns, entry.end_ns - start_ns, rows.lane_of[i],
                             static_cast<std::uint32_t>(entry.what)});
  }
  return panel;
}

}  // namespace

std::string schedule_timeline(std::span<const schedule::launch_record> launches) {
  if (launches.empty()) {
    throw usage_error("a timeline needs at least one recorded launch");
  }
  timeline picture;
  picture.title = "Who ran which tile";
  picture.note = "processors down (one row per resident block), time across";
  picture.series = all_doings;
  for (const schedule::launch_record& launch : launches) {
    picture.panels.push_back(panel_of(launch));
  }
  return to_svg(picture);
}

}  // namespace tendril::draw
