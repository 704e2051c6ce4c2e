#pragma once

#include <cuda_runtime_api.h>

// Every CUDA call of the library goes through TENDRIL_CUDA_CHECK, every launch that returns no code
// is followed by TENDRIL_CUDA_CHECK_LAUNCH().

/// Owners of GPU memory, streams and events, checks of CUDA calls, and parts of the GPU engine.
namespace tendril::cuda {

/// Reports a CUDA error, and clears the last one where that is possible.
/// @param code  other than cudaSuccess
/// @param call  the call as it was written
/// @param file  where it was made
/// @param line  in that file
/// @throws resource_error for lack of memory or of a usable device, cuda_error for anything else
[[noreturn]] void fail(cudaError_t code, const char* call, const char* file, int line);

/// Does nothing on success. @throws as fail does
inline void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code != cudaSuccess) {
    fail(code, call, file, line);
  }
}

}  // namespace tendril::cuda

#define TENDRIL_CUDA_CHECK(call) ::tendril::cuda::check((call), #call, __FILE__, __LINE__)
#define TENDRIL_CUDA_CHECK_LAUNCH() \
  ::tendril::cuda::check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)
