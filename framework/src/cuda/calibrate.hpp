#pragma once

namespace tendril::cuda {

// Microseconds from one level to the next where the levels have no work, on the current device.
// Both wait for small kernels on a stream of their own.

/// Of a resident grid. @pre the device has cooperative launch
[[nodiscard]] double microseconds_per_barrier(int device);
/// Of a grid for each level, and a look at what it left.
[[nodiscard]] double microseconds_per_step(int device);

}  // namespace tendril::cuda
