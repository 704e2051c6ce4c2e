#pragma once

#include <atomic>
#include <cstdint>

#include "tendril/core/types.hpp"
#include "tendril/traverse/visitor.hpp"

// Visitors for tests of pools.

namespace tendril::test {

/// Where queries wait until the test lets them go on.
struct gate {
  std::atomic<int> arrived{0};
  std::atomic<bool> is_open{false};

  void open() {
    is_open = true;
    is_open.notify_all();
  }
  void wait_for(int count) const {
    for (int now = arrived; now < count; now = arrived) {
      arrived.wait(now);
    }
  }
};

/// Waits at a gate when it arrives.
struct held {
  using kind = first_visit;
  gate* at;
  void arrive(vertex_id /*v*/, std::int32_t /*level*/) const {
    ++at->arrived;
    at->arrived.notify_all();
    at->is_open.wait(false);
  }
};

/// Notes its number when it arrives at its source: who began when.
struct numbered {
  using kind = first_visit;
  int number;
  std::atomic<int>* count;
  int* log;  ///< [queries]
  void arrive(vertex_id /*v*/, std::int32_t level) const {
    if (level == 0) {
      log[(*count)++] = number;
    }
  }
};

}  // namespace tendril::test
