#pragma once

#include <cstdint>
#include <cuda/ptx>

#include "tendril/schedule/device/unit.cuh"
#include "tendril/schedule/protocol.hpp"

namespace tendril::schedule::device {

/// Where the answers to a block arrive, in its shared memory: 16 bytes per slot. From sm_90 each
/// slot has an mbarrier, and an answer completes a transaction on it: the first thread expects 16
/// bytes, whoever answers delivers them, readers wait for the phase. Before sm_90 an answer is a
/// plain store and readers meet at the block's barrier.
struct mailbox {
  uint4 slots[max_in_flight];             ///< answers, as they were sent
  std::uint64_t barriers[max_in_flight];  ///< mbarriers of the slots
  std::uint32_t starts;  ///< cluster only: whether the unit runs, in its first block

  /// By the first thread, before a barrier of the unit.
  __device__ void init() {
#if TENDRIL_HAS_CLUSTERS
    for (std::uint64_t& barrier : barriers) {
      ::cuda::ptx::mbarrier_init(&barrier, 1);
    }
    ::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
#endif
  }

  /// By the first thread of each block, for an answer that others deliver.
  __device__ void expect(std::uint32_t slot) {
#if TENDRIL_HAS_CLUSTERS
    ::cuda::ptx::mbarrier_arrive_expect_tx(::cuda::ptx::sem_relaxed, ::cuda::ptx::scope_cluster,
                                           ::cuda::ptx::space_shared, &barriers[slot],
                                           sizeof(uint4));
#endif
  }

  /// By the first thread, to its own block. Nothing is expected beforehand.
  __device__ void put(std::uint32_t slot, uint4 message) {
    slots[slot] = message;
#if TENDRIL_HAS_CLUSTERS
    // st.async to oneself traps in a launch without clusters: store, complete, then arrive with
    // release, so that the store is seen by whoever sees the phase.
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barriers[slot]));
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(address),
                 "n"(sizeof(uint4))
                 : "memory");
    ::cuda::ptx::mbarrier_arrive_expect_tx(::cuda::ptx::sem_release, ::cuda::ptx::scope_cta,
                                           ::cuda::ptx::space_shared, &barriers[slot],
                                           sizeof(uint4));
#endif
  }

  /// By the first thread of the cluster, to every block of it: the software multicast.
  __device__ void multicast(std::uint32_t slot, uint4 message) {
#if TENDRIL_HAS_CLUSTERS
    const std::uint32_t words[4] = {message.x, message.y, message.z, message.w};
    for (std::uint32_t rank = 0; rank < cluster_unit::num_blocks(); ++rank) {
      ::cuda::ptx::st_async(&cluster_unit::in_block(slots[slot], rank)->x, words,
                            cluster_unit::in_block(barriers[slot], rank));
    }
#endif
  }

  /// By every thread of the unit: the message of that phase. The scope is no wider than need be: an
  /// acquire beyond the block empties the L1 cache, each time.
  template <class Unit>
  __device__ uint4 wait(std::uint32_t slot, std::uint32_t parity) {
#if TENDRIL_HAS_CLUSTERS
    while (!is_complete<Unit>(slot, parity)) {
    }
#else
    __syncthreads();
#endif
    return slots[slot];
  }

 private:
#if TENDRIL_HAS_CLUSTERS
  template <class Unit>
  __device__ bool is_complete(std::uint32_t slot, std::uint32_t parity) {
    namespace ptx = ::cuda::ptx;
    if constexpr (Unit::is_cluster) {
      return ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barriers[slot],
                                           parity);
    } else {
      return ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &barriers[slot],
                                           parity);
    }
  }
#endif
};

}  // namespace tendril::schedule::device
