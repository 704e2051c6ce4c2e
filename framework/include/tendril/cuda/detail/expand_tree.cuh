#pragma once

#include <cassert>
#include <cstdint>
#include <cuda/atomic>
#include <new>

#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"
#include "tendril/cuda/detail/expand_state.hpp"

// The tree that an expansion grows in device memory. Children of a node are neighbours. A split
// does not know how many there will be: a thread stages the first few in its own memory, the rest
// in segments that grow from the far end of the storage, and takes their final places when the
// split is over.

namespace tendril::cuda {

/// No place in the storage: the parent of a root.
inline constexpr std::uint32_t no_node = 0xFFFFFFFF;

/// How a node hangs in the tree; beside each node, in device or shared memory.
struct node_link {
  std::uint32_t parent;
  std::uint32_t first_child;
  std::uint32_t num_children;
  std::uint32_t unfinished;  ///< children that are not reduced yet
};
static_assert(sizeof(node_link) == node_link_bytes);

/// Nodes that may wait for a block: `num_upper` of depth `depth`, then `num_lower` one deeper.
struct node_run {
  std::uint32_t first;
  std::uint32_t num_upper;
  std::uint32_t num_lower;
  std::uint32_t depth;
  std::uint32_t per_block;    ///< most nodes that one block starts from
  std::uint32_t first_block;  ///< of the grid that runs the queue

  [[nodiscard]] TENDRIL_HD std::uint32_t upper_blocks() const {
    return num_upper / per_block + (num_upper % per_block != 0 ? 1 : 0);
  }
  [[nodiscard]] TENDRIL_HD std::uint32_t num_blocks() const {
    return upper_blocks() + num_lower / per_block + (num_lower % per_block != 0 ? 1 : 0);
  }
};

/// Copies a node into raw storage.
template <class Node>
TENDRIL_HD void put(Node* place, const Node& node) {
  ::new (static_cast<void*>(place)) Node(node);
}

/// What every kernel of an expansion is given, by value.
template <class Node>
struct expansion_tree {
  Node* nodes;       ///< [capacity]
  node_link* links;  ///< [capacity]
  std::uint32_t capacity;
  expansion_state* state;
  std::uint32_t* level_begin;  ///< [capacity + 2] by level; else null
  node_run* queue;             ///< [queue_capacity] of child grids; else null
  std::uint32_t queue_capacity;
  std::uint64_t refuse_every;
  std::uint32_t block_nodes;    ///< nodes that a block holds in shared memory
  std::uint32_t block_seeds;    ///< nodes that it starts from, at most
  std::uint32_t shared_bytes;   ///< of such a block
  std::uint32_t enough_blocks;  ///< keep the device busy

  /// The first of `count` new places; no_node when there is no room.
  [[nodiscard]] TENDRIL_HD std::uint32_t take(std::uint32_t count) const {
    const std::uint64_t before = tendril::add(state->storage, count);
    const std::uint64_t used = before & no_node;
    return has_room(used + count, before >> 32U) ? static_cast<std::uint32_t>(used) : no_node;
  }

  /// The same from the far end, for a segment of children on the way.
  [[nodiscard]] TENDRIL_HD std::uint32_t take_segment(std::uint32_t count) const {
    const std::uint64_t before = tendril::add(state->storage, std::uint64_t{count} << 32U);
    const std::uint64_t staged = (before >> 32U) + count;
    return has_room(before & no_node, staged) ? static_cast<std::uint32_t>(capacity - staged)
                                              : no_node;
  }

  [[nodiscard]] TENDRIL_HD bool failed() const { return load(state->needed_nodes) != 0; }

  /// Every pointer that a child grid is given, in builds with assertions.
  __device__ void assert_global() const {
    assert(__isGlobal(nodes) && __isGlobal(links) && __isGlobal(state));
    assert(level_begin == nullptr || __isGlobal(level_begin));
    assert(queue == nullptr || __isGlobal(queue));
  }

 private:
  [[nodiscard]] TENDRIL_HD bool has_room(std::uint64_t used, std::uint64_t staged) const {
    if (used + staged <= capacity) {
      return true;
    }
    store(state->needed_nodes, used + staged);
    return false;
  }
};

/// The sink of a split on a GPU: one thread's children until they have places.
template <class Node>
class staged_children {
 public:
  static constexpr std::uint32_t own_places =
      sizeof(Node) >= 192 ? 1 : (sizeof(Node) <= 24 ? 8 : 192 / sizeof(Node));
  static constexpr std::uint32_t first_segment = 16;  ///< each next one holds twice as many

