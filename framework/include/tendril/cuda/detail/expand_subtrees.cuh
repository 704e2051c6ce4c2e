#pragma once

#include <cub/block/block_scan.cuh>

#include "tendril/cuda/detail/expand_queue.cuh"

// Expansion by child grids. A block starts from a few neighbouring nodes, its seeds, and grows
// their subtrees in shared memory, a level at a time. Subtrees that end there leave nothing behind
// but their seeds. When the memory is full, or a level is large and multiprocessors are idle, the
// block moves what it has to the tree in device memory and launches one child grid for all nodes
// that are still to be split. Whoever finishes a node's last child reduces the node: no launch
// waits for another.

namespace tendril::cuda {

/// A block that grows subtrees.
template <class Expander>
class subtree_block {
 public:
  using node_type = typename Expander::node_type;
  using scan = cub::BlockScan<std::uint32_t, subtree_shape::threads>;
  struct shared_control {
    typename scan::TempStorage scan_storage;
    std::uint32_t base;     ///< of the places in device memory; no_node: there was no room
    std::uint32_t granted;  ///< idle blocks that nodes may be spread over
  };

  __device__ subtree_block(const expansion_tree<node_type>& tree, const Expander& expander,
                           const seed_range& seeds, unsigned char* memory, shared_control& control)
      : tree_(tree),
        expander_(expander),
        seeds_(seeds),
        control_(control),
        links_(reinterpret_cast<node_link*>(memory)),
        nodes_(reinterpret_cast<node_type*>(links_ + tree.block_nodes)),
        end_(seeds.count),
        used_(seeds.count),
        depth_(seeds.depth) {}

  __device__ void run() {
    for (std::uint32_t slot = threadIdx.x; slot < seeds_.count; slot += blockDim.x) {
      put(&nodes_[slot], tree_.nodes[seeds_.first + slot]);
      links_[slot] = {no_node, 0, 0, 0};
    }
    __syncthreads();
    bool keeps = true;
    while (keeps && begin_ < end_) {
      keeps = !share_level();
      for (std::uint32_t batch = begin_; keeps && batch < end_; batch += blockDim.x) {
        keeps = split(batch);
      }
      depth_ += keeps && used_ > end_ ? 1 : 0;
      begin_ = end_;
      end_ = used_;
    }
    if (keeps) {
      for (std::uint32_t slot = threadIdx.x; slot < seeds_.count; slot += blockDim.x) {
        put(&tree_.nodes[seeds_.first + slot], nodes_[slot]);
      }
    }
    finish_seeds();
    count();
  }

 private:
  /// Hands the level over, not yet split, if it is large and there are blocks for it.
  __device__ bool share_level() {
    const std::uint32_t size = end_ - begin_;
    if (begin_ == 0 || size < subtree_shape::worth_sharing) {
      return false;
    }
    if (threadIdx.x == 0) {
      control_.granted = claim_idle(size);
    }
    __syncthreads();
    if (control_.granted == 0) {
      return false;
    }
    move_out(0);
    publish(begin_, size, 0);
    return true;
  }

  /// Splits nodes batch .. batch + blockDim.x - 1 of the level. @return false when the children did
  /// not fit and the block handed everything over
  __device__ bool split(std::uint32_t batch) {
    // 1. split; leaves are reduced, and what they complete
    const std::uint32_t slot = batch + threadIdx.x;
    staged_children<node_type> children(tree_);
    bool is_leaf = false;
    if (slot < end_) {
      expander_.split(nodes_[slot], children);
      is_leaf = children.count() == 0 && !children.lost();
      if (is_leaf) {
        expander_.reduce(nodes_[slot], nullptr, 0);
        finish_upwards<::cuda::thread_scope_block>(expander_, nodes_, links_, slot);
      }
    }

    // 2. places behind the nodes that there are
    std::uint32_t before = 0;
    std::uint32_t total = 0;
    scan(control_.scan_storage).ExclusiveSum(children.count(), before, total);
    num_split_ += min(blockDim.x, end_ - batch);
    num_leaves_ += static_cast<std::uint32_t>(__syncthreads_count(is_leaf ? 1 : 0));
    if (slot < end_) {
      node_link& link = links_[slot];
      link.first_child = used_ + before;
      link.num_children = children.count();
      link.unfinished = children.lost() ? 1 : children.count();
    }
    if (used_ + total > tree_.block_nodes) {
      hand_over(children, before, total, batch);
      return false;
    }

    // 3. put the children there
    children.unload(used_ + before, slot,
                    [&](std::uint32_t index, const node_type& child, std::uint32_t parent) {
                      put(&nodes_[index], child);
                      links_[index] = {parent, 0, 0, 0};
                    });
    used_ += total;
    __syncthreads();
    return true;
  }

