#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/cuda/detail/expand_tree.cuh"

// Which block of a grid starts from which nodes: runs of nodes that are still to be split, one that
// a grid is given with its launch, or many in a queue.

namespace tendril::cuda {

/// What a grid works on.
struct subtree_work {
  node_run run;
  std::uint32_t first_queued;
  std::uint32_t num_queued;   ///< 0: `run`
  std::uint32_t first_block;  ///< of the queued runs
  bool is_from_host;
};

/// The work of all runs that were queued and not begun. Both count runs in the upper half and their
/// blocks in the lower.
[[nodiscard]] TENDRIL_HD inline subtree_work queued_work(std::uint64_t begun, std::uint64_t queued,
                                                         bool is_from_host) {
  const auto first = static_cast<std::uint32_t>(begun >> 32U);
  const auto end = static_cast<std::uint32_t>(queued >> 32U);
  return {{}, first, end - first, static_cast<std::uint32_t>(begun & no_node), is_from_host};
}
[[nodiscard]] TENDRIL_HD inline std::uint32_t queued_blocks(std::uint64_t begun,
                                                            std::uint64_t queued) {
  return static_cast<std::uint32_t>((queued & no_node) - (begun & no_node));
}

/// Nodes per block where `count` are spread over `blocks`, 0: over as few as may be.
[[nodiscard]] TENDRIL_HD inline std::uint32_t seeds_per_block(std::uint32_t count,
                                                              std::uint32_t blocks,
                                                              std::uint32_t most) {
  const std::uint32_t even = blocks == 0 ? count : count / blocks + (count % blocks != 0 ? 1 : 0);
  return even < most ? even : most;
}

/// Neighbours of one depth.
struct seed_range {
  std::uint32_t first;
  std::uint32_t count;
  std::uint32_t depth;
};

[[nodiscard]] __device__ inline seed_range seeds_of(const node_run& run, std::uint32_t block) {
  const std::uint32_t upper_blocks = run.upper_blocks();
  const bool is_upper = block < upper_blocks;
  const std::uint32_t begin = (is_upper ? block : block - upper_blocks) * run.per_block;
  const std::uint32_t total = is_upper ? run.num_upper : run.num_lower;
  return {run.first + (is_upper ? 0 : run.num_upper) + begin, min(run.per_block, total - begin),
          run.depth + (is_upper ? 0U : 1U)};
}

/// What this block starts from.
[[nodiscard]] __device__ inline seed_range my_seeds(const node_run* queue,
                                                    const subtree_work& work) {
  if (work.num_queued == 0) {
    return seeds_of(work.run, blockIdx.x);
  }
  const std::uint32_t block = work.first_block + blockIdx.x;
  std::uint32_t low = work.first_queued;  // the last run that begins at or before `block`
  std::uint32_t high = work.first_queued + work.num_queued;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (queue[middle].first_block <= block ? low : high) = middle;
  }
  return seeds_of(queue[low], block - queue[low].first_block);
}

}  // namespace tendril::cuda
