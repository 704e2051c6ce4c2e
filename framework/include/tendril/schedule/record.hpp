#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tendril/schedule/protocol.hpp"

// What a recorded launch did: record() of host.hpp and launch.cuh. launch() records nothing and
// carries no code for it.

namespace tendril::schedule {

/// What a launch counted. A unit is a block, or a cluster of blocks.
struct launch_counts {
  std::uint64_t units = 0;    ///< launched; tiles where resident blocks or tasks run them
  std::uint64_t started = 0;  ///< units that were not stolen
  std::uint64_t stolen = 0;   ///< units that ran in another unit's place
  /// Units that found themselves stolen when they started. Hardware and threads never start a
  /// stolen unit: there it is `stolen`.
  std::uint64_t cancelled = 0;
  std::uint64_t prologues = 0;  ///< blocks, or tasks on the CPU, that ran a prologue
  std::array<std::uint64_t, num_refusals> refused{};  ///< by refusal
  /// Requests made by a unit that had seen a refusal; more than 0 is a bug.
  std::uint64_t asked_after_refusal = 0;

  /// Refused requests, whatever the reason.
  [[nodiscard]] std::uint64_t refusals() const noexcept;
};

/// What a block did from start to end.
enum class doing : std::uint32_t { prologue, own_tile, stolen_tile };

/// A stretch of time on one processor, by the clock of the engine.
struct interval {
  std::uint64_t begin_ns = 0;    ///< of the GPU's global timer, or a steady clock
  std::uint64_t end_ns = 0;      ///< by the same clock
  std::uint32_t tile = 0;        ///< index; of a prologue: the block's own tile
  std::uint32_t block = 0;       ///< block that ran it; on the CPU: task
  std::uint32_t processor = 0;   ///< SM, or thread slot
  doing what = doing::prologue;  ///< what it was spent on
};

/// A recorded launch.
struct launch_record {
  std::string name;                ///< the way, in words
  launch_counts counts;            ///< of the whole launch
  std::vector<interval> timeline;  ///< by begin_ns
  /// "software", "hardware", or empty where nothing is stolen.
  std::string form;

  /// Nanoseconds from the first begin to the last end.
  [[nodiscard]] std::uint64_t length_ns() const noexcept;
  /// Nanoseconds that a processor had nothing left to do while another still worked, on average.
  [[nodiscard]] double mean_tail_ns() const;
};

}  // namespace tendril::schedule
