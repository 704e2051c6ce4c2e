#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "gpu/needs_gpu.hpp"
#include "tendril/cuda/check.hpp"
#include "tendril/cuda/engine.hpp"

// What every GPU test needs: the skip where there is no GPU, and memory that hides nothing.

namespace tendril::test {

/// A test on a GPU.
class gpu : public needs_gpu {
 protected:
  /// Every launch was checked and left no error behind.
  void TearDown() override {  // NOLINT(readability-identifier-naming)
    if (!IsSkipped()) {
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    }
  }
};

/// Memory that is never zero when it is given out.
class poisoned_memory final : public cuda::memory_resource {
 public:
  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    void* const pointer = upstream_->allocate(bytes, stream);
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(pointer, 0xA5, bytes, stream));
    return pointer;
  }
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override {
    upstream_->deallocate(pointer, bytes, stream);
  }
  std::size_t available_bytes() override { return upstream_->available_bytes(); }

 private:
  std::shared_ptr<cuda::memory_resource> upstream_ = cuda::default_memory();
};

}  // namespace tendril::test
