#include <algorithm>

#include "tendril/schedule/host_recorder.hpp"

namespace tendril::schedule::detail {

launch_record host_recorder::finish(const any_way& way, std::uint64_t num_tiles) {
  launch_record result;
  result.name = describe(way);
  for (const std::vector<interval>& log : logs_) {
    result.timeline.insert(result.timeline.end(), log.begin(), log.end());
  }
  std::sort(result.timeline.begin(), result.timeline.end(),
            [](const interval& a, const interval& b) { return a.begin_ns < b.begin_ns; });
  result.counts.units = num_tiles;
  for (const interval& entry : result.timeline) {
    result.counts.prologues += entry.what == doing::prologue ? 1 : 0;
    result.counts.started += entry.what == doing::own_tile ? 1 : 0;
    result.counts.stolen += entry.what == doing::stolen_tile ? 1 : 0;
  }
  result.counts.cancelled = result.counts.stolen;
  return result;
}

}  // namespace tendril::schedule::detail
