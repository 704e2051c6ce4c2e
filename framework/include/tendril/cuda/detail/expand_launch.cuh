#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "tendril/core/atomics.hpp"
#include "tendril/cuda/detail/expand_tree.cuh"

// Launches from the device, checked. One that the device runtime does not take is its work's
// affair: the caller hears of it and keeps the work.

namespace tendril::cuda {

/// @param taken   the counter of such launches
/// @param launch  makes the launch
/// @return false when it was refused: too many are pending or nested, or by the tests' switch
template <class Launch>
__device__ bool try_launch(expansion_state& state, std::uint64_t refuse_every, std::uint64_t& taken,
                           const Launch& launch) {
  const std::uint64_t attempt = tendril::add(state.num_attempts, 1) + 1;
  cudaError_t code = cudaErrorLaunchPendingCountExceeded;
  if (refuse_every == 0 || attempt % refuse_every != 0) {
    launch();
    code = cudaGetLastError();
  }
  switch (code) {
    case cudaSuccess:
      tendril::add(taken, 1);
      return true;
    case cudaErrorLaunchPendingCountExceeded:
    case cudaErrorLaunchMaxDepthExceeded:
    case cudaErrorLaunchOutOfResources:
      tendril::add(state.num_refused, 1);
      return false;
    default:
      store(state.error, static_cast<std::int32_t>(code));
      return false;
  }
}

}  // namespace tendril::cuda
