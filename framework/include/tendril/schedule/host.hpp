#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "tendril/core/types.hpp"
#include "tendril/schedule/host_recorder.hpp"
#include "tendril/schedule/record.hpp"
#include "tendril/schedule/tiles.hpp"
#include "tendril/schedule/ways.hpp"

// The tile interface on threads. A task is what a block is on the GPU: it runs the prologue once
// and then a run of tiles. per_block: simple_partitioner, a tile each. fixed_grid:
// static_partitioner. ticket: a task per thread that draws tiles from a counter. launch_control and
// canceled_blocks: auto_partitioner, whose idle threads take halves of ranges that have not
// started; or affinity_partitioner when the place remembers one. Policies of launch_control that
// speak of requests and clusters mean nothing here.

namespace tendril::schedule {

/// Where tiles run on the CPU.
struct host_tasks {
  oneapi::tbb::task_arena* arena = nullptr;  ///< the calling thread's own when null
  /// Sends tiles to the threads that had them in the last launch of the same grid.
  oneapi::tbb::affinity_partitioner* affinity = nullptr;
};

namespace detail {

template <class Recorder, class Prologue, class Body>
void run_range(const tile_grid& tiles, std::uint32_t first, std::uint32_t last, bool steals,
               Recorder& recorder, const Prologue& prologue, const Body& body) {
  auto task = recorder.task(first);
  const auto shared = prologue();
  task.prologue_done();
  for (std::uint32_t i = first; i < last; ++i) {
    body(tiles.at(i), shared);
    task.tile_done(i, steals && i != first);
  }
}

template <class Recorder, class Prologue, class Body>
void run_tickets(const tile_grid& tiles, std::uint32_t size, Recorder& recorder,
                 const Prologue& prologue, const Body& body) {
  std::atomic<std::uint64_t> next{0};
  const int num_threads = oneapi::tbb::this_task_arena::max_concurrency();
  oneapi::tbb::parallel_for(
      0, num_threads,
      [&](int) {
        std::uint64_t i = next.fetch_add(1, std::memory_order_relaxed);
        if (i >= size) {
          return;
        }
        auto task = recorder.task(static_cast<std::uint32_t>(i));
        const auto shared = prologue();
        task.prologue_done();
        try {
          for (; i < size; i = next.fetch_add(1, std::memory_order_relaxed)) {
            const auto index = static_cast<std::uint32_t>(i);
            body(tiles.at(index), shared);
            task.tile_done(index, false);
          }
        } catch (...) {
          next.store(size, std::memory_order_relaxed);
          throw;
        }
      },
      oneapi::tbb::simple_partitioner());
}

template <class Recorder, class Prologue, class Body>
void run_on_host(const any_way& way, const tile_grid& tiles, Recorder& recorder,
                 const Prologue& prologue, const Body& body, const host_tasks& on) {
  static_assert(std::is_invocable_v<const Body&, tile, std::invoke_result_t<const Prologue&>>,
                "a body is called as body(tile, prologue()) and must be const");
  const auto size = static_cast<std::uint32_t>(tiles.size());
  const bool steals =
      std::holds_alternative<launch_control>(way) || std::holds_alternative<canceled_blocks>(way);
  const auto run = [&](const oneapi::tbb::blocked_range<std::uint32_t>& range) {
    run_range(tiles, range.begin(), range.end(), steals, recorder, prologue, body);
  };
  const oneapi::tbb::blocked_range<std::uint32_t> all(0, size);
  if (std::holds_alternative<per_block>(way)) {
    oneapi::tbb::parallel_for(all, run, oneapi::tbb::simple_partitioner());
  } else if (std::holds_alternative<fixed_grid>(way)) {
    oneapi::tbb::parallel_for(all, run, oneapi::tbb::static_partitioner());
  } else if (std::holds_alternative<ticket>(way)) {
    run_tickets(tiles, size, recorder, prologue, body);
  } else if (on.affinity != nullptr) {
    oneapi::tbb::parallel_for(all, run, *on.affinity);
  } else {
    oneapi::tbb::parallel_for(all, run, oneapi::tbb::auto_partitioner());
  }
}

template <class Recorder, class Prologue, class Body>
void launch_on_host(const any_way& way, const tile_grid& tiles, Recorder& recorder,
                    const Prologue& prologue, const Body& body, const host_tasks& on) {
  check_launch(way, tiles);
  if (tiles.size() == 0) {
    return;
  }
  const auto run = [&] { run_on_host(way, tiles, recorder, prologue, body, on); };
  if (on.arena != nullptr) {
    on.arena->execute(run);
  } else {
    run();
  }
}

}  // namespace detail

/// Runs body(tile, result) once for every tile of the grid, on threads; `result` is what the
/// prologue() of the task returned. An exception from either reaches the caller, and no further
/// task or ticket begins.
/// @param way       any way of ways.hpp
/// @param tiles     at most max_tiles; none: nothing happens
/// @param prologue  const callable without arguments; called by many threads at once
/// @param body      const callable (tile, prologue result); called by many threads at once
/// @param on        the threads
/// @throws usage_error for a policy out of range, resource_error for more than max_tiles tiles
/// @sync   waits until every tile is done
template <class Prologue, class Body>
void launch(const any_way& way, const tile_grid& tiles, const Prologue& prologue, const Body& body,
            const host_tasks& on) {
  detail::no_host_recorder nothing;
  detail::launch_on_host(way, tiles, nothing, prologue, body, on);
}

/// As launch, and says what ran where and when.
/// @cost a look at the clock and 32 bytes for each tile and prologue
template <class Prologue, class Body>
[[nodiscard]] launch_record record(const any_way& way, const tile_grid& tiles,
                                   const Prologue& prologue, const Body& body,
                                   const host_tasks& on) {
  detail::host_recorder recorder;
  detail::launch_on_host(way, tiles, recorder, prologue, body, on);
  return recorder.finish(way, tiles.size());
}

}  // namespace tendril::schedule
