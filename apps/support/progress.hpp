#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

namespace tendril::app {

/// A line on a terminal that says how far a long step is: `read road.gr  42 %  [####      ]  3 s
/// left`. It appears once the step has taken longer than `delay` and is wiped by the destructor.
class progress_line {
 public:
  /// @param out  borrowed; nothing else writes to it meanwhile
  progress_line(std::string label, std::ostream& out,
                std::chrono::milliseconds delay = std::chrono::seconds(1));
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  ~progress_line();

  /// Any thread. Without a call, or once all is done, the line shows the time that has passed.
  void update(std::uint64_t done, std::uint64_t total) noexcept {
    total_.store(total, std::memory_order_relaxed);
    done_.store(done, std::memory_order_relaxed);
  }

 private:
  using clock = std::chrono::steady_clock;
  void draw_until_stopped(std::chrono::milliseconds delay);
  void draw() const;

  std::string label_;
  std::ostream& out_;
  clock::time_point begin_ = clock::now();
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> total_ = 0;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;
  std::thread painter_;
};

/// True if standard error is a terminal that somebody may be looking at.
[[nodiscard]] bool shows_progress(bool quiet);

}  // namespace tendril::app
