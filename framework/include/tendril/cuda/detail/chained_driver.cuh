#pragma once

#include <string>

#include "tendril/cuda/detail/chained.cuh"
#include "tendril/cuda/detail/driver.cuh"

// Host side of a chained traversal: it launches the first step and waits for the last.

namespace tendril::cuda {

template <class Position, class Job, class Visitor>
class chained_driver {
 public:
  chained_driver(engine_context& context, const Job& job, const Visitor& visitor,
                 const traverse_options& options)
      : context_(context), job_(job), visitor_(visitor), options_(options) {
    job_.resident_blocks = resident_blocks<Job>(context_, kernel_);
  }

  void run(traverse_report& report) {
    context_.begun().record(context_.stream());
    stepped_driver steps(context_, job_, visitor_, options_, [this](const step_launch& step) {
      launch({nullptr, step, {}, 0, 0});
    });
    traversal_cursor cursor{};
    steps.take_step(cursor);  // clears: nothing of it decides how to go on
    do {
      launch(first_link(cursor));
      cursor = read_back(context_, job_, 0, report).cursors[0];
      cursor.num_logged = 0;
    } while (cursor.step == traversal_step::choose && cursor.pauses);
    if (cursor.step != traversal_step::choose) {
      note_refusal();
      steps.run(cursor, report);
    }
    context_.ended().record(context_.stream());
    context_.synchronize();  // the last news came before its grid ended
    report.entered = cursor.entered;
    report.end = ending_of(cursor.status);
  }

 private:
  /// A chain in fresh memory, from the step of the cursor on. Its launch control is the software
  /// form: the hardware's was never run in grids that were launched from the device.
  [[nodiscard]] chain_link first_link(const traversal_cursor& cursor) {
    schedule::told_way way = context_.schedule();
    way.policy.hardware = false;
    way.policy.yields = false;
    const bool claims = way.way == schedule::supply_way::launch_control;
    const std::size_t bytes =
        sizeof(chain_state) + (claims ? most_tiles(job_, way.way) * sizeof(std::uint32_t) : 0);
    std::byte* const memory = context_.chain_memory(bytes);
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, context_.stream()));
    state_ = reinterpret_cast<chain_state*>(memory);
    const schedule::launch_memory shared{
        reinterpret_cast<std::uint32_t*>(memory + sizeof(chain_state)), &state_->counters[0],
        &state_->counters[1], nullptr, 1};
    const std::uint32_t tiles = num_tiles(job_, cursor, way.way);
    return {
        state_,
        {cursor, schedule::device::supply_of(way, tiles, job_.resident_blocks, shared), nullptr, 0},
        way,
        0,
        context_.tuning().refused_launch};
  }

  /// Launches the step of the link's cursor.
  void launch(chain_link link) {
    void* arguments[] = {&job_, &visitor_, &link};
    launch_tiles<Job>(kernel_, link.step.supply, arguments, context_.stream());
  }

  void note_refusal() {
    std::uint32_t code = 0;
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(&code, &state_->error, sizeof code, cudaMemcpyDeviceToHost,
                                       context_.stream()));
    context_.synchronize();
    driver_choice choice = context_.last_driver();
    choice.reason =
        std::string("stepped on by the host after a launch from the device was refused: ") +
        cudaGetErrorName(static_cast<cudaError_t>(code));
    context_.note_driver(choice);
  }

  using kernel = void (*)(Job, Visitor, chain_link);

  engine_context& context_;
  Job job_;
  Visitor visitor_;
  const traverse_options& options_;
  const kernel kernel_ = chained_kernel<Position, Job, Visitor>;
  chain_state* state_ = nullptr;  ///< of the last chain, in device memory
};

}  // namespace tendril::cuda
