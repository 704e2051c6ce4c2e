#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <optional>

#include "cuda/tree/key_sorter.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tree/build/checks.hpp"

// The steps of building a tree on the device, but for the sort. Each function enqueues its kernels
// on a stream and returns.

namespace tendril::cuda {

/// Positions that one block looks at: the unit in which leaves and nodes are counted.
inline constexpr point_id tree_tile = 2048;
[[nodiscard]] constexpr point_id tree_tiles(point_id count) {
  return count / tree_tile + (count % tree_tile == 0 ? 0 : 1);
}
/// Parts of a tile that have boxes of their own.
inline constexpr point_id box_parts = 32;
/// Nodes that reach the end of the tile they begin in: at most one for each level and tile.
inline constexpr point_id spanning_per_tile = finest_level + 1;

/// The largest depth whose keys have 32 bits.
inline constexpr int narrow_depth = 16;

/// What kernels find out, all zero at first. Numbers that only grow: the smallest of something is
/// kept as the largest complement.
struct tree_state {
  unsigned long long not_low_x;  ///< complements of the low corner, as ordered_bits
  unsigned long long not_low_y;
  unsigned long long high_x;
  unsigned long long high_y;
  std::uint32_t not_first_bad;
  std::uint32_t not_first_outside;
  std::uint32_t num_outside;
  std::uint32_t tiles_counted;
  std::uint32_t num_spanning;
  std::uint32_t num_leaves;
  std::uint64_t num_nodes;
};

template <coordinate Real>
[[nodiscard]] build::survey<Real> survey_of(const tree_state& state);

/// The grid that the options, or else the points, ask for.
template <coordinate Real>
[[nodiscard]] cell_grid grid_of(const tree_state& state, const quadtree_options& options);

/// Leaves and nodes that begin before a tile.
struct begun_before {
  std::uint32_t leaves;
  std::uint64_t nodes;
};

/// What num_nodes is while the keys are not in order.
inline constexpr std::uint64_t nodes_unknown = ~std::uint64_t{0};

/// Points in Morton order and their leaves, in device memory.
template <class Key>
struct sorted_points {
  keyed_rows<Key> order;  ///< [count]
  point_id count;
  std::uint32_t leaf_size;
  int max_depth;
  std::uint8_t* begins;  ///< [count], nodes that begin at a position
  begun_before* tiles;   ///< [tiles]
  point_id* leaf_first;  ///< [num_leaves + 1], first position of each leaf, then count
  node_id* leaf_node;    ///< [num_leaves + 1], its first node in preorder, then num_nodes
  node_id* spanning;     ///< [tiles * spanning_per_tile], nodes that reach the end of their tile
  tree_state* state;
  const std::uint32_t* stopped;  ///< see key_sorter
};

/// A tree's arrays on the device, to be written.
template <coordinate Real>
struct tree_arrays {
  quadtree_node<Real>* nodes;
  std::uint64_t room;  ///< for as many nodes
  point<Real>* positions;
  point_id* rows;
  box<Real>* tile_boxes;  ///< [tiles], working space
  box<Real>* part_boxes;  ///< [tiles * box_parts], boxes of 64 points, likewise
};

/// Finds the bounding box, and rows that cannot be in the tree.
template <coordinate Real>
void survey_points(const points_view<Real>& from, const std::optional<box<double>>& bounds,
                   tree_state* state, cudaStream_t stream);

/// Rows 0, 1, 2, ..., with key 1 where they lie outside the bounds and 0 else.
template <coordinate Real>
void mark_outside(const points_view<Real>& from, const box<double>& bounds,
                  keyed_rows<std::uint32_t> out, cudaStream_t stream);

/// Keys of `count` rows.
/// @param rows  [count] in order, or null: all
template <coordinate Real, class Key>
void write_keys(const points_view<Real>& from, const point_id* rows, point_id count,
                const quadtree_options& options, const tree_state* state, keyed_rows<Key> out,
                cudaStream_t stream);

/// Most points of a tree that is built with few launches: they take longer than its kernels.
inline constexpr point_id few_points = point_id{1} << 17;

/// The state of a survey, and keys of all rows, by one kernel on a device with clusters.
/// @param cleared_bytes  from the state on: made zero first
template <coordinate Real, class Key>
void write_few_keys(const points_view<Real>& from, const quadtree_options& options,
                    tree_state* state, std::size_t cleared_bytes, keyed_rows<Key> out,
                    cudaStream_t stream);

/// Words that the host is told: written to its page-locked memory by a kernel, which takes less
/// time than a copy between two kernels. Then a number, for which the host waits.
struct told_words {
  const std::uint32_t* from;
  std::uint32_t* to;
  unsigned count;
  std::uint32_t* number_at;
  std::uint32_t number;
};

/// Counts the nodes that begin at each position; the totals go to the state, then words are told.
template <class Key>
void count_nodes(const sorted_points<Key>& points, const told_words& told, cudaStream_t stream);

/// Writes the tree, or nothing if its nodes need more room. @pre count_nodes; rows that exist are
/// there even where the order stopped
template <coordinate Real, class Key>
void write_nodes(const points_view<Real>& from, const sorted_points<Key>& points,
                 const tree_arrays<Real>& out, cudaStream_t stream);

/// Completes the nodes that go on past their tile. Called by write_nodes.
template <coordinate Real, class Key>
void complete_spanning(const sorted_points<Key>& points, const tree_arrays<Real>& out,
                       cudaStream_t stream);

}  // namespace tendril::cuda
