#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "tendril/schedule/device/mailbox.cuh"
#include "tendril/schedule/protocol.hpp"
#include "tendril/schedule/workspace.hpp"

namespace tendril::schedule::device {

/// What a launch-control kernel is told.
struct control_arguments {
  launch_memory memory;                ///< of this launch
  candidates from;                     ///< units to steal
  asking how;                          ///< see launch_control, also for the rest
  std::uint32_t refused_of_65536 = 0;  ///< requests, for tests
  bool yields = false;                 ///< looks at the yield flag
  bool hardware = true;                ///< the hardware form, where the code has it
};

/// The requests of one unit where the GPU has no launch control: atomics on claim words in device
/// memory. Lives in the first thread of the unit. The draw for the next request and the claim of
/// the present one are issued early and looked at late, so their latency hides behind the body;
/// near the end no draw is held while a body runs.
template <class Unit>
class software_control {
 public:
  /// @param arguments  outlive it
  __device__ explicit software_control(const control_arguments& arguments)
      : arguments_(arguments) {}

  /// By every thread of the unit: whether it runs, or was stolen. Prepares the mailbox.
  __device__ bool start(mailbox& box) {
    if constexpr (Unit::is_cluster) {
      return start_cluster(box);
    }
    // Most blocks of a launch are stolen before they start: each thread sees that with one load,
    // usually of the L1 cache, and leaves without a barrier.
    if (unit() >= arguments_.from.resident() &&
        all_decided(__ldca(&arguments_.memory.counters->decided), arguments_.from.units())) {
      return false;
    }
    if (may_leave(*static_cast<const volatile std::uint32_t*>(own_claim()), epoch())) {
      if (is_first_thread()) {  // empties the L1 cache, so that blocks to come see a newer count
        ::cuda::atomic_thread_fence(::cuda::memory_order_acquire, ::cuda::thread_scope_device);
      }
      return false;
    }
    const bool claimed = is_first_thread() && claim_own();
    if (claimed) {
      box.init();
    }
    const bool starts = __syncthreads_or(claimed) != 0;
    if (claimed) {
      count_decided();
    }
    return starts;
  }

  /// By the first thread of each block.
  __device__ void ask(mailbox& box, std::uint32_t slot) {
    if constexpr (Unit::is_cluster) {
      box.expect(slot);
      if (Unit::rank() != 0) {
        return;
      }
    }
    settle(box);
    request_ = {};
    slot_ = slot;
    is_pending_ = true;
    if (arguments_.yields && *static_cast<const volatile std::uint32_t*>(arguments_.memory.yield)) {
      request_.refuse(refusal::yielded);
    } else if (arguments_.refused_of_65536 != 0 &&
               injects_refusal(arguments_.refused_of_65536, epoch(), unit(), num_asked_++)) {
      request_.refuse(refusal::injected);
    } else {
      claim();
    }
  }

  /// By every thread of the unit.
  __device__ answer wait(mailbox& box, std::uint32_t slot, std::uint32_t parity) {
    if (is_first_thread() && is_pending_ && slot_ == slot) {
      settle(box);
    }
    const uint4 message = box.wait<Unit>(slot, parity);
    return {message.x, message.y, static_cast<refusal>(message.z), message.w};
  }

 private:
  __device__ std::uint32_t epoch() const { return arguments_.memory.epoch; }
  __device__ std::uint32_t unit() const { return blockIdx.x / Unit::num_blocks(); }

  __device__ std::uint32_t* own_claim() const { return arguments_.memory.claims + unit(); }

  /// By the first thread of the unit.
  __device__ bool claim_own() {
    return may_start(atomicMax(own_claim(), started_claim(epoch())), epoch());
  }

  /// The first block decides for all; it stays until all have read its word.
  __device__ bool start_cluster(mailbox& box) {
    if (is_first_thread()) {
      box.init();
      box.starts = Unit::rank() == 0 && claim_own() ? 1u : 0u;
    }
    Unit::sync();
    const bool starts = *cluster_unit::in_block(box.starts, 0) != 0;
    if (!starts) {
      Unit::sync();
    }
    return starts;
  }

  __device__ void count_decided() { atomicAdd(&arguments_.memory.counters->decided, 1u); }

  __device__ void draw() {
    draw_ = atomicAdd(&arguments_.memory.counters->draws, 1u);
    holds_draw_ = true;
  }

  /// Uses the number drawn before, if there is one, and draws the next.
  __device__ void claim() {
    if (!holds_draw_) {
      draw();
    }
    request_.drew(arguments_.from, draw_);
    holds_draw_ = false;
    if (request_.now() == steal_request::need::claim) {
      previous_ = atomicMax(&arguments_.memory.claims[request_.unit()], stolen_claim(epoch()));
      if (!request_.is_near_end()) {
        draw();
      }
    }
  }

  /// Looks at what the claim brought, tries further candidates, and delivers the answer.
  __device__ void settle(mailbox& box) {
    if (!is_pending_) {
      return;
    }
    is_pending_ = false;
    while (request_.now() != steal_request::need::none) {
      request_.claimed(previous_, epoch());
      if (request_.now() == steal_request::need::draw) {
        claim();
      }
    }
    const answer reply = request_.result(Unit::num_blocks());
    if (reply.granted != 0) {
      count_decided();
    }
    const uint4 message = {reply.first_block, reply.granted, static_cast<std::uint32_t>(reply.why),
                           reply.near_end};
    if constexpr (Unit::is_cluster) {
      box.multicast(slot_, message);
    } else {
      box.put(slot_, message);
    }
  }

  const control_arguments& arguments_;
  steal_request request_;
  std::uint32_t draw_ = 0;
  std::uint32_t previous_ = 0;
  std::uint32_t slot_ = 0;
  std::uint32_t num_asked_ = 0;
  bool holds_draw_ = false;
  bool is_pending_ = false;
};

}  // namespace tendril::schedule::device
