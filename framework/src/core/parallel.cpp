#include "core/parallel.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace tendril::parallel {

namespace {
using range = tbb::blocked_range<std::size_t>;
}  // namespace

void for_ranges(std::size_t size, function_ref<void(std::size_t, std::size_t)> body) {
  tbb::parallel_for(range(0, size), [&](const range& part) { body(part.begin(), part.end()); });
}

std::uint64_t lowest(std::size_t size, function_ref<std::uint64_t(std::size_t, std::size_t)> find) {
  return tbb::parallel_reduce(
      range(0, size), nowhere,
      [&](const range& part, std::uint64_t found) {
        return std::min(found, found < part.begin() ? nowhere : find(part.begin(), part.end()));
      },
      [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
}

void pipeline(std::size_t num_slots, function_ref<bool(std::size_t)> take,
              function_ref<void(std::size_t)> work, function_ref<void(std::size_t)> finish) {
  std::size_t next = 0;
  const auto first = [&](tbb::flow_control& control) {
    const std::size_t slot = next;
    if (!take(slot)) {
      control.stop();
    }
    next = slot + 1 == num_slots ? 0 : slot + 1;
    return slot;
  };
  const auto middle = [&](std::size_t slot) {
    work(slot);
    return slot;
  };
  const auto last = [&](std::size_t slot) { finish(slot); };
  using mode = tbb::filter_mode;
  tbb::parallel_pipeline(num_slots,
                         tbb::make_filter<void, std::size_t>(mode::serial_in_order, first) &
                             tbb::make_filter<std::size_t, std::size_t>(mode::parallel, middle) &
                             tbb::make_filter<std::size_t, void>(mode::serial_in_order, last));
}

std::size_t max_threads() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

std::size_t this_thread() {
  return static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
}

}  // namespace tendril::parallel
