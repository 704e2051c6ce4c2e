#include "tendril/cuda/check.hpp"

#include <string>

#include "tendril/core/error.hpp"
#include "tendril/cuda/memory.hpp"

namespace tendril::cuda {

void fail(cudaError_t code, const char* call, const char* file, int line) {
  cudaGetLastError();
  const std::string what = std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                           cudaGetErrorName(code) + " (" + std::to_string(code) +
                           "): " + cudaGetErrorString(code);
  switch (code) {
    case cudaErrorMemoryAllocation:
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorStubLibrary:
    case cudaErrorInitializationError:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorDevicesUnavailable:
      throw resource_error(what);
    default:
      throw cuda_error(code, what);
  }
}

float elapsed_ms(const event& from, const event& to) {
  to.synchronize();
  float ms = 0;
  TENDRIL_CUDA_CHECK(cudaEventElapsedTime(&ms, from.get(), to.get()));
  return ms;
}

}  // namespace tendril::cuda
