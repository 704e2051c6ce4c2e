#pragma once

#include <cstdint>
#include <vector>

#include "tendril/schedule/record.hpp"

namespace tendril::draw {

/// Several blocks of one processor overlap in time; a lane is a row on which nothing overlaps.
struct lanes {
  std::vector<std::uint32_t> lane_of;    ///< [timeline], 0 .. num_lanes - 1, by processor
  std::vector<std::uint32_t> processor;  ///< [num_lanes]
  std::vector<std::uint32_t> number;     ///< [num_lanes], 0, 1, ... within the processor

  [[nodiscard]] std::uint32_t num_lanes() const noexcept {
    return static_cast<std::uint32_t>(processor.size());
  }
};

/// Packs each block of a launch into the first lane of its processor that is free.
/// @pre launch.timeline is sorted by begin_ns
[[nodiscard]] lanes pack_lanes(const schedule::launch_record& launch);

}  // namespace tendril::draw
