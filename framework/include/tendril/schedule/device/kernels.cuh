#pragma once

#include <cstdint>
#include <cuda/work_stealing>
#include <type_traits>

#include "tendril/schedule/device/hardware_control.cuh"
#include "tendril/schedule/device/recorder.cuh"
#include "tendril/schedule/device/software_control.cuh"
#include "tendril/schedule/protocol.hpp"
#include "tendril/schedule/tiles.hpp"

// One kernel per way, templates over what a tile does. Work mapping: a block per tile of the grid
// (per_block, launch_control, canceled_blocks) or as many as fit (fixed_grid, ticket); tile i is
// block i of the launch. Every kernel passes a barrier of the block between two tiles. Shared
// memory beyond the body's own: none (per_block, fixed_grid), 4 bytes (ticket), a mailbox of 80
// bytes (launch_control).

namespace tendril::schedule::device {

/// User code is called from __device__ functions, so that nvcc refuses callables that lack
/// TENDRIL_HD or __device__.
template <class Prologue>
__device__ auto begin_block(const Prologue& prologue) {
  return prologue();
}

/// Runs the body on a tile, by every thread, and records it.
template <class Recorder, class Body, class Shared>
__device__ void run_tile(const tile_grid& tiles, std::uint32_t index, bool stolen,
                         Recorder& recorder, const Body& body, const Shared& shared) {
  body(tiles.at(index), shared);
  recorder.tile_done(index, stolen);
}

/// A tile that its own block, or a resident block, runs.
template <class Recorder, class Body, class Shared>
__device__ void run_unit_tile(const tile_grid& tiles, std::uint32_t index, Recorder& recorder,
                              const Body& body, const Shared& shared) {
  if (Recorder::records && is_first_thread()) {
    recorder.unit_started();
  }
  run_tile(tiles, index, false, recorder, body, shared);
}

/// A block per tile.
template <class Recorder, class Prologue, class Body>
__global__ void per_block_kernel(tile_grid tiles, Recorder recorder, Prologue prologue, Body body) {
  recorder.begin(blockIdx.x);
  const auto shared = begin_block(prologue);
  recorder.prologue_done();
  run_unit_tile(tiles, blockIdx.x, recorder, body, shared);
}

/// Resident blocks; tiles b, b + blocks, b + 2 blocks, ...
template <class Recorder, class Prologue, class Body>
__global__ void fixed_grid_kernel(tile_grid tiles, Recorder recorder, Prologue prologue,
                                  Body body) {
  recorder.begin(blockIdx.x);
  const auto shared = begin_block(prologue);
  recorder.prologue_done();
  const auto size = static_cast<std::uint32_t>(tiles.size());
  for (std::uint32_t index = blockIdx.x; index < size; index += gridDim.x) {
    run_unit_tile(tiles, index, recorder, body, shared);
    __syncthreads();
  }
}

/// Resident blocks; each draws its next tile from a counter in device memory.
template <class Recorder, class Prologue, class Body>
__global__ void ticket_kernel(tile_grid tiles, launch_memory memory, Recorder recorder,
                              Prologue prologue, Body body) {
  __shared__ std::uint32_t next;
  recorder.begin(blockIdx.x);
  if (is_first_thread()) {
    memory.next->clear();
  }
  const auto shared = begin_block(prologue);
  recorder.prologue_done();
  const auto size = static_cast<std::uint32_t>(tiles.size());
  for (;;) {
    if (is_first_thread()) {
      next = atomicAdd(&memory.counters->draws, 1u);
    }
    __syncthreads();
    const std::uint32_t index = next;
    __syncthreads();
    if (index >= size) {
      return;
    }
    run_unit_tile(tiles, index, recorder, body, shared);
  }
}

/// Only the x of what libcu++ hands over is read: it sets the others wrongly for grids of one
/// dimension (CCCL 3.0.1).
template <class Recorder, class Prologue, class Body>
__global__ void canceled_blocks_kernel(tile_grid tiles, Recorder recorder, Prologue prologue,
                                       Body body) {
  recorder.begin(blockIdx.x);
  const auto shared = begin_block(prologue);
  recorder.prologue_done();
  ::cuda::for_each_canceled_block<1>([&](dim3 block) {
    const bool stolen = block.x != blockIdx.x;
    if (Recorder::records && is_first_thread()) {
      stolen ? recorder.unit_stolen() : recorder.unit_started();
    }
    run_tile(tiles, block.x, stolen, recorder, body, shared);
  });
}

/// The requests of a launch in the form that the code and the launch agree on.
template <class Unit>
class control {
 public:
  /// @param arguments  outlive it
  __device__ explicit control(const control_arguments& arguments)
      : is_hardware_(has_hardware_control<Unit>() && arguments.hardware), software_(arguments) {}

