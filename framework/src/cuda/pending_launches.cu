#include "tendril/cuda/pending_launches.hpp"

#include <cuda_runtime_api.h>

#include "tendril/cuda/check.hpp"

namespace tendril::cuda {

std::size_t pending_launches() {
  std::size_t count = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetLimit(&count, cudaLimitDevRuntimePendingLaunchCount));
  return count;
}

void set_pending_launches(std::size_t count) {
  TENDRIL_CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, count));
}

}  // namespace tendril::cuda
