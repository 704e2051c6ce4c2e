#pragma once

#include <cstdint>

#include "tendril/schedule/record.hpp"

// Recorders of the schedule kernels. Only the first thread of a block writes; the members are empty
// in no_recorder, so that an ordinary launch has none of this in its code.

namespace tendril::schedule::device {

/// launch_counts in device memory.
struct counters {
  unsigned long long started;                ///< units
  unsigned long long stolen;                 ///< units
  unsigned long long cancelled;              ///< units; software form
  unsigned long long prologues;              ///< blocks
  unsigned long long refused[num_refusals];  ///< requests, by refusal
  unsigned long long asked_after_refusal;    ///< requests
};

/// Records nothing; compiles to nothing.
struct no_recorder {
  static constexpr bool records = false;  ///< callers leave their part out, too
  /// @{
  /// As in recorder.
  __device__ void begin(std::uint32_t) {}
  __device__ void prologue_done() {}
  __device__ void tile_done(std::uint32_t, bool) {}
  __device__ void unit_started() const {}
  __device__ void unit_stolen() const {}
  __device__ void unit_cancelled() const {}
  __device__ void refused(refusal) const {}
  __device__ void asked(bool) const {}
  /// @}
};

/// Counts and times a launch.
struct recorder {
  static constexpr bool records = true;  ///< callers tell it of units and requests
  counters* totals;                      ///< one, zeroed
  interval* tiles;                       ///< [num_tiles], zeroed
  interval* prologues;                   ///< [blocks], zeroed

  /// A block begins: its prologue is timed from here. By every thread, as the next two.
  __device__ void begin(std::uint32_t block) {
    if (threadIdx.x == 0) {
      block_ = block;
      last_ns_ = now_ns();
    }
  }
  /// The prologue ends, and a tile begins.
  __device__ void prologue_done() {
    if (threadIdx.x == 0) {
      atomicAdd(&totals->prologues, 1ull);
      prologues[block_] = lap(block_, doing::prologue);
    }
  }
  /// A tile ends, and the next begins.
  __device__ void tile_done(std::uint32_t tile, bool stolen) {
    if (threadIdx.x == 0) {
      tiles[tile] = lap(tile, stolen ? doing::stolen_tile : doing::own_tile);
    }
  }
  __device__ void unit_started() const { atomicAdd(&totals->started, 1ull); }  ///< by one thread
  __device__ void unit_stolen() const { atomicAdd(&totals->stolen, 1ull); }    ///< by one thread
  /// By one thread of a unit that found itself stolen.
  __device__ void unit_cancelled() const { atomicAdd(&totals->cancelled, 1ull); }
  /// A request was refused. By one thread.
  __device__ void refused(refusal why) const {
    atomicAdd(&totals->refused[static_cast<int>(why)], 1ull);
  }
  /// A request is made. By one thread.
  __device__ void asked(bool has_seen_refusal) const {
    if (has_seen_refusal) {
      atomicAdd(&totals->asked_after_refusal, 1ull);
    }
  }

 private:
  __device__ static std::uint64_t now_ns() {
    std::uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
  }
  __device__ static std::uint32_t processor() {
    std::uint32_t sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    return sm;
  }
  __device__ interval lap(std::uint32_t tile, doing what) {
    const std::uint64_t begin_ns = last_ns_;
    last_ns_ = now_ns();
    return {begin_ns, last_ns_, tile, block_, processor(), what};
  }

  std::uint32_t block_ = 0;
  std::uint64_t last_ns_ = 0;
};

}  // namespace tendril::schedule::device
