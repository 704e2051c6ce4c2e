#include "tendril/cuda/dynamic_engine.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "tendril/cuda/detail/context.hpp"

namespace tendril {

namespace cuda {

namespace {

/// A link of a chain without work: launches the next, as long as it may.
__global__ void empty_link(int links_left, bool* is_refused) {
  if (links_left != 0 && blockIdx.x == 0 && threadIdx.x == 0) {
    empty_link<<<gridDim.x, blockDim.x, 0, cudaStreamTailLaunch>>>(links_left - 1, is_refused);
    *is_refused = cudaGetLastError() != cudaSuccess;
  }
}

double microseconds_per_link(int device) {
  constexpr int num_links = 32;
  constexpr int threads = 512;
  int processors = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  const stream on;
  const event begun;
  const event ended;
  const device_buffer<bool> is_refused(1, on.get());
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; ++run) {  // the first one loads the kernel
    begun.record(on.get());
    empty_link<<<static_cast<unsigned>(2 * processors), threads, 0, on.get()>>>(num_links,
                                                                                is_refused.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    ended.record(on.get());
    least = std::min(least, 1000 * double{elapsed_ms(begun, ended)} / num_links);
    bool refused = false;
    TENDRIL_CUDA_CHECK(cudaMemcpy(&refused, is_refused.data(), 1, cudaMemcpyDeviceToHost));
    if (refused) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return least;
}

}  // namespace

}  // namespace cuda

dynamic_cuda_engine::dynamic_cuda_engine(const cuda_options& options)
    : cuda_engine(std::make_shared<cuda::engine_context>(options, &cuda::microseconds_per_link)) {}

}  // namespace tendril
