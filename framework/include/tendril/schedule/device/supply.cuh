#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "tendril/schedule/device/kernels.cuh"
#include "tendril/schedule/ways.hpp"

// The tiles of a block, one after the other, by a way that the kernel is told at run time: for
// kernels that take long to compile. launch() compiles a kernel per way instead.

namespace tendril::schedule::device {

/// What a kernel with a tile_supply is told.
struct supply_arguments {
  supply_way way;             ///< how tiles are handed out
  std::uint32_t num_tiles;    ///< 0 .. this - 1
  std::uint32_t num_blocks;   ///< of the launch
  control_arguments control;  ///< of launch_control; its memory also of ticket
};

/// How to launch tiles.
/// @param told       the way, from tell()
/// @param num_tiles  of this launch
/// @param resident   blocks of the kernel that the device runs at once
/// @param memory     for this launch: of 0 units for ticket, num_tiles for launch_control
[[nodiscard]] TENDRIL_HD inline supply_arguments supply_of(const told_way& told,
                                                           std::uint32_t num_tiles,
                                                           std::uint32_t resident,
                                                           const launch_memory& memory) {
  const std::uint32_t at_once = resident < num_tiles ? resident : num_tiles;
  const bool is_few = told.way == supply_way::fixed_grid || told.way == supply_way::ticket;
  const launch_control& policy = told.policy;
  return {told.way,
          num_tiles,
          is_few ? at_once : num_tiles,
          {memory,
           {num_tiles, at_once, policy.order},
           policy.how,
           policy.refused_of_65536,
           policy.yields,
           policy.hardware}};
}

/// Where a block's tiles come from: start() by every thread, then next() until it is false. All
/// that lasts from tile to tile lies in shared memory, in the hands of the first thread: registers
/// are for the tiles. From sm_90 on.
class tile_supply {
  struct requester {
    control<block_unit> requests;
    steal_loop<rules, asking> loop;
    bool has_run;
  };

 public:
  /// Shared memory of the block.
  struct storage {
    mailbox box;                                               ///< of launch_control
    alignas(requester) std::byte requests[sizeof(requester)];  ///< of launch_control
    std::uint32_t next;                                        ///< tile of per_block, fixed_grid
  };

  /// @param told    outlives it
  /// @param shared  in shared memory, one for the block
  __device__ tile_supply(const supply_arguments& told, storage& shared)
      : told_(told), shared_(shared) {}

  /// Claims the block, and sets the storage up.
  /// @return false: the block was stolen, and has to leave
  [[nodiscard]] __device__ bool start() const {
    const bool steals = told_.way == supply_way::launch_control;
    if (steals && !control<block_unit>(told_.control).start(shared_.box)) {
      return false;
    }
    if (is_first_thread()) {
      shared_.next = blockIdx.x;
      if (told_.control.memory.next != nullptr) {
        told_.control.memory.next->clear();
      }
      if (steals) {
        new (shared_.requests) requester{
            control<block_unit>(told_.control), {told_.control.how, blockIdx.x, 0}, false};
      }
    }
    return true;
  }

  /// The next tile of the block. Passes barriers of the block, so that two tiles can use the same
  /// shared memory.
  /// @param tile  in shared memory; set for all threads
  /// @return false: nothing is left
  [[nodiscard]] __device__ bool next(std::uint32_t& tile) const {
    __syncthreads();
    if (is_first_thread()) {
      tile = take();
    }
    __syncthreads();
    if (tile >= told_.num_tiles) {
      return false;
    }
    if (told_.way == supply_way::launch_control && is_first_thread()) {
      ask(requester_of());
    }
    return true;
  }

 private:
  static constexpr std::uint32_t no_tile = ~0U;

  /// By the first thread.
  [[nodiscard]] __device__ std::uint32_t take() const {
    switch (told_.way) {
      case supply_way::per_block:
      case supply_way::fixed_grid: {
        const std::uint32_t tile = shared_.next;
        shared_.next += gridDim.x;
        return tile;
      }
      case supply_way::ticket:
        return atomicAdd(&told_.control.memory.counters->draws, 1U);
      case supply_way::launch_control:
        return take_granted(requester_of());
    }
    return no_tile;
  }

  [[nodiscard]] __device__ requester& requester_of() const {
    return *reinterpret_cast<requester*>(shared_.requests);
  }

  /// By the first thread, which reads the answers for all: what is in hand, or what is granted
  /// next.
  [[nodiscard]] __device__ std::uint32_t take_granted(requester& mine) const {
    steal_loop<rules, asking>& loop = mine.loop;
    if (mine.has_run) {
      loop.ran();
    }
    bool in_hand = !mine.has_run;
    mine.has_run = true;
    for (;;) {
      switch (loop.now()) {
        case step::wait: {
          const answer reply =
              mine.requests.wait(shared_.box, loop.read_slot(), loop.read_parity());
          loop.answered(reply);
          in_hand = reply.granted != 0;
          break;
        }
        case step::leave:
          return no_tile;
        case step::sync:
        case step::ask:
        case step::run:
          if (in_hand) {
            return loop.block();
          }
          ask(mine);
          break;
      }
    }
  }

  /// By the first thread: asks as long as the loop wants to. Before a body that is while the other
  /// threads begin it. The barriers of next() keep a slot from being used again too early.
  __device__ void ask(requester& mine) const {
    // Else the compiler has all threads read what the first is about to write, and then ignore it.
    asm volatile("" ::: "memory");
    steal_loop<rules, asking>& loop = mine.loop;
    while (loop.now() == step::sync || loop.now() == step::ask) {
      if (loop.now() == step::sync) {
        loop.synced();
      } else {
        mine.requests.ask(shared_.box, loop.ask_slot());
        loop.asked();
      }
    }
  }

  const supply_arguments& told_;
  storage& shared_;
};

}  // namespace tendril::schedule::device
