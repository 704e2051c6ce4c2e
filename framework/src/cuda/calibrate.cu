#include "cuda/calibrate.hpp"

#include <cooperative_groups.h>

#include <algorithm>
#include <chrono>

#include "tendril/cuda/memory.hpp"

// Drivers run the same code in a level; what tells them apart is how long it takes to get to the
// next one. The shape is that of the traversal kernels: 2 blocks of 512 threads per multiprocessor.

namespace tendril::cuda {

namespace {

constexpr int threads = 512;
constexpr int num_levels = 32;
constexpr int num_runs = 3;  // the first one loads the kernel

__global__ void empty_levels(int levels) {
  for (int i = 0; i < levels; ++i) {
    cooperative_groups::this_grid().sync();
  }
}

__global__ void empty_step(std::uint32_t* state) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *state = 0;
  }
}

dim3 blocks_of(int device) {
  int processors = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  return dim3(static_cast<unsigned>(2 * processors));
}

}  // namespace

double microseconds_per_barrier(int device) {
  const stream on;
  const event begun;
  const event ended;
  const dim3 blocks = blocks_of(device);
  int levels = num_levels;
  void* arguments[] = {&levels};
  float least_ms = 0;
  for (int run = 0; run < num_runs; ++run) {
    begun.record(on.get());
    TENDRIL_CUDA_CHECK(
        cudaLaunchCooperativeKernel(empty_levels, blocks, dim3(threads), arguments, 0, on.get()));
    ended.record(on.get());
    const float ms = elapsed_ms(begun, ended);
    least_ms = run == 0 ? ms : std::min(least_ms, ms);
  }
  return 1000 * double{least_ms} / num_levels;
}

double microseconds_per_step(int device) {
  using clock = std::chrono::steady_clock;
  const stream on;
  const device_buffer<std::uint32_t> state(1, on.get());
  const pinned_buffer<std::uint32_t> seen(1);
  const dim3 blocks = blocks_of(device);
  double least_us = 0;
  for (int run = 0; run < num_runs; ++run) {
    const clock::time_point begun = clock::now();
    for (int level = 0; level < num_levels; ++level) {
      empty_step<<<blocks, threads, 0, on.get()>>>(state.data());
      TENDRIL_CUDA_CHECK_LAUNCH();
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(seen.data(), state.data(), sizeof(std::uint32_t),
                                         cudaMemcpyDeviceToHost, on.get()));
      on.synchronize();
    }
    const std::chrono::duration<double, std::micro> passed = clock::now() - begun;
    least_us = run == 0 ? passed.count() : std::min(least_us, passed.count());
  }
  return least_us / num_levels;
}

}  // namespace tendril::cuda
