#pragma once

#include <cstdint>
#include <string_view>

#include "tendril/cuda/tree.hpp"

// Quadtrees grown on the GPU by kernels that launch kernels: no sort of all points, no host between
// levels. Part of tendril::cuda_dynamic.

namespace tendril {

/// Who launches the next step of a tree's growth.
enum class tree_growth : std::uint8_t {
  /// Cells are parted 64 ways, three levels at once, by child grids; cells that fit one block are
  /// finished in its shared memory, all by one grid. The root of up to 131,072 points is parted by
  /// the kernel that the host launches, where one cluster of 16 blocks has room for them.
  child_grid,
  /// Cells are parted into their four quadrants; each level tail-launches the next with a grid of
  /// as many blocks as it has tiles.
  level
};
/// "child-grid", "level".
[[nodiscard]] std::string_view to_string(tree_growth way) noexcept;

/// How a tree grows.
struct growth_options {
  tree_growth way = tree_growth::child_grid;  ///< trees do not depend on it
  /// For tests: every n-th launch from the device counts as refused, as with a full pool; 0: none.
  std::uint32_t refuse_every = 0;
};

/// What was launched from the device.
struct growth_report {
  std::uint32_t child_grids = 0;    ///< to begin at once
  std::uint32_t tail_launches = 0;  ///< to follow a grid
  std::uint32_t refused = 0;        ///< launches that the host made instead
  std::uint32_t levels_parted = 0;  ///< rounds of parting
  std::uint32_t subtrees = 0;       ///< finished in the shared memory of a block
};

/// A tree, and how it grew.
template <coordinate Real>
struct grown_quadtree {
  cuda_quadtree<Real> tree;  ///< complete when the engine's stream is
  growth_report report;      ///< of the whole growth
};

/// Builds the tree that build_quadtree builds, bit for bit.
/// @throws as build_quadtree does
/// @sync   waits as build_quadtree, and once for each refused launch: the host makes those, so no
///         pool of pending launches is too small (tendril::cuda::set_pending_launches)
/// @cost   O(n) for each round of parting; device memory as for build_quadtree
template <coordinate Real>
[[nodiscard]] grown_quadtree<Real> grow_quadtree(cuda_engine& engine, const points<Real>& from,
                                                 const quadtree_options& options = {},
                                                 const growth_options& growth = {});

/// The same for points in device memory; see build_quadtree.
template <coordinate Real>
[[nodiscard]] grown_quadtree<Real> grow_quadtree(cuda_engine& engine, const points_view<Real>& from,
                                                 const quadtree_options& options = {},
                                                 const growth_options& growth = {});

}  // namespace tendril
