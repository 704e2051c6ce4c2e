#include "tendril/host/team.hpp"

#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace tendril::detail {

namespace {

/// Spins a helper makes before it sleeps: some 50 us, longer than the gap between two levels.
constexpr int spins_before_sleep = 2000;
/// Spins of the caller before it lets others run: a helper in mid-chunk may have lost its core.
constexpr int spins_before_yield = 2000;

void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

std::uint32_t team::work() noexcept {
  std::uint32_t finished = 0;
  std::uint32_t left = claimable_.load(std::memory_order_relaxed);
  while (left != 0 && left != dismissed) {
    if (claimable_.compare_exchange_weak(left, left - 1, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
      function_(context_, num_chunks_ - left);
      ++finished;
      left = claimable_.load(std::memory_order_relaxed);
    }
  }
  return finished;
}

void team::run(std::uint32_t num_chunks, const void* context, chunk_function function) noexcept {
  num_chunks_ = num_chunks;
  context_ = context;
  function_ = function;
  unfinished_.store(num_chunks, std::memory_order_relaxed);
  claimable_.store(num_chunks, std::memory_order_seq_cst);
  claimable_.notify_all();
  const std::uint32_t finished = work();
  unfinished_.fetch_sub(finished, std::memory_order_relaxed);
  for (int spins = 0; unfinished_.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < spins_before_yield) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
}

void team::help() noexcept {
  for (;;) {
    int spins = 0;
    std::uint32_t left = claimable_.load(std::memory_order_relaxed);
    while (left == 0) {
      if (++spins < spins_before_sleep) {
        relax();
      } else {
        claimable_.wait(0, std::memory_order_relaxed);
      }
      left = claimable_.load(std::memory_order_relaxed);
    }
    if (left == dismissed) {
      return;
    }
    unfinished_.fetch_sub(work(), std::memory_order_release);
  }
}

void team::dismiss() noexcept {
  claimable_.store(dismissed, std::memory_order_seq_cst);
  claimable_.notify_all();
}

}  // namespace tendril::detail
