#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "gpu/needs_gpu.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/workspace.hpp"

namespace tendril::schedule::testing {

/// A test of schedules on a GPU.
class gpu_test : public test::needs_gpu {
 protected:
  [[nodiscard]] static bool has_clusters() {
    int value = 0;
    TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
    return value != 0;
  }
};

}  // namespace tendril::schedule::testing
