#include "support/common_options.hpp"

#include <algorithm>

#include <tbb/task_arena.h>

namespace tendril::app {

tbb::global_control limit_threads(const common_options& common) {
  const int threads = common.threads > 0 ? common.threads : tbb::this_task_arena::max_concurrency();
  return {tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)};
}

int limited_threads() {
  const auto limit =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min(static_cast<int>(limit), tbb::this_task_arena::max_concurrency());
}

}  // namespace tendril::app
