#include "tendril/host/engine.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <optional>
#include <string>

#include "tendril/core/error.hpp"

namespace tendril {

class host_engine::arena {
 public:
  explicit arena(int threads) : threads_(threads), arena_(threads) {
    // oneTBB makes no more workers than processors unless told so; a lower limit that the program
    // has set stays in force.
    if (threads > tbb::info::default_concurrency()) {
      limit_.emplace(tbb::global_control::max_allowed_parallelism,
                     static_cast<std::size_t>(threads));
    }
  }

  [[nodiscard]] int threads() const noexcept { return threads_; }
  [[nodiscard]] tbb::task_arena& get() noexcept { return arena_; }

 private:
  int threads_;
  std::optional<tbb::global_control> limit_;
  tbb::task_arena arena_;
};

host_engine::host_engine(const host_options& options) {
  if (options.threads < 0) {
    throw usage_error("threads must be 0 (all) or more, found " + std::to_string(options.threads));
  }
  arena_ = std::make_unique<arena>(options.threads == 0 ? tbb::info::default_concurrency()
                                                        : options.threads);
}

host_engine::~host_engine() = default;

int host_engine::threads() const noexcept {
  return arena_->threads();
}

void host_engine::run_erased(const void* context, void (*body)(const void*)) {
  arena_->get().execute([&] { body(context); });
}

void host_engine::run_team_erased(const void* context, void (*body)(const void*, detail::team&)) {
  arena_->get().execute([&] {
    detail::team threads(arena_->threads());
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
    for (int helper = 1; helper < arena_->threads(); ++helper) {
      helpers.run(
          [&threads, thread = static_cast<std::uint32_t>(helper)] { threads.help(thread); });
    }
    body(context, threads);
  });
}

}  // namespace tendril
