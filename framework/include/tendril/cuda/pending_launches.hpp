#pragma once

#include <cstddef>

namespace tendril::cuda {

/// Most launches made on the current device that may wait to start: child grids and tail launches
/// of all kernels together (2048 unless it was set). One more is refused with
/// cudaErrorLaunchPendingCountExceeded, in the launching thread, and its work is the launcher's to
/// continue.
[[nodiscard]] std::size_t pending_launches();

/// Sets it for the current device. A larger pool takes more device memory, and launches through it
/// are slower.
/// @pre  no kernel that launches is running
/// @sync may wait for the device
void set_pending_launches(std::size_t count);

}  // namespace tendril::cuda
