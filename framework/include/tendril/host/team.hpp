#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// Threads for work that comes in thousands of short steps, as the levels of a road network do: the
// price of a step is one store and a few reads, not a fork and a join.

namespace tendril::detail {

/// A caller and its helpers. The caller publishes a step as a number of chunks; whoever is awake
/// claims them one by one; the caller works too, so a step ends even where no helper ever comes (a
/// busy machine, a nested call, one thread). Helpers spin for a while, then sleep.
///
/// Each thread has a share of the chunks, the same part of every step, and claims from the shares
/// of others when its own is used up. A share counts the chunks that nobody has claimed: a claim
/// decrements it, and the step's description cannot change before every claimed chunk is finished.
/// So no generation number is needed: a helper that comes late claims from the step that is
/// current.
class team {
 public:
  /// @param num_threads  the caller and num_threads - 1 possible helpers
  explicit team(int num_threads)
      : num_threads_(num_threads), shares_(static_cast<std::size_t>(num_threads)) {}
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  [[nodiscard]] int num_threads() const noexcept { return num_threads_; }

  /// Calls body(chunk, thread) once for each chunk in 0 .. num_chunks - 1, and returns when all are
  /// done. What chunks wrote is visible to the caller, who is thread 0. Only the caller of the team
  /// may call it; body must not throw.
  template <class Body>
  void for_each_chunk(std::uint32_t num_chunks, const Body& body) {
    static_assert(std::is_invocable_v<const Body&, std::uint32_t, std::uint32_t>);
    if (num_threads_ == 1 || num_chunks <= 1) {
      for (std::uint32_t chunk = 0; chunk < num_chunks; ++chunk) {
        body(chunk, 0);
      }
      return;
    }
    run(num_chunks, &body,
        [](const void* context, std::uint32_t chunk, std::uint32_t thread) noexcept {
          (*static_cast<const Body*>(context))(chunk, thread);
        });
  }

  /// Body of helper 1 .. num_threads() - 1: works until dismiss().
  void help(std::uint32_t thread) noexcept;
  /// Sends the helpers home; they may still be on their way out when it returns.
  void dismiss() noexcept;

 private:
  using chunk_function = void (*)(const void* context, std::uint32_t chunk,
                                  std::uint32_t thread) noexcept;
  struct alignas(64) share {
    std::atomic<std::uint32_t> unclaimed{0};
    std::uint32_t end = 0;  ///< chunks end - unclaimed .. end - 1 are left
  };

  void run(std::uint32_t num_chunks, const void* context, chunk_function function) noexcept;
  /// Claims and runs chunks until none is left, those of its own share first; returns how many.
  std::uint32_t work(std::uint32_t thread) noexcept;
  std::uint32_t work_on(share& part, std::uint32_t thread) noexcept;

  static constexpr std::uint32_t dismissed = ~std::uint32_t{0};

  // One cache line: whether there is something to do, and what.
  alignas(64) std::atomic<std::uint32_t> claimable_{0};  ///< chunks that may be unclaimed yet
  const void* context_ = nullptr;
  chunk_function function_ = nullptr;
  int num_threads_;
  std::vector<share> shares_;
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
};

}  // namespace tendril::detail
