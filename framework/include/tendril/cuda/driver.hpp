#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Needs no CUDA: a program built without it knows the drivers' names, too.

namespace tendril {

/// Who moves a traversal from one level to the next (levels on the GPU).
enum class cuda_driver : std::uint8_t {
  automatic,  ///< the one that gets to the next level soonest, measured once per device
  resident,   ///< one cooperative kernel runs all levels; small frontiers stay in one cluster
  stepped,    ///< the host launches a grid for each step, of as many blocks as it has tiles
  chained     ///< each step launches the next, from the device; needs dynamic_cuda_engine
};
/// "auto", "resident", "stepped", "chained".
[[nodiscard]] std::string_view to_string(cuda_driver driver) noexcept;

/// What moved a traversal from one level to the next.
struct driver_choice {
  cuda_driver used = cuda_driver::automatic;  ///< automatic: nothing was run yet
  std::string reason;    ///< why it was picked, or is not what was asked; empty: it is
  std::string schedule;  ///< who ran which tile; empty where a grid was resident
  std::string form;      ///< of launch control: "hardware" or "software"; else empty
};

}  // namespace tendril
