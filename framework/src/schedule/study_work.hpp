#pragma once

#include <cstdint>

#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"
#include "tendril/schedule/tiles.hpp"

// The prologue and the body of a study.

namespace tendril::schedule::detail {

/// Xorshift: each round waits for the one before. @pre value != 0
TENDRIL_HD inline std::uint32_t spin(std::uint32_t value, std::uint32_t steps) {
  for (std::uint32_t i = 0; i < steps; ++i) {
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
  }
  return value;
}

/// 0 on the CPU, where a task is one thread.
TENDRIL_HD inline std::uint32_t thread_in_block() {
#if defined(__CUDA_ARCH__)
  return threadIdx.x;
#else
  return 0;
#endif
}

struct spin_prologue {
  static constexpr std::uint32_t seed = 0x9e3779b9u;
  std::uint32_t steps;

  TENDRIL_HD std::uint32_t operator()() const { return spin(seed, steps); }
};

struct spin_body {
  const std::uint32_t* costs;  // [num_tiles], steps
  std::uint32_t* results;      // [num_tiles * threads]
  std::uint32_t* times_run;    // [num_tiles]
  std::uint32_t threads;       // per block
  std::uint32_t scale;         // multiplies the costs

  TENDRIL_HD static std::uint32_t result(std::uint32_t factor, std::uint32_t tile,
                                         std::uint32_t thread, std::uint32_t steps) {
    return spin((factor ^ (tile * 2654435761u) ^ (thread * 40503u)) | 1u, steps);
  }
  TENDRIL_HD void operator()(tile t, std::uint32_t factor) const {
    const std::uint32_t thread = thread_in_block();
    results[static_cast<std::uint64_t>(t.index) * threads + thread] =
        result(factor, t.index, thread, costs[t.index] * scale);
    if (thread == 0) {
      add(times_run[t.index], 1);
    }
  }
};

}  // namespace tendril::schedule::detail
