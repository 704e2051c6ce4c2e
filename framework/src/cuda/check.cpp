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
      throw resource_error(what);
    default:
      throw cuda_error(code, what);
  }
}

void* allocate(std::size_t bytes, cudaStream_t stream) {
  void* pointer = nullptr;
  const cudaError_t code = cudaMallocAsync(&pointer, bytes, stream);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    TENDRIL_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    throw resource_error("GPU memory: needed " + std::to_string(bytes) + " bytes, free " +
                         std::to_string(free_bytes) + " of " + std::to_string(total_bytes));
  }
  TENDRIL_CUDA_CHECK(code);
  return pointer;
}

float elapsed_ms(const event& from, const event& to) {
  to.synchronize();
  float ms = 0;
  TENDRIL_CUDA_CHECK(cudaEventElapsedTime(&ms, from.get(), to.get()));
  return ms;
}

}  // namespace tendril::cuda
