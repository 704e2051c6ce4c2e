#pragma once

namespace tendril {

/// Hardware queues between this process and its GPUs: kernels of more streams than that wait for
/// each other, whatever their priorities. CUDA has 8 of them unless the environment variable
/// CUDA_DEVICE_MAX_CONNECTIONS said another number, 32 at most, when it was first called.
struct cuda_connections {
  int count = 8;  ///< hardware queues
  /// CUDA was called before tendril was, so that tendril could not ask for 32.
  bool is_late = false;
};

/// Asks for 32 where nobody has said a number and CUDA has not been called yet. The library calls
/// it before its own first call of CUDA; a program that calls CUDA itself calls it first of all.
/// @pre the first call: no other thread reads or writes the environment
cuda_connections connect_cuda();

}  // namespace tendril
