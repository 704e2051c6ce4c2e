#pragma once

#include "tendril/cuda/detail/expand_launch.cuh"
#include "tendril/cuda/detail/expand_runs.cuh"
#include "tendril/cuda/detail/expand_tree.cuh"

// Launches of expansion by child grids, and the queue of those that are refused. A child grid that
// is refused becomes a run in the queue. The first thread of a grid that the host launches has
// tail-launched go_on_from_queue before anything else: when that grid and all below it are done, it
// gives the queue to one grid, again with a tail launch ahead of it. If even these are refused the
// host goes on.

namespace tendril::cuda {

/// A thread per node of a level in shared memory. Child grids ignore the carve-out of shared memory
/// and run one such block per multiprocessor, so a block is large and takes all there is.
struct subtree_shape {
  static constexpr unsigned threads = 512;
  static constexpr std::uint32_t static_bytes = 4096;  ///< at most, of the kernel and the device
  static constexpr std::uint32_t blocks_per_multiprocessor = 2;  ///< launched: it is busy
  static constexpr std::uint32_t worth_sharing = threads;        ///< nodes of a level
};

template <class Expander>
__global__ void grow_subtrees(const __grid_constant__ expansion_tree<typename Expander::node_type>,
                              const __grid_constant__ Expander,
                              const __grid_constant__ subtree_work);

/// Launches a grid that begins at once. @return false when it was refused
template <class Expander>
__device__ bool launch_subtrees(const expansion_tree<typename Expander::node_type>& tree,
                                const Expander& expander, const subtree_work& work,
                                std::uint32_t blocks) {
  tendril::add(tree.state->num_active, blocks);
  const bool taken = try_launch(*tree.state, tree.refuse_every, tree.state->num_child_grids, [&] {
    tree.assert_global();
    grow_subtrees<<<blocks, subtree_shape::threads, tree.shared_bytes, cudaStreamFireAndForget>>>(
        tree, expander, work);
  });
  if (!taken) {
    tendril::add(tree.state->num_active, 0U - blocks);
  }
  return taken;
}

/// Gives the queue to one grid and follows it. One thread.
template <class Expander>
__global__ void go_on_from_queue(
    const __grid_constant__ expansion_tree<typename Expander::node_type> tree,
    const __grid_constant__ Expander expander) {
  expansion_state& state = *tree.state;
  const std::uint64_t queued = state.queued;
  if (state.begun == queued || state.is_stalled != 0 || tree.failed()) {
    return;
  }
  try_launch(state, tree.refuse_every, state.num_tail_launches,
             [&] { go_on_from_queue<<<1, 1, 0, cudaStreamTailLaunch>>>(tree, expander); });
  if (launch_subtrees(tree, expander, queued_work(state.begun, queued, false),
                      queued_blocks(state.begun, queued))) {
    state.begun = queued;
  } else {
    state.is_stalled = 1;
  }
}

/// Before anything else: what the host gave this grid is begun, and the queue has someone to
/// follow.
template <class Expander>
__device__ void begin_from_host(const expansion_tree<typename Expander::node_type>& tree,
                                const Expander& expander, const subtree_work& work) {
  expansion_state& state = *tree.state;
  state.begun =
      std::uint64_t{work.first_queued + work.num_queued} << 32U | (work.first_block + gridDim.x);
  state.is_stalled = 0;
  tendril::add(state.num_active, gridDim.x);
  try_launch(state, tree.refuse_every, state.num_tail_launches, [&] {
    tree.assert_global();
    go_on_from_queue<<<1, 1, 0, cudaStreamTailLaunch>>>(tree, expander);
  });
}

}  // namespace tendril::cuda
