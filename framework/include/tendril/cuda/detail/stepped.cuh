#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>

#include "tendril/cuda/detail/kernel_setup.hpp"
#include "tendril/cuda/detail/kernels.cuh"
#include "tendril/cuda/detail/profile_range.hpp"

// A traversal that the host steps: it looks at the counters before each level, so each step is a
// grid of exactly as many blocks as the step has tiles, or whatever the schedule makes of them.

namespace tendril::cuda {

/// Blocks of a kernel that are on the device together, or the share of them that a traversal takes.
template <class Job, class Kernel>
[[nodiscard]] unsigned resident_blocks(engine_context& context, Kernel kernel) {
  return context.asked_once(reinterpret_cast<const void*>(kernel), [&] {
    const unsigned all = blocks_together(kernel, Job::shape::threads, context.device());
    return std::max(all / context.tuning().resident_share, 1U);
  });
}

/// Memory that a schedule wants for a launch of that many tiles.
[[nodiscard]] inline schedule::launch_memory memory_for(engine_context& context,
                                                        std::uint32_t num_tiles) {
  switch (context.schedule().way) {
    case schedule::supply_way::per_block:
    case schedule::supply_way::fixed_grid:
      break;
    case schedule::supply_way::ticket:
      return context.schedules().begin_launch(0);
    case schedule::supply_way::launch_control:
      return context.schedules().begin_launch(num_tiles);
  }
  return {};
}

/// @param LaunchStep  called with a step_launch: launches the step's tiles
template <class Job, class Visitor, class LaunchStep>
class stepped_driver {
  static_assert(sizeof(level_news) <= engine_context::news_bytes);

 public:
  stepped_driver(engine_context& context, const Job& job, const Visitor& visitor,
                 const traverse_options& options, LaunchStep launch_step)
      : context_(context),
        job_(job),
        visitor_(visitor),
        options_(options),
        launch_step_(std::move(launch_step)) {}

  /// Goes on from the cursor, to the end. The report gets a record of each level.
  void run(traversal_cursor& cursor, traverse_report& report) {
    if (cursor.step != traversal_step::clear) {  // which would do it
      TENDRIL_CUDA_CHECK(cudaMemsetAsync(&job_.state->tiles_done, 0, sizeof job_.state->tiles_done,
                                         context_.stream()));
    }
    auto begun = std::chrono::steady_clock::now();
    for (bool in_level = false;; in_level = true) {
      const profile_range range("tendril: level");
      bool has_news = false;
      while (cursor.step != traversal_step::choose) {
        has_news = take_step(cursor);
      }
      const level_news news = has_news ? wait_for_news() : look();
      const auto now = std::chrono::steady_clock::now();
      if (in_level) {
        end_level(report.levels.back(), now - begun);
      }
      begun = now;
      begin_level(job_, visitor_, cursor, news.totals[total_of(cursor.level)], news.stop);
      if (cursor.step == traversal_step::choose) {
        return;
      }
      report.levels.push_back({static_cast<std::int32_t>(report.levels.size()), cursor.way,
                               cursor.frontier, cursor.frontier_edges, 0});
    }
  }

  /// Launches the cursor's step and moves the cursor on.
  /// @return the step ends a level, and its last tile will write the news
  bool take_step(traversal_cursor& cursor) {
    const std::uint32_t tiles = num_tiles(job_, cursor, context_.schedule().way);
    step_launch step{cursor,
                     schedule::device::supply_of(context_.schedule(), tiles, job_.resident_blocks,
                                                 memory_for(context_, tiles)),
                     nullptr, 0};
    move_on<Visitor>(cursor);
    const bool ends_level = cursor.step == traversal_step::choose;
    if (ends_level) {
      step.news = reinterpret_cast<level_news*>(context_.news());
      step.number = context_.next_look();
    }
    if (step.supply.control.memory.counters != nullptr) {  // they come from schedules()
      context_.schedules().guard_launch([&] { launch_step_(step); });
    } else {
      launch_step_(step);
    }
    return ends_level;
  }

 private:
  /// Waits for the last tile of a level, not for the end of its grid: half the time of that.
  [[nodiscard]] level_news wait_for_news() const {
    const auto* const news = reinterpret_cast<const volatile level_news*>(context_.news());
    context_.wait_for_look(news->number);
    level_news copy;
    std::memcpy(&copy, context_.news(), sizeof copy);
    return copy;
  }

  /// The same where no step was launched: another kernel left the level.
  [[nodiscard]] level_news look() const {
    traversal_state state;
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(context_.status(), job_.state, sizeof state,
                                       cudaMemcpyDeviceToHost, context_.stream()));
    context_.synchronize();
    std::memcpy(&state, context_.status(), sizeof state);
    return {{state.totals[0], state.totals[1], state.totals[2]}, 0, state.stop};
  }

  void end_level(level_report& level, std::chrono::steady_clock::duration passed) const {
    level.ms = std::chrono::duration<double, std::milli>(passed).count();
    if (options_.each_level) {
      options_.each_level(level);
    }
  }

  engine_context& context_;
  const Job& job_;
  const Visitor& visitor_;
  const traverse_options& options_;
  LaunchStep launch_step_;
};

/// Launches the tiles of a step.
/// @param arguments  addresses of the kernel's arguments
template <class Job, class Kernel>
void launch_tiles(Kernel kernel, const schedule::device::supply_arguments& supply, void** arguments,
                  cudaStream_t stream) {
  schedule::launch_blocks(
      {reinterpret_cast<const void*>(kernel), supply.num_blocks, Job::shape::threads, 0, 1},
      arguments, stream);
}

}  // namespace tendril::cuda
