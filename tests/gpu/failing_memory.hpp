#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/cuda/options.hpp"

// Out of memory, at each allocation in turn.

namespace tendril::test {

/// Refuses the allocation of one number, and counts.
class failing_memory final : public cuda::memory_resource {
 public:
  failing_memory(std::shared_ptr<cuda::memory_resource> upstream, int fails)
      : upstream_(std::move(upstream)), fails_(fails) {}
  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    if (count_++ == fails_) {
      throw resource_error("refused by the test");
    }
    ++in_use_;
    return upstream_->allocate(bytes, stream);
  }
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override {
    --in_use_;
    upstream_->deallocate(pointer, bytes, stream);
  }
  std::size_t available_bytes() override { return upstream_->available_bytes(); }
  /// From now on.
  void fail_at(int number) { fails_ = number; }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int in_use() const { return in_use_; }

 private:
  std::shared_ptr<cuda::memory_resource> upstream_;
  int fails_;
  int count_ = 0;
  int in_use_ = 0;
};

/// Lets each allocation of `run` fail in turn: it ends with resource_error and nothing is left
/// allocated, until no allocation fails and it passes.
template <class Engine, class Run>
void expect_survives_failing_allocations(const Run& run, int least_allocations,
                                         cuda_driver driver = cuda_driver::automatic) {
  bool failed = true;
  int fails = 0;
  for (; failed && fails < 200; ++fails) {
    const auto memory = std::make_shared<failing_memory>(cuda::default_memory(), fails);
    try {
      cuda_options options;
      options.memory = memory;
      options.driver = driver;
      Engine engine(options);
      run(engine);
      failed = false;
    } catch (const resource_error&) {
      EXPECT_EQ(memory->count(), fails + 1);
    }
    EXPECT_EQ(memory->in_use(), 0) << "failed allocation " << fails;
  }
  EXPECT_FALSE(failed);
  EXPECT_GT(fails, least_allocations);
}

}  // namespace tendril::test
