#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "gpu/needs_gpu.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tree/point_battery.hpp"

// What tests share that compare a GPU's answers about trees with the host's.

namespace tendril::testing {

/// A fixture with both engines, that skips where there is no GPU.
class both_engines : public test::needs_gpu {
 protected:
  void SetUp() override {  // NOLINT(readability-identifier-naming)
    needs_gpu::SetUp();
    if (!IsSkipped()) {
      gpu_.emplace();
    }
  }

  [[nodiscard]] cuda_engine& gpu() { return *gpu_; }

  host_engine host;

 private:
  std::optional<cuda_engine> gpu_;
};

template <class T>
std::span<const T> span_of(const cuda_array<T>& values) {
  return {values.data(), values.size()};
}
template <class T>
std::span<const T> span_of(const std::vector<T>& values) {
  return values;
}

template <class T>
void expect_same_bits(const host_array<T>& host, const cuda_array<T>& device) {
  ASSERT_EQ(host.size(), device.size());
  const std::vector<T> copy = device.to_host();
  EXPECT_TRUE(copy.empty() || std::memcmp(host.data(), copy.data(), copy.size() * sizeof(T)) == 0);
}

/// The same points' tree on either side.
template <coordinate Real>
struct two_trees {
  two_trees(host_engine& host, cuda_engine& gpu, const points<Real>& set,
            const quadtree_options& options)
      : on_host(build_quadtree(host, set, options)), on_gpu(build_quadtree(gpu, set, options)) {}

  quadtree<Real> on_host;
  cuda_quadtree<Real> on_gpu;
};

}  // namespace tendril::testing
