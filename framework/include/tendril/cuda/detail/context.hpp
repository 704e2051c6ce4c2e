#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "tendril/cuda/device.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/cuda/options.hpp"

namespace tendril::cuda {

/// What an engine, its graphs and its arrays share: they keep it alive, so memory is given back
/// before the stream and the pool go.
class engine_context {
 public:
  explicit engine_context(const cuda_options& options);

  [[nodiscard]] const cuda_device& device() const noexcept { return device_; }
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] const std::shared_ptr<memory_resource>& memory() const noexcept { return memory_; }
  [[nodiscard]] cuda_driver driver() const noexcept { return driver_; }
  [[nodiscard]] const cuda_tuning& tuning() const noexcept { return tuning_; }

  /// Working memory, kept for the next call; grows when more is asked.
  /// @throws resource_error with needed and free bytes, before anything is allocated
  [[nodiscard]] std::byte* workspace(std::size_t bytes);
  /// Page-locked memory of `status_bytes` for what kernels report.
  static constexpr std::size_t status_bytes = 4096;
  [[nodiscard]] std::byte* status() const noexcept { return status_.data(); }

  /// Of the last traversal.
  [[nodiscard]] const driver_choice& last_driver() const noexcept { return last_driver_; }
  void note_driver(driver_choice choice) { last_driver_ = std::move(choice); }

  /// Around the kernels of the last traversal.
  [[nodiscard]] const event& begun() const noexcept { return begun_; }
  [[nodiscard]] const event& ended() const noexcept { return ended_; }

  void synchronize() const { TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream_)); }
  /// Makes the device current for the calling thread.
  void use() const { TENDRIL_CUDA_CHECK(cudaSetDevice(device_.id)); }

 private:
  cuda_device device_;
  std::optional<cuda::stream> own_stream_;
  cudaStream_t stream_;
  std::shared_ptr<memory_resource> memory_;
  cuda_driver driver_;
  cuda_tuning tuning_;
  pinned_buffer<std::byte> status_;
  event begun_;
  event ended_;
  device_buffer<std::byte> workspace_;
  driver_choice last_driver_;
};

/// Writes `count` copies of a value of 1, 2, or 4, 8, 12, ... 64 bytes. @sync none
void fill_device(void* destination, const void* value, std::size_t value_bytes, std::size_t count,
                 cudaStream_t stream);

}  // namespace tendril::cuda
