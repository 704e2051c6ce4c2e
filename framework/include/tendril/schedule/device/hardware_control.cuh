#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <cuda/ptx>

#include "tendril/schedule/device/mailbox.cuh"
#include "tendril/schedule/protocol.hpp"

// Cluster launch control of sm_100 and later. The request for single blocks is in every such
// target; the multicast answer for clusters only in code for a specific architecture or family
// (sm_100a, sm_100f). CCCL 3.0.1 offers the multicast for sm_100a alone, hence the instruction by
// hand.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define TENDRIL_HAS_LAUNCH_CONTROL 1
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
#define TENDRIL_HAS_LAUNCH_CONTROL_MULTICAST 1
#endif
#endif
#if !defined(TENDRIL_HAS_LAUNCH_CONTROL)
#define TENDRIL_HAS_LAUNCH_CONTROL 0
#endif
#if !defined(TENDRIL_HAS_LAUNCH_CONTROL_MULTICAST)
#define TENDRIL_HAS_LAUNCH_CONTROL_MULTICAST 0
#endif

namespace tendril::schedule::device {

/// Whether the code being compiled has launch control for that kind of unit.
template <class Unit>
__device__ constexpr bool has_hardware_control() {
  return Unit::is_cluster ? TENDRIL_HAS_LAUNCH_CONTROL_MULTICAST != 0
                          : TENDRIL_HAS_LAUNCH_CONTROL != 0;
}

/// The requests of one unit, in hardware: a stolen unit is never started, so there is nothing to
/// claim. Only named where has_hardware_control<Unit>().
template <class Unit>
struct hardware_control {
#if TENDRIL_HAS_LAUNCH_CONTROL
  /// By every thread of the unit. Prepares the mailbox.
  __device__ static void start(mailbox& box) {
    if (is_first_thread()) {
      box.init();
    }
    Unit::sync();
  }

  /// By the first thread of each block, after a sync of the unit: the slot was read by ordinary
  /// loads and is about to be written through the asynchronous proxy.
  __device__ static void ask(mailbox& box, std::uint32_t slot) {
    namespace ptx = ::cuda::ptx;
    if (Unit::rank() == 0) {
      ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster,
                                                   ptx::scope_cluster);
      cooperative_groups::invoke_one(cooperative_groups::coalesced_threads(),
                                     [&] { try_cancel(&box.slots[slot], &box.barriers[slot]); });
    }
    box.expect(slot);
  }

  /// By every thread of the unit.
  __device__ static answer wait(mailbox& box, std::uint32_t slot, std::uint32_t parity) {
    namespace ptx = ::cuda::ptx;
    const uint4 message = box.wait<Unit>(slot, parity);
    answer reply;
    if (ptx::clusterlaunchcontrol_query_cancel_is_canceled(message)) {
      reply.granted = 1;
      reply.first_block =
          ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<std::uint32_t>(message);
    } else {
      reply.why = refusal::by_device;
    }
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_release, ptx::space_shared,
                                                 ptx::scope_cluster);
    return reply;
  }

 private:
  __device__ static void try_cancel(uint4* slot, std::uint64_t* barrier) {
#if TENDRIL_HAS_LAUNCH_CONTROL_MULTICAST
    if constexpr (Unit::is_cluster) {
      const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(slot));
      const auto by = static_cast<std::uint32_t>(__cvta_generic_to_shared(barrier));
      asm volatile(
          "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
          ".multicast::cluster::all.b128 [%0], [%1];" ::"r"(to),
          "r"(by)
          : "memory");
      return;
    }
#endif
    ::cuda::ptx::clusterlaunchcontrol_try_cancel(slot, barrier);
  }
#endif
};

}  // namespace tendril::schedule::device
