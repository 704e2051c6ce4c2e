#include "tendril/schedule/record.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tendril::schedule {

std::uint64_t launch_counts::refusals() const noexcept {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0});
}

std::uint64_t launch_record::length_ns() const noexcept {
  if (timeline.empty()) {
    return 0;
  }
  std::uint64_t end = 0;
  for (const interval& entry : timeline) {
    end = std::max(end, entry.end_ns);
  }
  return end - timeline.front().begin_ns;
}

double launch_record::mean_tail_ns() const {
  std::unordered_map<std::uint32_t, std::uint64_t> last;
  std::uint64_t end = 0;
  for (const interval& entry : timeline) {
    std::uint64_t& of_processor = last[entry.processor];
    of_processor = std::max(of_processor, entry.end_ns);
    end = std::max(end, entry.end_ns);
  }
  double idle = 0;
  for (const auto& [processor, stopped] : last) {
    idle += static_cast<double>(end - stopped);
  }
  return last.empty() ? 0 : idle / static_cast<double>(last.size());
}

}  // namespace tendril::schedule
