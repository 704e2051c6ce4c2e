#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tendril/cuda/expand_options.hpp"

// What an expansion on a GPU counts, and how host and kernels tell each other how far it is.

namespace tendril::cuda {

/// Bytes of a node_link, which expand_tree.cuh asserts.
inline constexpr std::size_t node_link_bytes = 16;

/// Lies in device memory; the host writes it before the first launch and reads it when no launch is
/// left.
struct expansion_state {
  std::uint64_t storage;       ///< places taken by nodes, and in the upper half by staged children
  std::uint64_t needed_nodes;  ///< 0, or what the storage would have to hold at least
  std::uint64_t num_nodes;     ///< that were split
  std::uint64_t num_leaves;
  std::uint64_t num_tasks;
  std::uint64_t num_child_grids;
  std::uint64_t num_tail_launches;
  std::uint64_t num_refused;
  std::uint64_t num_overflowed;
  std::uint64_t num_attempts;  ///< launches from the device, refused ones included
  std::int32_t depth;
  std::int32_t error;  ///< a cudaError_t that is no refusal
  // Child grids.
  std::uint64_t queued;       ///< runs in the queue, in the upper half, and their blocks
  std::uint64_t begun;        ///< the same of runs that a grid has
  std::uint32_t is_stalled;   ///< not even the queue's grid was taken: the host goes on
  std::uint32_t num_active;   ///< blocks that are launched and not done
  std::uint32_t num_reduced;  ///< roots
  // By level.
  std::uint32_t level;  ///< that the next grid works on
  std::uint32_t level_nodes;
  std::uint32_t is_reducing;  ///< 0: that grid splits
  std::uint32_t is_finished;
  std::uint32_t num_blocks_done;  ///< of the grid at work
};
static_assert(std::is_trivially_copyable_v<expansion_state> && sizeof(expansion_state) <= 256);

/// Throws what stopped an expansion, if anything did: resource_error with both numbers of nodes, or
/// cuda_error.
void check_expansion(const expansion_state& state, std::size_t max_nodes);

/// @throws usage_error for options that mean nothing, or memory that the device cannot reach
void check_expansion(const void* roots, std::size_t num_roots, const cuda_expand_options& options);

[[nodiscard]] cuda_expand_report to_report(const expansion_state& state);

}  // namespace tendril::cuda
