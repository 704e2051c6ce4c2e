#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// How much of what many streams hold a GPU runs at the same time: the yardstick of NVIDIA's sample
// simpleHyperQ, kernels of known length. Streams share a few hardware connections; kernels that
// queue behind each other on one do not overlap (CUDA C++ Programming Guide, Concurrent Kernel
// Execution). How many connections there are is fixed when a process first uses the GPU, by
// CUDA_DEVICE_MAX_CONNECTIONS.

namespace tendril {

/// In which order the work of streams is submitted.
enum class submission : std::uint8_t {
  depth_first,   ///< all of one stream, then all of the next
  breadth_first  ///< the first piece of each stream, then the second of each
};

/// The two pieces of work that each stream has; the second waits for the first.
enum class stream_work : std::uint8_t { two_kernels, copy_then_kernel };

/// What was measured of so many streams.
struct measured_overlap {
  double ms = 0;                   ///< first submission to the end of all, host clock, median
  std::size_t at_once = 0;         ///< most kernels that ran at one moment, by the GPU's clock
  std::uint64_t least_clocks = 0;  ///< of a kernel, counted by itself
};

/// Stretches of time, from the first number to the second.
using stretches = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// The most of them that have a moment in common; those that only touch have none.
[[nodiscard]] inline std::size_t most_at_once(const stretches& times) {
  std::vector<std::pair<std::uint64_t, int>> turns;  // ends before beginnings
  for (const auto& [begin, end] : times) {
    turns.emplace_back(begin, 1);
    turns.emplace_back(end, -1);
  }
  std::sort(turns.begin(), turns.end());
  std::size_t now = 0;
  std::size_t most = 0;
  for (const auto& [time, turn] : turns) {
    now = turn > 0 ? now + 1 : now - 1;
    most = std::max(most, now);
  }
  return most;
}

/// Kernels and copies of known length, on streams of their own.
class overlap_yardstick {
 public:
  /// @param device        none: the one with most multiprocessors
  /// @param most_streams  that measure() will be asked for
  /// @param kernel_ms     length of a kernel at the clock that the GPU names; a GPU that runs
  ///                      slower takes longer
  /// @throws resource_error saying why there is no GPU to use; cuda_error
  overlap_yardstick(std::optional<int> device, std::size_t most_streams, double kernel_ms);
  /// The other must not be used again.
  overlap_yardstick(overlap_yardstick&&) noexcept;
  overlap_yardstick& operator=(overlap_yardstick&&) = delete;
  ~overlap_yardstick();

  /// Name of the GPU.
  [[nodiscard]] const std::string& device_name() const noexcept;
  /// Clocks that each kernel is asked for.
  [[nodiscard]] std::uint64_t asked_clocks() const noexcept;
  /// Milliseconds of a kernel alone: median.
  [[nodiscard]] double kernel_ms() const noexcept;
  /// Milliseconds of a copy from page-locked memory alone: median.
  [[nodiscard]] double copy_ms() const noexcept;

  /// @pre 0 < num_streams <= most_streams, runs > 0
  /// @sync waits
  [[nodiscard]] measured_overlap measure(std::size_t num_streams, stream_work work,
                                         submission order, int runs);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace tendril
