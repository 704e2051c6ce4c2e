#include "draw/schedule_lanes.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace tendril::draw {

namespace {

struct stretch {
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
  std::uint32_t processor;
  std::uint32_t block;
};

/// A block from its first begin to its last end.
std::vector<stretch> block_stretches(const schedule::launch_record& launch) {
  std::unordered_map<std::uint32_t, std::size_t> place;
  std::vector<stretch> blocks;
  for (const schedule::interval& entry : launch.timeline) {
    const auto [found, is_new] = place.try_emplace(entry.block, blocks.size());
    if (is_new) {
      blocks.push_back({entry.begin_ns, entry.end_ns, entry.processor, entry.block});
    } else {
      stretch& block = blocks[found->second];
      block.end_ns = std::max(block.end_ns, entry.end_ns);
    }
  }
  return blocks;
}

}  // namespace

lanes pack_lanes(const schedule::launch_record& launch) {
  std::map<std::uint32_t, std::vector<std::uint64_t>> free_from;  // processor -> end of each lane
  std::unordered_map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> seat;
  for (const stretch& block : block_stretches(launch)) {
    std::vector<std::uint64_t>& ends = free_from[block.processor];
    auto lane = std::find_if(ends.begin(), ends.end(),
                             [&](std::uint64_t end) { return end <= block.begin_ns; });
    if (lane == ends.end()) {
      lane = ends.insert(lane, 0);
    }
    *lane = block.end_ns;
    seat[block.block] = {block.processor, static_cast<std::uint32_t>(lane - ends.begin())};
  }

  lanes result;
  std::map<std::uint32_t, std::uint32_t> first_lane;
  for (const auto& [processor, ends] : free_from) {
    first_lane[processor] = result.num_lanes();
    for (std::uint32_t i = 0; i < ends.size(); ++i) {
      result.processor.push_back(processor);
      result.number.push_back(i);
    }
  }
  result.lane_of.reserve(launch.timeline.size());
  for (const schedule::interval& entry : launch.timeline) {
    const auto& [processor, number] = seat.at(entry.block);
    result.lane_of.push_back(first_lane.at(processor) + number);
  }
  return result;
}

}  // namespace tendril::draw
