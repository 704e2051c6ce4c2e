#pragma once

#include <gtest/gtest.h>

#include "tendril/cuda/device.hpp"

namespace tendril::test {

/// Skips a test, with the reason, where there is no GPU.
class needs_gpu : public testing::Test {
 protected:
  void SetUp() override {  // NOLINT(readability-identifier-naming)
    const cuda_devices found = find_cuda_devices();
    if (found.usable.empty()) {
      GTEST_SKIP() << found.reason;
    }
  }
};

}  // namespace tendril::test
