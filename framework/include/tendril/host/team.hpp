#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Threads for work that comes in thousands of short steps, as the levels of a road network do: the
// price of a step is one store and a few reads, not a fork and a join.

namespace tendril::detail {

/// A caller and its helpers. The caller publishes a step as a number of chunks; whoever is awake
/// claims them one by one; the caller works too, so a step ends even where no helper ever comes (a
/// busy machine, a nested call, one thread). Helpers spin for a while, then sleep.
///
/// `claimable_` counts the chunks nobody has claimed: a claim decrements it, and the step's
/// description cannot change before every claimed chunk is finished. So no generation number is
/// needed: a helper that comes late claims from the step that is current.
class team {
 public:
  /// @param num_threads  the caller and num_threads - 1 possible helpers
  explicit team(int num_threads) : num_threads_(num_threads) {}
  team(const team&) = delete;
  team& operator=(const team&) = delete;

  [[nodiscard]] int num_threads() const noexcept { return num_threads_; }

  /// Calls body(chunk) once for each chunk in 0 .. num_chunks - 1, and returns when all are done.
  /// What chunks wrote is visible to the caller. Only the caller of the team may call it; body must
  /// not throw.
  template <class Body>
  void for_each_chunk(std::uint32_t num_chunks, const Body& body) {
    static_assert(std::is_invocable_v<const Body&, std::uint32_t>);
    if (num_threads_ == 1 || num_chunks <= 1) {
      for (std::uint32_t chunk = 0; chunk < num_chunks; ++chunk) {
        body(chunk);
      }
      return;
    }
    run(num_chunks, &body, [](const void* context, std::uint32_t chunk) noexcept {
      (*static_cast<const Body*>(context))(chunk);
    });
  }

  /// Body of a helper: works until dismiss().
  void help() noexcept;
  /// Sends the helpers home; they may still be on their way out when it returns.
  void dismiss() noexcept;

 private:
  using chunk_function = void (*)(const void* context, std::uint32_t chunk) noexcept;

  void run(std::uint32_t num_chunks, const void* context, chunk_function function) noexcept;
  /// Claims and runs chunks until none is left; returns how many it ran.
  std::uint32_t work() noexcept;

  static constexpr std::uint32_t dismissed = ~std::uint32_t{0};

  // One cache line: who claims a chunk reads what to do with it.
  alignas(64) std::atomic<std::uint32_t> claimable_{0};
  std::uint32_t num_chunks_ = 0;
  const void* context_ = nullptr;
  chunk_function function_ = nullptr;
  int num_threads_;
  alignas(64) std::atomic<std::uint32_t> unfinished_{0};
};

}  // namespace tendril::detail
