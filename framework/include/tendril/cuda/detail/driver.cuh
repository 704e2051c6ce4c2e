#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "tendril/cuda/detail/small_launch.cuh"
#include "tendril/cuda/detail/stepped.cuh"

// Host side of a traversal: launches, waits, takes the log over.

namespace tendril::cuda {

/// How a traversal ended.
[[nodiscard]] inline ending ending_of(traversal_status status) {
  switch (status) {
    case traversal_status::stopped:
      return ending::stopped_by_visitor;
    case traversal_status::depth_limit:
      return ending::depth_limit;
    case traversal_status::running:
    case traversal_status::exhausted:
      break;
  }
  return ending::exhausted;
}

/// Waits for kernels that keep a log, and takes it over.
/// @param parity  of the cursor that the last of them left
template <class Job>
[[nodiscard]] traversal_state read_back(const engine_context& context, const Job& job,
                                        std::uint32_t parity, traverse_report& report) {
  constexpr std::size_t head_records =
      (engine_context::status_bytes - state_bytes) / sizeof(level_record);
  constexpr std::size_t head_bytes = state_bytes + head_records * sizeof(level_record);
  TENDRIL_CUDA_CHECK(cudaMemcpyAsync(context.status(), job.state, head_bytes,
                                     cudaMemcpyDeviceToHost, context.stream()));
  context.synchronize();
  traversal_state state;
  std::memcpy(&state, context.status(), sizeof state);
  std::vector<level_record> records(state.cursors[parity].num_logged);
  std::memcpy(records.data(), context.status() + state_bytes,
              std::min(records.size(), head_records) * sizeof(level_record));
  if (records.size() > head_records) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(records.data() + head_records, job.log + head_records,
                                       (records.size() - head_records) * sizeof(level_record),
                                       cudaMemcpyDeviceToHost, context.stream()));
    context.synchronize();
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::uint64_t end_ns = i + 1 < records.size() ? records[i + 1].start_ns : state.end_ns;
    report.levels.push_back({static_cast<std::int32_t>(report.levels.size()), records[i].way,
                             records[i].frontier, records[i].edges,
                             static_cast<double>(end_ns - records[i].start_ns) * 1e-6});
  }
  return state;
}

/// Runs a job: resident in one cooperative kernel, or stepped by the host; in the small kernel as
/// long as that is possible.
template <class Position, class Job, class Visitor>
class driver {
 public:
  driver(engine_context& context, const Job& job, const Visitor& visitor,
         const traverse_options& options)
      : context_(context), job_(job), visitor_(visitor), options_(options) {
    job_.resident_blocks = resident_blocks<Job>(context_, kernel_);
  }

  /// Loads the kernel: see load_kernel.
  static void load() { load_kernel(traverse_kernel<Position, Job, Visitor>); }

  /// Launches the resident grid that run() then waits for, without the events that device_ms()
  /// reads: where many threads call CUDA, recording one takes half as long as the launch.
  /// @pre the context's last driver is resident. @sync none
  void begin() { launch_resident({true, true, 0}); }

  /// @param small      begins the traversal if it can, until it hands over
  /// @param has_begun  begin() was called, and there is no small kernel
  template <class Small>
  void run(const Small& small, traverse_report& report, bool has_begun = false) {
    const bool is_resident = context_.last_driver().used == cuda_driver::resident;
    kernel_entry entry{true, true, 0};
    bool is_small = small.is_possible();
    traversal_cursor cursor{};
    const bool is_timed = !has_begun;
    if (is_timed) {
      context_.begun().record(context_.stream());
    }
    do {
      if (is_small) {
        small.launch(job_, visitor_, entry);
        entry = {false, false, entry.parity ^ 1U};
      }
      if (is_resident) {
        // Where the small kernel left off, with no look in between: nothing is left for most graphs
        // that it suits.
        if (!std::exchange(has_begun, false)) {
          launch_resident(entry);
        }
        entry = {false, true, entry.parity ^ 1U};
      } else if (!is_small) {
        break;
      }
      entry.drained = true;
      if (is_timed) {
        context_.ended().record(context_.stream());
      }
      const traversal_state state = read_back(context_, job_, entry.parity, report);
      cursor = state.cursors[entry.parity];
      is_small = is_small && cursor.pauses && !cursor.in_bitmap &&
                 job_.counts.vertices(state.totals[total_of(cursor.level)]) <= small_entry_limit;
    } while (cursor.status == traversal_status::running && (is_resident || is_small));
    if (cursor.status == traversal_status::running) {
      stepped_driver(context_, job_, visitor_, options_, [this](const step_launch& step) {
        launch_step(step);
      }).run(cursor, report);
      context_.ended().record(context_.stream());
      context_.synchronize();  // the last news came before its grid ended
    }
    report.entered = cursor.entered;
    report.end = ending_of(cursor.status);
  }

 private:
  void launch_resident(const kernel_entry& entry) {
    kernel_role role{true, entry, {{}, schedule::device::supply_of({}, 1, 1, {}), nullptr, 0}};
    void* arguments[] = {&job_, &visitor_, &role};
    TENDRIL_CUDA_CHECK(cudaLaunchCooperativeKernel(kernel_, dim3(job_.resident_blocks),
                                                   dim3(Job::shape::threads), arguments, 0,
                                                   context_.stream()));
  }

  void launch_step(const step_launch& step) {
    kernel_role role{false, {}, step};
    void* arguments[] = {&job_, &visitor_, &role};
    launch_tiles<Job>(kernel_, step.supply, arguments, context_.stream());
  }

  using kernel = void (*)(Job, Visitor, kernel_role);

  engine_context& context_;
  Job job_;
  Visitor visitor_;
  const traverse_options& options_;
  const kernel kernel_ = traverse_kernel<Position, Job, Visitor>;
};

}  // namespace tendril::cuda
