#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "tendril/core/error.hpp"
#include "tendril/cuda/check.hpp"
#include "tendril/cuda/device.hpp"

// Settings of kernels before their first launch. Who sets up a kernel keeps its address for the
// launch: nvcc gives a kernel template an address in each object file, and the linker may take one
// member function from one file and the next from another.

namespace tendril::cuda {

/// Lets a kernel have so much dynamic shared memory: always the same for a kernel, since another
/// thread may be between this and its launch.
template <class Kernel>
void allow_shared_memory(Kernel kernel, std::size_t bytes) {
  TENDRIL_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          static_cast<int>(bytes)));
}

/// Loads a kernel, which CUDA otherwise does at its first launch: and that waits for all that runs.
template <class Kernel>
void load_kernel(Kernel kernel) {
  cudaFuncAttributes attributes;
  TENDRIL_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
}

/// Blocks of a kernel that are on the device together, of so many threads each.
/// @throw resource_error  not one fits
template <class Kernel>
[[nodiscard]] unsigned blocks_together(Kernel kernel, unsigned threads, const cuda_device& device) {
  int per_multiprocessor = 0;
  TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel,
                                                                   static_cast<int>(threads), 0));
  if (per_multiprocessor == 0) {
    throw resource_error("the traversal kernel does not fit on " + device.name);
  }
  return static_cast<unsigned>(per_multiprocessor * device.num_multiprocessors);
}

/// True if the device can run a kernel in clusters of so many blocks.
/// @pre  the kernel may have the shared memory
/// @post it may have clusters of more than 8 blocks
template <class Kernel>
[[nodiscard]] bool takes_cluster(Kernel kernel, unsigned blocks, unsigned threads,
                                 std::size_t shared_bytes) {
  TENDRIL_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t shape{};
  shape.gridDim = dim3(blocks);
  shape.blockDim = dim3(threads);
  shape.dynamicSmemBytes = shared_bytes;
  shape.attrs = &cluster;
  shape.numAttrs = 1;
  int fitting = 0;
  const bool is_known = cudaOccupancyMaxActiveClusters(&fitting, kernel, &shape) == cudaSuccess;
  if (!is_known) {
    cudaGetLastError();
  }
  return is_known && fitting > 0;
}

}  // namespace tendril::cuda
