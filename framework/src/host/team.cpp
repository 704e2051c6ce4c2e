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

std::uint32_t team::work_on(share& part, std::uint32_t thread) noexcept {
  std::uint32_t finished = 0;
  std::uint32_t left = part.unclaimed.load(std::memory_order_relaxed);
  while (left != 0) {
    if (part.unclaimed.compare_exchange_weak(left, left - 1, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
      claimable_.fetch_sub(1, std::memory_order_relaxed);
      function_(context_, part.end - left, thread);
      ++finished;
      left = part.unclaimed.load(std::memory_order_relaxed);
    }
  }
  return finished;
}

std::uint32_t team::work(std::uint32_t thread) noexcept {
  std::uint32_t finished = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    finished += work_on(shares_[(thread + i) % shares_.size()], thread);
  }
  return finished;
}

void team::run(std::uint32_t num_chunks, const void* context, chunk_function function) noexcept {
  context_ = context;
  function_ = function;
  unfinished_.store(num_chunks, std::memory_order_relaxed);
  claimable_.store(num_chunks, std::memory_order_seq_cst);
  const auto num_shares = static_cast<std::uint32_t>(shares_.size());
  std::uint32_t begin = 0;
  for (std::uint32_t i = 0; i < num_shares; ++i) {
    share& part = shares_[i];
    part.end = static_cast<std::uint32_t>(std::uint64_t{num_chunks} * (i + 1) / num_shares);
    part.unclaimed.store(part.end - begin, std::memory_order_release);
    begin = part.end;
  }
  claimable_.notify_all();
  const std::uint32_t finished = work(0);
  unfinished_.fetch_sub(finished, std::memory_order_relaxed);
  for (int spins = 0; unfinished_.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < spins_before_yield) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
}

void team::help(std::uint32_t thread) noexcept {
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
    unfinished_.fetch_sub(work(thread), std::memory_order_release);
  }
}

void team::dismiss() noexcept {
  claimable_.store(dismissed, std::memory_order_seq_cst);
  claimable_.notify_all();
}

}  // namespace tendril::detail
