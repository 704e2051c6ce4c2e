#pragma once

#include <cstdint>

#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/device/recorder.cuh"
#include "tendril/schedule/record.hpp"
#include "tendril/schedule/ways.hpp"
#include "tendril/schedule/workspace.hpp"

namespace tendril::schedule::device {

/// Device memory that one recorded launch writes, and what becomes of it on the host.
class recording {
 public:
  /// Allocates and clears.
  /// @throws resource_error
  /// @sync  none
  /// @cost  64 bytes of device memory per tile
  recording(std::uint32_t num_tiles, cudaStream_t stream);

  /// What the kernel writes through.
  [[nodiscard]] recorder view() const;
  /// The record, with the units that the way launched. @sync waits for the stream
  [[nodiscard]] launch_record collect(const any_way& way) const;

 private:
  cudaStream_t stream_;
  std::uint32_t num_tiles_;
  cuda::device_buffer<counters> totals_;
  cuda::device_buffer<interval> tiles_;
  cuda::device_buffer<interval> prologues_;
};

}  // namespace tendril::schedule::device
