#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tendril/expand/expand.hpp"

// How a GPU engine expands, and what it says it did. Plain C++; the call is in
// tendril/cuda/expand.cuh, for nvcc.

namespace tendril {

/// How a tree grows on a GPU. Results do not depend on it.
enum class expand_way : std::uint8_t {
  /// A block grows subtrees in its shared memory. What does not fit goes on as one child grid, many
  /// subtrees together; whoever finishes a node's last child reduces the node.
  child_grid,
  /// A grid splits a whole level and tail-launches the next, exactly as large; then grids reduce
  /// level by level upwards.
  level
};
/// "child-grid", "level".
[[nodiscard]] std::string_view to_string(expand_way way) noexcept;

/// Constants that measurements chose, and switches that tests turn. Results do not depend on them.
struct expand_tuning {
  /// Nodes that a block holds in shared memory; 0: as many as fit.
  std::uint32_t block_nodes = 0;
  /// Nodes that a block starts from, at most; 0: as many as it has threads, or a quarter of those
  /// it holds.
  std::uint32_t block_seeds = 0;
  /// Every n-th launch from the device is refused as if too many were pending; 0: none.
  std::uint32_t refuse_every = 0;
};

/// Options of an expansion on a GPU.
struct cuda_expand_options {
  expand_way way = expand_way::child_grid;  ///< who launches what
  /// Nodes that there is room for, roots included; at most 2^32 - 2^16. Each takes
  /// sizeof(node_type) + 16 bytes, 20 by level. A tree of as many fits if no node has more than 8
  /// children, or than 192 bytes of them. A split stages what is beyond, which takes up to two
  /// places more for each such child and 16 for such a node.
  std::size_t max_nodes = std::size_t{1} << 24U;
  expand_tuning tuning;  ///< for measurements and tests
};

/// What an expansion on a GPU did. num_tasks: blocks that split nodes.
struct cuda_expand_report : expand_report {
  std::uint64_t num_leaves = 0;         ///< nodes without children
  std::uint64_t num_child_grids = 0;    ///< launched from the device, to begin at once
  std::uint64_t num_tail_launches = 0;  ///< launched from the device, to follow a grid
  std::uint64_t num_refused = 0;        ///< launches that the device runtime did not take
  std::uint64_t num_overflowed = 0;     ///< refused child grids whose work went on from the queue
  std::uint64_t num_host_launches = 0;  ///< the first grid, and each that the host went on with
};

}  // namespace tendril
