#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "tendril/schedule/record.hpp"
#include "tendril/schedule/ways.hpp"

namespace tendril::schedule::detail {

/// Records nothing; compiles to nothing.
struct no_host_recorder {
  struct task_log {
    void prologue_done() const {}
    void tile_done(std::uint32_t /*index*/, bool /*stolen*/) const {}
  };
  [[nodiscard]] task_log task(std::uint32_t /*first*/) const { return {}; }
};

/// Collects intervals per thread without locks.
class host_recorder {
 public:
  class task_log {
   public:
    task_log(std::vector<interval>& log, std::uint32_t first)
        : log_(&log), first_(first), processor_(current_slot()), last_ns_(now_ns()) {}
    void prologue_done() { add(first_, doing::prologue); }
    void tile_done(std::uint32_t index, bool stolen) {
      add(index, stolen ? doing::stolen_tile : doing::own_tile);
    }

   private:
    void add(std::uint32_t tile, doing what) {
      const std::uint64_t end = now_ns();
      log_->push_back({last_ns_, end, tile, first_, processor_, what});
      last_ns_ = end;
    }
    std::vector<interval>* log_;
    std::uint32_t first_;
    std::uint32_t processor_;
    std::uint64_t last_ns_;
  };

  [[nodiscard]] task_log task(std::uint32_t first) { return {logs_.local(), first}; }
  /// The record of everything since construction; call once, after the launch.
  [[nodiscard]] launch_record finish(const any_way& way, std::uint64_t num_tiles);

 private:
  static std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
  }
  static std::uint32_t current_slot() {
    const int slot = oneapi::tbb::this_task_arena::current_thread_index();
    return slot < 0 ? 0 : static_cast<std::uint32_t>(slot);
  }
  oneapi::tbb::enumerable_thread_specific<std::vector<interval>> logs_;
};

}  // namespace tendril::schedule::detail
