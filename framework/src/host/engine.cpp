#include "tendril/host/engine.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"

namespace tendril {

/// An arena for each run that is under way: helpers of a traversal stay in theirs, and tasks of one
/// run are not taken up by who waits in another.
class host_engine::arena_pool {
 public:
  explicit arena_pool(int threads) : threads_(threads) {
    // oneTBB makes no more workers than processors unless told so; a lower limit that the program
    // has set stays in force.
    if (threads > tbb::info::default_concurrency()) {
      limit_.emplace(tbb::global_control::max_allowed_parallelism,
                     static_cast<std::size_t>(threads));
    }
  }

  [[nodiscard]] int threads() const noexcept { return threads_; }

  /// Calls body() in an arena that is idle, the last one used if it can.
  template <class Body>
  void execute(const Body& body) {
    struct lease {
      arena_pool& home;
      std::unique_ptr<tbb::task_arena> arena = home.take();
      ~lease() { home.put_back(std::move(arena)); }
    } const mine{*this};
    mine.arena->execute(body);
  }

 private:
  [[nodiscard]] std::unique_ptr<tbb::task_arena> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
      idle_.reserve(idle_.capacity() + 1);  // so that put_back() never allocates
      return std::make_unique<tbb::task_arena>(threads_);
    }
    std::unique_ptr<tbb::task_arena> arena = std::move(idle_.back());
    idle_.pop_back();
    return arena;
  }
  void put_back(std::unique_ptr<tbb::task_arena> arena) noexcept {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(arena));
  }

  int threads_;
  std::optional<tbb::global_control> limit_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<tbb::task_arena>> idle_;
};

host_engine::host_engine(const host_options& options) {
  if (options.threads < 0) {
    throw usage_error("threads must be 0 (all) or more, found " + std::to_string(options.threads));
  }
  arenas_ = std::make_unique<arena_pool>(options.threads == 0 ? tbb::info::default_concurrency()
                                                              : options.threads);
}

host_engine::~host_engine() = default;

int host_engine::threads() const noexcept {
  return arenas_->threads();
}

void host_engine::run_erased(const void* context, void (*body)(const void*)) {
  arenas_->execute([&] { body(context); });
}

void host_engine::run_team_erased(const void* context, void (*body)(const void*, detail::team&)) {
  arenas_->execute([&] {
    detail::team threads(arenas_->threads());
    tbb::task_group helpers;
    // Whatever way this ends, nobody may look at the team after it is gone.
    struct farewell {
      detail::team& threads;
      tbb::task_group& helpers;
      ~farewell() {
        threads.dismiss();
        helpers.wait();
      }
    } const at_end{threads, helpers};
    for (int helper = 1; helper < arenas_->threads(); ++helper) {
      helpers.run(
          [&threads, thread = static_cast<std::uint32_t>(helper)] { threads.help(thread); });
    }
    body(context, threads);
  });
}

}  // namespace tendril