  /// By every thread of the unit: false if it was stolen, and has to leave.
  __device__ bool start(mailbox& box) {
    if constexpr (has_hardware_control<Unit>()) {
      if (is_hardware_) {
        hardware_control<Unit>::start(box);
        return true;
      }
    }
    return software_.start(box);
  }
  /// By every thread: the first one of each block posts a request into a slot.
  __device__ void ask(mailbox& box, std::uint32_t slot) {
    if (!is_first_thread()) {
      return;
    }
    if constexpr (has_hardware_control<Unit>()) {
      if (is_hardware_) {
        hardware_control<Unit>::ask(box, slot);
        return;
      }
    }
    software_.ask(box, slot);
  }
  /// By every thread of the unit: the answer of that phase.
  __device__ answer wait(mailbox& box, std::uint32_t slot, std::uint32_t parity) {
    if constexpr (has_hardware_control<Unit>()) {
      if (is_hardware_) {
        return hardware_control<Unit>::wait(box, slot, parity);
      }
    }
    return software_.wait(box, slot, parity);
  }

 private:
  bool is_hardware_;
  software_control<Unit> software_;
};

/// How a unit asks: told by the arguments, or compiled in.
template <class How>
__device__ How how_of(const control_arguments& arguments) {
  if constexpr (std::is_same_v<How, asking>) {
    return arguments.how;
  } else {
    return {};
  }
}

/// Counts what the first thread of a unit sees.
template <class Unit, class Recorder>
__device__ void record_answer(const Recorder& recorder, const answer& reply) {
  if (Recorder::records && is_first_thread() && Unit::rank() == 0) {
    reply.granted != 0 ? recorder.unit_stolen() : recorder.refused(reply.why);
  }
}

/// A block per tile is launched; blocks that run steal blocks that have not started.
/// @tparam How  asking, told by the arguments, or fixed_asking
template <class Unit, class How, class Recorder, class Prologue, class Body>
__global__ void launch_control_kernel(tile_grid tiles,
                                      const __grid_constant__ control_arguments arguments,
                                      Recorder recorder, Prologue prologue, Body body) {
  __shared__ mailbox box;
  const bool speaks = is_first_thread() && Unit::rank() == 0;
  control<Unit> requests(arguments);

  // 1 claim the unit
  if (!requests.start(box)) {
    if (Recorder::records && speaks) {
      recorder.unit_cancelled();
    }
    return;
  }
  if (is_first_thread()) {
    arguments.memory.next->clear();
  }

  // 2 prologue
  recorder.begin(blockIdx.x);
  if (Recorder::records && speaks) {
    recorder.unit_started();
  }
  const auto shared = begin_block(prologue);
  recorder.prologue_done();

  // 3 own tile, then whatever can be stolen
  const auto size = static_cast<std::uint32_t>(tiles.size());
  steal_loop<rules, How> loop(how_of<How>(arguments), blockIdx.x, Unit::rank());
  for (;;) {
    if (loop.now() == step::sync) {
      Unit::sync();
      loop.synced();
    }
    while (loop.now() == step::ask) {
      if (Recorder::records && speaks) {
        recorder.asked(loop.has_seen_refusal());
      }
      requests.ask(box, loop.ask_slot());
      loop.asked();
    }
    if (loop.now() == step::run) {
      if (loop.block() < size) {  // the last cluster may reach beyond the grid
        run_tile(tiles, loop.block(), loop.is_stolen(), recorder, body, shared);
      }
      loop.ran();
    }
    if (loop.now() == step::wait) {
      const answer reply = requests.wait(box, loop.read_slot(), loop.read_parity());
      record_answer<Unit>(recorder, reply);
      const bool was_near_end = loop.is_near_end();
      loop.answered(reply);
      if (loop.is_near_end() != was_near_end) {
        Unit::sync();  // this one answer is run at once, and came before the body in hand ended
      }
    }
    if (loop.now() == step::leave) {
      return;
    }
  }
}

}  // namespace tendril::schedule::device
