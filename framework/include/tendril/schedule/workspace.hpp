#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tendril/core/target.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/protocol.hpp"

// What launches on one stream keep between them: claim words and counters that never need clearing,
// the yield flag, and what is known of each kernel. Host code; needs the CUDA runtime, not nvcc.

namespace tendril::schedule {

/// What the blocks of one launch count, in L2 lines of their own.
struct launch_counters {
  alignas(128) std::uint32_t draws = 0;    ///< or tickets
  alignas(128) std::uint32_t decided = 0;  ///< units that started or were stolen

  TENDRIL_HD void clear() { draws = decided = 0; }  ///< by one thread
};

/// Device memory of one launch, as the kernels see it.
struct launch_memory {
  std::uint32_t* claims = nullptr;       ///< [units], claim words
  launch_counters* counters = nullptr;   ///< of this launch; they start at 0
  launch_counters* next = nullptr;       ///< to be set to 0 for the launch after this one
  const std::uint32_t* yield = nullptr;  ///< nonzero: refuse
  std::uint32_t epoch = 0;               ///< of this launch

  /// Of the launch after this one, for kernels that launch it themselves.
  [[nodiscard]] TENDRIL_HD launch_memory after() const {
    return {claims, next, counters, yield, epoch + 1};
  }
};

/// What the compiler and the device say of a kernel in blocks, or clusters, of some shape.
struct kernel_facts {
  int registers = 0;                 ///< per thread
  std::uint32_t resident_units = 0;  ///< blocks, or clusters, that the whole device runs at once
};

/// Scratch of the schedules on one stream. Not thread-safe: one launch at a time, as on a stream.
/// Launches that use it must not be captured into a graph: a replay would find its epoch used.
class workspace {
 public:
  /// Allocates the counters and the flag; claim words come with the first launch that needs them.
  /// @param stream       where every launch with this workspace goes; borrowed
  /// @param first_epoch  of launches, less one; tests start near the end to see them start over
  /// @param memory       where device memory comes from; null: cuda::default_memory()
  /// @throws resource_error, cuda_error
  /// @sync  waits for the stream once
  explicit workspace(cudaStream_t stream, std::uint32_t first_epoch = 0,
                     std::shared_ptr<cuda::memory_resource> memory = nullptr);
  /// The other must not be used again.
  workspace(workspace&&) noexcept;
  /// The other must not be used again.
  workspace& operator=(workspace&&) noexcept;
  ~workspace();

  /// Where every launch goes.
  [[nodiscard]] cudaStream_t stream() const noexcept;

  /// Tells launches with launch_control::yields to hand over: their blocks get no more tiles, so
  /// the device is free for others as fast as tiles end. What is left is launched block by block.
  /// @param on  another stream than the workspace's; what follows on it can count on the flag
  /// @sync  none
  void raise_yield(cudaStream_t on);
  /// Lets later blocks ask again. @sync none
  void lower_yield(cudaStream_t on);

  /// For launches: memory for a launch of that many units, with a fresh epoch. Allocates
  /// only to grow; clears then, after a launch that failed, and once in 2^31 launches.
  /// @throws usage_error while the stream is being captured; resource_error
  [[nodiscard]] launch_memory begin_launch(std::uint32_t units);

  /// For launches: launch() after begin_launch(). Where it throws nothing ran, so nothing set the
  /// counters of the launch after it to 0: the next begin_launch() does.
  template <class Launch>
  void guard_launch(const Launch& launch) {
    try {
      launch();
    } catch (...) {
      note_failed_launch();
      throw;
    }
  }

  /// For launches: checks that a kernel can run in that shape, and raises its limit of shared
  /// memory if need be. Remembered, so a second call costs a look-up.
  /// @throws resource_error with both numbers for too many threads, too much shared memory or too
  ///         large a cluster
  const kernel_facts& facts_of(const void* kernel, unsigned threads, std::size_t shared_bytes,
                               std::uint32_t cluster);

 private:
  struct state;

  void note_failed_launch() noexcept;

  std::unique_ptr<state> state_;
};

/// One CUDA launch, checked.
struct block_launch {
  const void* kernel = nullptr;  ///< address of a __global__ function
  std::uint64_t blocks = 0;      ///< of the grid, along x; a multiple of the cluster
  unsigned threads = 0;          ///< of a block, along x
  std::size_t shared_bytes = 0;  ///< dynamic, of a block
  std::uint32_t cluster = 1;     ///< blocks of a cluster, along x; 1: none
};

/// Launches on a line of blocks.
/// @param shape      checked before by workspace::facts_of
/// @param arguments  addresses of the kernel's arguments
/// @param stream     where it goes
/// @throws resource_error with both numbers for 2^31 blocks or more; cuda_error
/// @sync  none
void launch_blocks(const block_launch& shape, void** arguments, cudaStream_t stream);

/// "hardware" where kernels compiled into this program use the launch control of the current
/// device, "software" elsewhere. A cluster has the hardware form only in code for a specific
/// architecture or family (sm_100a, sm_100f).
/// @sync  waits for a small kernel, once per device
[[nodiscard]] std::string control_form(std::uint32_t cluster);

}  // namespace tendril::schedule
