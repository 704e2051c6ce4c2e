#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "tendril/cuda/device.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/cuda/options.hpp"
#include "tendril/schedule/workspace.hpp"

namespace tendril::cuda {

/// Microseconds from one level to the next without work in them, measured.
using level_probe = double (*)(int device);

/// What an engine, its graphs and its arrays share: they keep it alive, so memory is given back
/// before the stream and the pool go.
class engine_context {
 public:
  /// @param chain_probe  of chained levels; null where the engine does not launch from the device
  explicit engine_context(const cuda_options& options, level_probe chain_probe = nullptr);

  [[nodiscard]] const cuda_device& device() const noexcept { return device_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] const std::shared_ptr<memory_resource>& memory() const noexcept { return memory_; }
  [[nodiscard]] cuda_driver driver() const noexcept { return driver_; }
  [[nodiscard]] const cuda_tuning& tuning() const noexcept { return tuning_; }
  /// Who runs the tiles of a step under a driver.
  [[nodiscard]] const schedule::told_way& schedule_for(cuda_driver driver) const noexcept {
    return driver == cuda_driver::chained ? chain_schedule_ : schedule_;
  }
  /// The same under the driver of the last traversal.
  [[nodiscard]] const schedule::told_way& schedule() const noexcept {
    return schedule_for(last_driver_.used);
  }
  [[nodiscard]] bool has_wanted_schedule() const noexcept { return has_wanted_schedule_; }
  /// What schedules keep between launches. @sync waits for the stream on the first call
  [[nodiscard]] schedule::workspace& schedules();

  /// Working memory, kept for the next call; grows when more is asked.
  /// @throws resource_error with needed and free bytes, before anything is allocated
  [[nodiscard]] std::byte* workspace(std::size_t bytes);
  /// The same for what the links of a chain share.
  [[nodiscard]] std::byte* chain_memory(std::size_t bytes);
  [[nodiscard]] level_probe chain_probe() const noexcept { return chain_probe_; }
  /// Page-locked memory of `status_bytes` for what kernels report.
  static constexpr std::size_t status_bytes = 4096;
  [[nodiscard]] std::byte* status() const noexcept { return status_.data(); }

  /// Page-locked memory of `news_bytes` for what the last tile of a step tells, under a number that
  /// it writes last.
  static constexpr std::size_t news_bytes = 64;
  [[nodiscard]] std::byte* news() const noexcept { return status_.data() + status_bytes; }
  [[nodiscard]] std::uint32_t next_look() noexcept { return ++last_look_; }
  /// Where other kernels write the number of a look when they have told the status.
  [[nodiscard]] std::uint32_t* told_number() const noexcept {
    return reinterpret_cast<std::uint32_t*>(news() + news_bytes) - 1;
  }
  /// Waits until a kernel of the stream has written the number of the last look there: that is
  /// sooner than its end. @throws cuda_error where it failed
  void wait_for_look(const volatile std::uint32_t& number) const;

  /// What is asked about a kernel once and for all: one thing about each.
  /// @param ask  called the first time; returns a bool or a number
  template <class Ask>
  [[nodiscard]] auto asked_once(const void* kernel, const Ask& ask) -> decltype(ask()) {
    const auto known = answers_.find(kernel);
    return static_cast<decltype(ask())>(
        known != answers_.end() ? known->second : answers_.emplace(kernel, ask()).first->second);
  }

  /// Of the last traversal.
  [[nodiscard]] const driver_choice& last_driver() const noexcept { return last_driver_; }
  void note_driver(driver_choice choice) { last_driver_ = std::move(choice); }

  /// Around the kernels of the last traversal.
  [[nodiscard]] const event& begun() const noexcept { return begun_; }
  [[nodiscard]] const event& ended() const noexcept { return ended_; }

  void synchronize() const { TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  /// Makes the device current for the calling thread.
  void use() const {
    TENDRIL_CUDA_CHECK(cudaSetDevice(device_.id));
    // What the caller's own calls left unread would be taken for an error of the next launch.
    static_cast<void>(cudaGetLastError());
  }

 private:
  [[nodiscard]] std::byte* grown(device_buffer<std::byte>& buffer, std::size_t bytes);

  cuda_device device_;
  std::optional<cuda::stream> own_stream_;
  cudaStream_t stream_;
  std::shared_ptr<memory_resource> memory_;
  cuda_driver driver_;
  cuda_tuning tuning_;
  bool has_wanted_schedule_;
  schedule::told_way schedule_;
  schedule::told_way chain_schedule_;
  std::optional<schedule::workspace> schedules_;
  pinned_buffer<std::byte> status_;  ///< and the news
  std::uint32_t last_look_ = 0;
  event begun_;
  event ended_;
  device_buffer<std::byte> workspace_;
  device_buffer<std::byte> chain_memory_;
  level_probe chain_probe_;
  driver_choice last_driver_;
  std::map<const void*, unsigned> answers_;
};

/// Writes `count` copies of a value of 1, 2, or 4, 8, 12, ... 64 bytes. @sync none
void fill_device(void* destination, const void* value, std::size_t value_bytes, std::size_t count,
                 cudaStream_t stream);

}  // namespace tendril::cuda
