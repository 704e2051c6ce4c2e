#pragma once

#include <cuda_runtime_api.h>

// Every CUDA call of the library goes through TENDRIL_CUDA_CHECK, every launch is followed by
// TENDRIL_CUDA_CHECK_LAUNCH().

namespace tendril::cuda {

/// Throws resource_error for lack of memory or of a usable device, cuda_error for anything else,
/// and clears the last error where that is possible.
[[noreturn]] void fail(cudaError_t code, const char* call, const char* file, int line);

inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) {
    fail(code, call, file, line);
  }
}

}  // namespace tendril::cuda

#define TENDRIL_CUDA_CHECK(call) ::tendril::cuda::check((call), #call, __FILE__, __LINE__)
#define TENDRIL_CUDA_CHECK_LAUNCH() \
  ::tendril::cuda::check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
