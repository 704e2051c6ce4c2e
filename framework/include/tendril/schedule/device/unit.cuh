#pragma once

#include <cooperative_groups.h>

#include <cstdint>

// The threads that start together: a block, or a cluster of blocks along x. Code for GPUs before
// sm_90 knows no clusters, and the host launches none there.

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define TENDRIL_HAS_CLUSTERS 1
#else
#define TENDRIL_HAS_CLUSTERS 0
#endif

/// The kernels of the schedules, and what they are made of. For nvcc.
namespace tendril::schedule::device {

/// One block.
struct block_unit {
  static constexpr bool is_cluster = false;                   ///< a block alone
  __device__ static std::uint32_t rank() { return 0; }        ///< of the block in the unit
  __device__ static std::uint32_t num_blocks() { return 1; }  ///< of the unit
  __device__ static void sync() { __syncthreads(); }          ///< waits for every thread of it
};

/// One cluster. sync() is for every thread of every block, never inside a divergent branch.
struct cluster_unit {
  static constexpr bool is_cluster = true;  ///< blocks that start together
#if TENDRIL_HAS_CLUSTERS
  /// Of the block in the cluster.
  __device__ static std::uint32_t rank() {
    return cooperative_groups::this_cluster().block_rank();
  }
  /// Of the cluster.
  __device__ static std::uint32_t num_blocks() {
    return cooperative_groups::this_cluster().num_blocks();
  }
  /// Waits for every thread of the cluster.
  __device__ static void sync() {
    cooperative_groups::this_cluster().sync();
  }
  /// Where the block of that rank has what lies at `shared` here.
  template <class T>
  __device__ static T* in_block(T& shared, std::uint32_t rank) {
    return cooperative_groups::this_cluster().map_shared_rank(&shared, rank);
  }
#else
  __device__ static std::uint32_t rank() {
    return 0;
  }
  __device__ static std::uint32_t num_blocks() {
    return 1;
  }
  __device__ static void sync() {
    __syncthreads();
  }
  template <class T>
  __device__ static T* in_block(T& shared, std::uint32_t) {
    return &shared;
  }
#endif
};

/// The thread that speaks for its block.
__device__ inline bool is_first_thread() {
  return threadIdx.x == 0;
}

}  // namespace tendril::schedule::device