  TENDRIL_HD explicit staged_children(const expansion_tree<Node>& tree) : tree_(tree) {}

  TENDRIL_HD void add(const Node& child) {
    if (count_ == end_) {
      begin_segment();
    }
    if (!lost_) {
      put(count_ < own_places ? own() + count_ : tree_.nodes + segment_ + (count_ - begin_), child);
      ++count_;
    }
  }

  [[nodiscard]] TENDRIL_HD std::uint32_t count() const { return count_; }
  /// There was no room: the expansion has failed and this node has no children.
  [[nodiscard]] TENDRIL_HD bool lost() const { return lost_; }

  /// Calls place(index, child, parent) for each child of each lane, index from the lane's `first`
  /// on. Called by whole warps: children in segments are read by all lanes together.
  template <class Place>
  __device__ void unload(std::uint32_t first, std::uint32_t parent, const Place& place) {
    for (std::uint32_t i = 0; i < min(count_, own_places); ++i) {
      place(first + i, own()[i], parent);
    }
    __syncwarp();
    unsigned lanes = __ballot_sync(~0U, count_ > own_places);
    for (; lanes != 0; lanes &= lanes - 1) {
      const int lane = __ffs(static_cast<int>(lanes)) - 1;
      const std::uint32_t to = __shfl_sync(~0U, first, lane);
      const std::uint32_t above = __shfl_sync(~0U, parent, lane);
      std::uint32_t end = __shfl_sync(~0U, count_, lane);
      std::uint32_t begin = __shfl_sync(~0U, begin_, lane);
      std::uint32_t segment = __shfl_sync(~0U, segment_, lane);
      while (end > own_places) {
        for (std::uint32_t i = begin + threadIdx.x % 32; i < end; i += 32) {
          place(to + i, tree_.nodes[segment + (i - begin)], above);
        }
        segment = tree_.links[segment].parent;
        end = begin;
        // Segments are first_segment x 1, 2, 4, ...: the one before is half as long.
        begin = own_places + (begin - own_places - first_segment) / 2;
      }
    }
  }

 private:
  [[nodiscard]] TENDRIL_HD Node* own() { return reinterpret_cast<Node*>(own_); }

  TENDRIL_HD void begin_segment() {
    const std::uint32_t size = end_ == own_places ? first_segment : 2 * (end_ - begin_);
    const std::uint32_t segment = tree_.take_segment(size);
    if (segment == no_node) {
      lost_ = true;
      count_ = 0;
      return;
    }
    tree_.links[segment].parent = segment_;  // unused by a node: the segment before
    segment_ = segment;
    begin_ = end_;
    end_ += size;
  }

  alignas(Node) unsigned char own_[own_places * sizeof(Node)];
  const expansion_tree<Node>& tree_;
  std::uint32_t count_ = 0;
  std::uint32_t segment_ = no_node;  ///< the last one, of children begin_ .. end_ - 1
  std::uint32_t begin_ = own_places;
  std::uint32_t end_ = own_places;
  bool lost_ = false;
};

/// Says that a node is reduced: reduces its parent if it was the last child, and so on upwards.
/// @return true when the way up ended at a node without a parent
template <::cuda::thread_scope Scope, class Expander>
__device__ bool finish_upwards(const Expander& expander, typename Expander::node_type* nodes,
                               node_link* links, std::uint32_t node) {
  for (;;) {
    const std::uint32_t parent = links[node].parent;
    if (parent == no_node) {
      return true;
    }
    ::cuda::atomic_ref<std::uint32_t, Scope> unfinished(links[parent].unfinished);
    // Release what this thread wrote to the siblings, acquire what they wrote.
    if (unfinished.fetch_sub(1, ::cuda::memory_order_acq_rel) != 1) {
      return false;
    }
    const node_link& link = links[parent];
    expander.reduce(nodes[parent], nodes + link.first_child, link.num_children);
    node = parent;
  }
}

}  // namespace tendril::cuda
