#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

#include "lanes.hpp"
#include "tendril/schedule/record.hpp"

namespace tendril::schedule {

namespace {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

std::string_view name_of(doing what) {
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

void write_launch(std::ostream& out, const launch_record& launch, std::size_t process) {
  const detail::lanes lanes = detail::pack_lanes(launch);
  out << R"({"ph":"M","name":"process_name","pid":)" << process << R"(,"args":{"name":)"
      << json_text(launch.name) << "}}";
  for (std::uint32_t lane = 0; lane < lanes.num_lanes(); ++lane) {
    out << ",\n"
        << R"({"ph":"M","name":"thread_name","pid":)" << process << R"(,"tid":)" << lane
        << R"(,"args":{"name":"processor )" << lanes.processor[lane] << " lane "
        << lanes.number[lane] << "\"}}";
  }
  const std::uint64_t start = launch.timeline.empty() ? 0 : launch.timeline.front().begin_ns;
  for (std::size_t i = 0; i < launch.timeline.size(); ++i) {
    const interval& entry = launch.timeline[i];
    out << ",\n"
        << R"({"ph":"X","name":")" << name_of(entry.what) << R"(","pid":)" << process
        << R"(,"tid":)" << lanes.lane_of[i] << R"(,"ts":)" << microseconds(entry.begin_ns - start)
        << R"(,"dur":)" << microseconds(entry.end_ns - entry.begin_ns) << R"(,"args":{"tile":)"
        << entry.tile << R"(,"block":)" << entry.block << "}}";
  }
}

}  // namespace

void write_trace(std::ostream& out, std::span<const launch_record> launches) {
  out << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n';
  for (std::size_t i = 0; i < launches.size(); ++i) {
    out << (i == 0 ? "" : ",\n");
    write_launch(out, launches[i], i);
  }
  out << "\n]}\n";
}

}  // namespace tendril::schedule