  /// Hands over the rest of the level behind `batch`, and all children so far.
  __device__ void hand_over(staged_children<node_type>& children, std::uint32_t before,
                            std::uint32_t total, std::uint32_t batch) {
    const std::uint32_t next = min(batch + blockDim.x, end_);
    const std::uint32_t num_upper = end_ - next;
    const std::uint32_t num_lower = used_ - end_ + total;
    if (threadIdx.x == 0) {
      control_.granted = claim_idle(num_upper + num_lower);
    }
    move_out(total);
    if (control_.base != no_node) {
      children.unload(used_ + before, batch + threadIdx.x,
                      [&](std::uint32_t index, const node_type& child, std::uint32_t parent) {
                        put(&tree_.nodes[place(index)], child);
                        tree_.links[place(index)] = {place(parent), 0, 0, 0};
                      });
    }
    publish(next, num_upper, num_lower);
  }

  /// Takes up to `most` of the blocks that would keep the device busy. @return how many
  __device__ std::uint32_t claim_idle(std::uint32_t most) const {
    std::uint32_t& active = tree_.state->num_active;
    if (load(active) >= tree_.enough_blocks) {
      return 0;
    }
    const std::uint32_t before = tendril::add(active, most);
    const std::uint32_t granted =
        before >= tree_.enough_blocks ? 0 : min(most, tree_.enough_blocks - before);
    tendril::add(active, granted - most);
    return granted;
  }

  /// Where a slot's node lies once it is moved out.
  [[nodiscard]] __device__ std::uint32_t place(std::uint32_t slot) const {
    return slot < seeds_.count ? seeds_.first + slot : control_.base + (slot - seeds_.count);
  }

  /// Moves all nodes to the tree in device memory, with `num_more` places behind them.
  __device__ void move_out(std::uint32_t num_more) {
    if (threadIdx.x == 0) {
      control_.base = tree_.take(used_ + num_more - seeds_.count);
    }
    __syncthreads();
    if (control_.base == no_node) {
      return;
    }
    for (std::uint32_t slot = threadIdx.x; slot < used_; slot += blockDim.x) {
      node_link link = links_[slot];
      link.parent = slot < seeds_.count ? tree_.links[place(slot)].parent : place(link.parent);
      link.first_child = place(link.first_child);
      tree_.links[place(slot)] = link;
      put(&tree_.nodes[place(slot)], nodes_[slot]);
    }
  }

  /// Has a child grid, or the queue, go on with nodes that were moved out: from `slot` on.
  __device__ void publish(std::uint32_t slot, std::uint32_t num_upper, std::uint32_t num_lower) {
    __syncthreads();
    if (threadIdx.x != 0 || control_.base == no_node) {
      return;
    }
    node_run run{place(slot), num_upper, num_lower, depth_, 0, 0};
    run.per_block = seeds_per_block(num_upper + num_lower, control_.granted, tree_.block_seeds);
    const std::uint32_t blocks = run.num_blocks();
    if (!launch_subtrees(tree_, expander_, {run, 0, 0, 0, false}, blocks)) {
      const std::uint64_t before =
          tendril::add(tree_.state->queued, std::uint64_t{1} << 32U | blocks);
      assert((before >> 32U) < tree_.queue_capacity);
      run.first_block = static_cast<std::uint32_t>(before & no_node);
      tree_.queue[before >> 32U] = run;
      tendril::add(tree_.state->num_overflowed, 1);
    }
    tendril::add(tree_.state->num_active, 0U - control_.granted);  // the launch has counted them
  }

  /// Tells the parents of seeds that are reduced.
  __device__ void finish_seeds() {
    for (std::uint32_t slot = threadIdx.x; slot < seeds_.count; slot += blockDim.x) {
      if (links_[slot].unfinished == 0 &&
          finish_upwards<::cuda::thread_scope_device>(expander_, tree_.nodes, tree_.links,
                                                      seeds_.first + slot)) {
        tendril::add(tree_.state->num_reduced, 1);
      }
    }
  }

  __device__ void count() const {
    if (threadIdx.x == 0) {
      tendril::add(tree_.state->num_nodes, num_split_);
      tendril::add(tree_.state->num_leaves, num_leaves_);
      tendril::add(tree_.state->num_tasks, 1);
      tendril::add(tree_.state->num_active, 0U - 1U);
      atomicMax(&tree_.state->depth, static_cast<std::int32_t>(depth_));
    }
  }

  const expansion_tree<node_type>& tree_;
  const Expander& expander_;
  seed_range seeds_;
  shared_control& control_;
  node_link* links_;
  node_type* nodes_;
  // The level at work is begin_ .. end_ - 1, the next one so far end_ .. used_ - 1.
  std::uint32_t begin_ = 0;
  std::uint32_t end_;
  std::uint32_t used_;
  std::uint32_t depth_;
  std::uint32_t num_split_ = 0;
  std::uint32_t num_leaves_ = 0;
};

template <class Expander>
__global__ void __launch_bounds__(subtree_shape::threads)
    grow_subtrees(const __grid_constant__ expansion_tree<typename Expander::node_type> tree,
                  const __grid_constant__ Expander expander,
                  const __grid_constant__ subtree_work work) {
  extern __shared__ __align__(16) unsigned char subtree_memory[];
  __shared__ typename subtree_block<Expander>::shared_control control;
  if (work.is_from_host && blockIdx.x == 0 && threadIdx.x == 0) {
    begin_from_host(tree, expander, work);
  }
  subtree_block<Expander>(tree, expander, my_seeds(tree.queue, work), subtree_memory, control)
      .run();
}

}  // namespace tendril::cuda
