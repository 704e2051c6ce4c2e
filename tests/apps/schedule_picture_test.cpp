#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "draw/schedule_pictures.hpp"
#include "tendril/core/error.hpp"

namespace tendril::draw {
namespace {

using schedule::doing;
using schedule::launch_record;

/// Two blocks side by side on processor 4, one on processor 9 that ends 300 ns earlier.
launch_record small_launch() {
  launch_record made;
  made.name = "launch-control <\"a & b\">";
  made.timeline = {{1000, 1100, 0, 0, 4, doing::prologue},   {1000, 1150, 1, 1, 4, doing::prologue},
                   {1010, 1200, 2, 2, 9, doing::prologue},   {1100, 1500, 0, 0, 4, doing::own_tile},
                   {1150, 2000, 1, 1, 4, doing::own_tile},   {1200, 1700, 2, 2, 9, doing::own_tile},
                   {1500, 1900, 3, 0, 4, doing::stolen_tile}};
  return made;
}

TEST(schedule_picture, the_trace_is_json_with_an_event_per_interval) {
  const launch_record both[] = {small_launch(), small_launch()};
  const auto trace = nlohmann::json::parse(schedule_trace(both));
  std::size_t events = 0;
  std::set<std::pair<int, int>> rows;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") {
      ++events;
      rows.insert({event.at("pid").get<int>(), event.at("tid").get<int>()});
    } else if (event.at("name") == "process_name") {
      EXPECT_EQ(event.at("args").at("name"), small_launch().name);
    }
  }
  EXPECT_EQ(events, 14u);
  EXPECT_EQ(rows.size(), 6u);  // two launches of two lanes on processor 4 and one on 9
  const auto& stolen = trace.at("traceEvents").back();
  EXPECT_EQ(stolen.at("name"), "stolen tile");
  EXPECT_EQ(stolen.at("args").at("tile"), 3);
  EXPECT_DOUBLE_EQ(stolen.at("ts").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(stolen.at("dur").get<double>(), 0.4);
}

TEST(schedule_picture, no_launches_make_an_empty_trace_and_no_picture) {
  EXPECT_TRUE(nlohmann::json::parse(schedule_trace({})).at("traceEvents").empty());
  EXPECT_THROW(static_cast<void>(schedule_timeline({})), usage_error);
}

TEST(schedule_picture, the_picture_has_a_panel_per_launch_and_escaped_text) {
  const launch_record both[] = {small_launch(), launch_record{}};
  const std::string svg = schedule_timeline(both);
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  EXPECT_NE(svg.find("&lt;&quot;a &amp; b&quot;&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("<\"a"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  // One stroke for the stolen tile: from 500 of 1000 ns, 400 ns long, on 900 pixels after 64.
  EXPECT_NE(svg.find("stroke=\"#009e73\" stroke-width=\"22.08\" d=\"M514 114h360\""),
            std::string::npos)
      << svg;
}

}  // namespace
}  // namespace tendril::draw
