#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/kernels.cuh"
#include "tendril/cuda/detail/small_launch.cuh"

// Host side of a traversal: launches, waits, takes the log over.

namespace tendril::cuda {

/// Blocks of a kernel that are on the device together.
template <class Kernel>
[[nodiscard]] unsigned resident_blocks(const engine_context& context, Kernel kernel) {
  int per_multiprocessor = 0;
  TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_multiprocessor, kernel, static_cast<int>(kernel_shape::threads), 0));
  if (per_multiprocessor == 0) {
    throw resource_error("the traversal kernel does not fit on " + context.device().name);
  }
  return static_cast<unsigned>(per_multiprocessor * context.device().num_multiprocessors);
}

/// Runs a job: resident in one cooperative kernel, or step by step where the device has no
/// cooperative launch or the engine was told so.
template <class Position, class Job, class Visitor>
class driver {
 public:
  driver(engine_context& context, const Job& job, const Visitor& visitor,
         const traverse_options& options)
      : context_(context),
        job_(job),
        visitor_(visitor),
        options_(options),
        cooperative_(context.device().cooperative && context.driver() != cuda_driver::stepped) {}

  /// @param small  begins the traversal if it can, until it hands over
  template <class Small>
  void run(const Small& small, traverse_report& report) {
    context_.note_driver(choice());
    kernel_entry entry{true, true, cooperative_, 0};
    bool is_small = small.is_possible();
    traversal_cursor cursor{};
    context_.begun().record(context_.stream());
    while (cursor.status == traversal_status::running) {
      if (is_small) {
        small.launch(job_, visitor_, entry);
        TENDRIL_CUDA_CHECK_LAUNCH();
        entry = {false, false, cooperative_, entry.parity ^ 1U};
      }
      // Where the small kernel left off, with no look in between: nothing is left for most graphs
      // that it suits.
      entry = cooperative_ ? launch_resident(entry) : launch_steps(entry);
      context_.ended().record(context_.stream());
      const traversal_state state = read_back(entry, report);
      cursor = state.cursors[entry.parity];
      const auto frontier = static_cast<std::uint32_t>(
          state.totals[static_cast<std::uint32_t>(cursor.level) % 3] >> job_.counts.edge_bits);
      is_small = is_small && cursor.pauses && frontier <= small_entry_limit;
    }
    report.entered = cursor.entered;
    report.end = ending_of(cursor.status);
  }

 private:
  [[nodiscard]] driver_choice choice() const {
    if (cooperative_) {
      return {cuda_driver::resident, {}};
    }
    return {cuda_driver::stepped, context_.driver() == cuda_driver::stepped
                                      ? ""
                                      : context_.device().name + " has no cooperative launch"};
  }

  /// @return how the next launch enters
  kernel_entry launch_resident(kernel_entry entry) {
    auto* const kernel = traverse_kernel<Position, Job, Visitor>;
    const unsigned blocks = resident_blocks(context_, kernel);
    void* arguments[] = {&job_, &visitor_, &entry};
    TENDRIL_CUDA_CHECK(cudaLaunchCooperativeKernel(
        kernel, dim3(blocks), dim3(kernel_shape::threads), arguments, 0, context_.stream()));
    TENDRIL_CUDA_CHECK_LAUNCH();
    return {false, true, true, entry.parity ^ 1U};
  }

  kernel_entry launch_steps(kernel_entry entry) {
    constexpr int steps_per_look = 8;
    auto* const kernel = traverse_kernel<Position, Job, Visitor>;
    const unsigned blocks = resident_blocks(context_, kernel);
    for (int i = 0; i < steps_per_look; ++i) {
      kernel<<<blocks, kernel_shape::threads, 0, context_.stream()>>>(job_, visitor_, entry);
      TENDRIL_CUDA_CHECK_LAUNCH();
      entry = {false, false, false, entry.parity ^ 1U};
    }
    return {false, true, false, entry.parity};
  }

  [[nodiscard]] static ending ending_of(traversal_status status) {
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

  /// Waits, and takes the log over. @return where the kernels left the traversal
  traversal_state read_back(const kernel_entry& next, traverse_report& report) {
    constexpr std::size_t head_records =
        (engine_context::status_bytes - state_bytes) / sizeof(level_record);
    constexpr std::size_t head_bytes = state_bytes + head_records * sizeof(level_record);
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(context_.status(), job_.state, head_bytes,
                                       cudaMemcpyDeviceToHost, context_.stream()));
    context_.synchronize();
    traversal_state state;
    std::memcpy(&state, context_.status(), sizeof state);
    const traversal_cursor& cursor = state.cursors[next.parity];
    std::vector<level_record> records(cursor.num_logged);
    std::memcpy(records.data(), context_.status() + state_bytes,
                std::min(records.size(), head_records) * sizeof(level_record));
    if (records.size() > head_records) {
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(records.data() + head_records, job_.log + head_records,
                                         (records.size() - head_records) * sizeof(level_record),
                                         cudaMemcpyDeviceToHost, context_.stream()));
      context_.synchronize();
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::uint64_t end_ns = i + 1 < records.size() ? records[i + 1].start_ns : state.end_ns;
      report.levels.push_back({static_cast<std::int32_t>(report.levels.size()), records[i].way,
                               records[i].frontier, records[i].edges,
                               static_cast<double>(end_ns - records[i].start_ns) * 1e-6});
      if (options_.each_level) {
        options_.each_level(report.levels.back());
      }
    }
    return state;
  }

  engine_context& context_;
  Job job_;
  Visitor visitor_;
  const traverse_options& options_;
  bool cooperative_;
};

}  // namespace tendril::cuda
