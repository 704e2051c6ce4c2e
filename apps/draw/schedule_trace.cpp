#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "draw/schedule_lanes.hpp"
#include "draw/schedule_pictures.hpp"

namespace tendril::draw {

namespace {

std::string_view name_of(schedule::doing what) {
  using schedule::doing;
  switch (what) {
    case doing::prologue:
      return "prologue";
    case doing::own_tile:
      return "own tile";
    case doing::stolen_tile:
      return "stolen tile";
  }
  return {};
}

std::string microseconds(std::uint64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(ns / 1000),
                static_cast<unsigned long long>(ns % 1000));
  return text;
}

void write_launch(std::ostream& out, const schedule::launch_record& launch, std::size_t process) {
  const lanes rows = pack_lanes(launch);
  out << R"({"ph":"M","name":"process_name","pid":)" << process << R"(,"args":{"name":)"
      << nlohmann::json(launch.name).dump() << "}}";
  for (std::uint32_t lane = 0; lane < rows.num_lanes(); ++lane) {
    out << ",\n"
        << R"({"ph":"M","name":"thread_name","pid":)" << process << R"(,"tid":)" << lane
        << R"(,"args":{"name":"processor )" << rows.processor[lane] << " lane " << rows.number[lane]
        << "\"}}";
  }
  const std::uint64_t start = launch.timeline.empty() ? 0 : launch.timeline.front().begin_ns;
  for (std::size_t i = 0; i < launch.timeline.size(); ++i) {
    const schedule::interval& entry = launch.timeline[i];
    out << ",\n"
        << R"({"ph":"X","name":")" << name_of(entry.what) << R"(","pid":)" << process
        << R"(,"tid":)" << rows.lane_of[i] << R"(,"ts":)" << microseconds(entry.begin_ns - start)
        << R"(,"dur":)" << microseconds(entry.end_ns - entry.begin_ns) << R"(,"args":{"tile":)"
        << entry.tile << R"(,"block":)" << entry.block << "}}";
  }
}

}  // namespace

std::string schedule_trace(std::span<const schedule::launch_record> launches) {
  std::ostringstream out;
  out << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n';
  for (std::size_t i = 0; i < launches.size(); ++i) {
    out << (i == 0 ? "" : ",\n");
    write_launch(out, launches[i], i);
  }
  out << "\n]}\n";
  return std::move(out).str();
}

}  // namespace tendril::draw
