#pragma once

#include <cub/block/block_scan.cuh>

#include "tendril/cuda/detail/expand_launch.cuh"
#include "tendril/cuda/detail/expand_tree.cuh"

// Expansion by level. Nodes lie in breadth-first order: level L is level_begin[L] ..
// level_begin[L + 1] - 1. The last block of a grid tail-launches the next one, which is exactly as
// large as its level; when a level has no children, grids reduce level by level upwards. A tail
// launch that is refused ends the chain: the state says where the host goes on.

namespace tendril::cuda {

/// A thread per node; shared memory: a scan.
struct level_shape {
  static constexpr unsigned threads = 256;
  [[nodiscard]] static TENDRIL_HD unsigned blocks(std::uint32_t num_nodes) {
    return num_nodes / threads + (num_nodes % threads != 0 ? 1 : 0);
  }
};

template <class Expander>
__global__ void split_level(const __grid_constant__ expansion_tree<typename Expander::node_type>,
                            const __grid_constant__ Expander, std::uint32_t level);
template <class Expander>
__global__ void reduce_level(const __grid_constant__ expansion_tree<typename Expander::node_type>,
                             const __grid_constant__ Expander, std::uint32_t level);

[[nodiscard]] TENDRIL_HD inline std::uint32_t level_size(const std::uint32_t* level_begin,
                                                         std::uint32_t level) {
  return level_begin[level + 1] - level_begin[level];
}

/// Counts a block that is done. @return true in the last block of the grid, which sees what all
/// blocks wrote
/// Called by one thread, behind a barrier of its block.
__device__ inline bool is_last_block(expansion_state& state) {
  __threadfence();
  const bool is_last = atomicAdd(&state.num_blocks_done, 1) == gridDim.x - 1;
  if (is_last) {
    __threadfence();
    state.num_blocks_done = 0;
  }
  return is_last;
}

/// Tail-launches the reduction of a level, or tells the host to.
template <class Expander>
__device__ void go_on_reducing(const expansion_tree<typename Expander::node_type>& tree,
                               const Expander& expander, std::uint32_t level) {
  expansion_state& state = *tree.state;
  state.is_reducing = 1;
  state.level = level;
  state.level_nodes = level_size(tree.level_begin, level);
  const unsigned blocks = level_shape::blocks(state.level_nodes);
  try_launch(state, tree.refuse_every, state.num_tail_launches, [&] {
    tree.assert_global();
    reduce_level<<<blocks, level_shape::threads, 0, cudaStreamTailLaunch>>>(tree, expander, level);
  });
}

/// After a level was split: tail-launches the next, or the reductions when there is none.
template <class Expander>
__device__ void go_on_splitting(const expansion_tree<typename Expander::node_type>& tree,
                                const Expander& expander, std::uint32_t level) {
  expansion_state& state = *tree.state;
  const auto used = static_cast<std::uint32_t>(state.storage & no_node);
  state.storage = used;  // staged children have their places
  state.num_nodes += level_size(tree.level_begin, level);
  state.num_tasks += gridDim.x;
  state.depth = static_cast<std::int32_t>(level);
  tree.level_begin[level + 2] = used;
  state.level_nodes = level_size(tree.level_begin, level + 1);
  if (state.level_nodes == 0) {
    if (level == 0) {
      state.is_finished = 1;
    } else {
      go_on_reducing(tree, expander, level - 1);
    }
    return;
  }
  state.level = level + 1;
  const unsigned blocks = level_shape::blocks(state.level_nodes);
  try_launch(state, tree.refuse_every, state.num_tail_launches, [&] {
    tree.assert_global();
    split_level<<<blocks, level_shape::threads, 0, cudaStreamTailLaunch>>>(tree, expander,
                                                                           level + 1);
  });
}

/// Splits the nodes of a level, and reduces those without children.
template <class Expander>
__global__ void __launch_bounds__(level_shape::threads)
    split_level(const __grid_constant__ expansion_tree<typename Expander::node_type> tree,
                const __grid_constant__ Expander expander, std::uint32_t level) {
  using node_type = typename Expander::node_type;
  using scan = cub::BlockScan<std::uint32_t, level_shape::threads>;
  __shared__ typename scan::TempStorage scan_storage;
  __shared__ std::uint32_t base;
  expansion_state& state = *tree.state;

  // 1. split, and reduce leaves
  const std::uint32_t node = tree.level_begin[level] + blockIdx.x * blockDim.x + threadIdx.x;
  staged_children<node_type> children(tree);
  bool is_leaf = false;
  if (node < tree.level_begin[level + 1]) {
    expander.split(tree.nodes[node], children);
    is_leaf = children.count() == 0 && !children.lost();
    if (is_leaf) {
      expander.reduce(tree.nodes[node], nullptr, 0);
    }
  }

  // 2. reserve places, one atomic per block
  std::uint32_t before = 0;
  std::uint32_t total = 0;
  scan(scan_storage).ExclusiveSum(children.count(), before, total);
  if (threadIdx.x == 0) {
    base = total == 0 ? 0 : tree.take(total);
  }
  const int num_leaves = __syncthreads_count(is_leaf ? 1 : 0);

  // 3. put the children there
  if (base != no_node) {
    if (node < tree.level_begin[level + 1]) {
      tree.links[node] = {no_node, base + before, children.count(), 0};
    }
    children.unload(base + before, node,
                    [&](std::uint32_t index, const node_type& child, std::uint32_t /*parent*/) {
                      put(&tree.nodes[index], child);
                    });
  }
  __syncthreads();

  // 4. the last block goes on
  if (threadIdx.x == 0) {
    tendril::add(state.num_leaves, static_cast<std::uint64_t>(num_leaves));
    if (is_last_block(state) && !tree.failed()) {
      go_on_splitting(tree, expander, level);
    }
  }
}

/// Reduces the nodes of a level that have children.
template <class Expander>
__global__ void __launch_bounds__(level_shape::threads)
    reduce_level(const __grid_constant__ expansion_tree<typename Expander::node_type> tree,
                 const __grid_constant__ Expander expander, std::uint32_t level) {
  const std::uint32_t node = tree.level_begin[level] + blockIdx.x * blockDim.x + threadIdx.x;
  if (node < tree.level_begin[level + 1]) {
    const node_link link = tree.links[node];
    if (link.num_children != 0) {
      expander.reduce(tree.nodes[node], tree.nodes + link.first_child, link.num_children);
    }
  }
  // A tail launch waits for the whole grid: the first thread may make it at once.
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    if (level == 0) {
      tree.state->is_finished = 1;
    } else {
      go_on_reducing(tree, expander, level - 1);
    }
  }
}

}  // namespace tendril::cuda
