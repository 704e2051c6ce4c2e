#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tendril {

/// A GPU and what tendril may use on it.
struct cuda_device {
  int id = 0;                    ///< of the CUDA runtime
  std::string name;              ///< as the driver gives it
  int compute_capability = 0;    ///< 10 x major + minor: 90 for an H200
  int num_multiprocessors = 0;   ///< of the whole device
  std::size_t memory_bytes = 0;  ///< in all
  std::size_t free_bytes = 0;    ///< when it was looked at
  std::size_t shared_bytes = 0;  ///< most that a block can have
  bool cooperative = false;      ///< a grid can wait for all its blocks
  bool clusters = false;         ///< blocks can share their memory
  bool launch_control = false;   ///< a block can cancel another in hardware (10.0 and later)
  bool child_grids = false;      ///< a kernel can launch
};

/// A GPU that tendril cannot use.
struct unusable_cuda_device {
  int id = 0;          ///< of the CUDA runtime
  std::string reason;  ///< one line: "Ampere has compute capability 80, needed 90"
};

/// GPUs of this machine, or why there is none.
struct cuda_devices {
  std::vector<cuda_device> usable;  ///< by number
  /// Empty if `usable` is not: one line that names the CUDA error, or each device and what it
  /// lacks.
  std::string reason;
  std::vector<unusable_cuda_device> unusable = {};  ///< by number
};

/// Looks for GPUs. Never throws because there is none: no driver, one that is too old, a stub
/// library or hidden devices are reasons.
/// @cost a CUDA context on each device
[[nodiscard]] cuda_devices find_cuda_devices();

/// The device of that number, or with none the one with most multiprocessors. Does not make it
/// current.
/// @throws resource_error with the reason when it is not there or not usable
[[nodiscard]] cuda_device choose_cuda_device(std::optional<int> id = {});

}  // namespace tendril
