#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/workspace.hpp"

namespace tendril::schedule::testing {

/// Skips, with the reason, where there is no GPU.
class gpu_test : public ::testing::Test {
 protected:
  void SetUp() override {  // NOLINT(readability-identifier-naming)
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
      cudaGetLastError();
      GTEST_SKIP() << "no GPU: " << cudaGetErrorString(code);
    }
  }

  [[nodiscard]] static bool has_clusters() {
    int value = 0;
    TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
    return value != 0;
  }
};

}  // namespace tendril::schedule::testing
