#include <cub/block/block_scan.cuh>

#include "cuda/tree/kernels.cuh"

// From counts of nodes to nodes. A block has a tile of positions: it lists its
// leaves, fetches the points, boxes them, and writes every node that begins in
// the tile. What goes on past its end is listed, to be completed by
// spanning.cu.

namespace tendril::cuda {

namespace {

constexpr unsigned node_threads = 256;
constexpr unsigned begins_per_thread = tree_tile / node_threads;
constexpr unsigned small_box = 8;                      // points in a box of the first layer
constexpr unsigned large_box = tree_tile / box_parts;  // in one of the second
static_assert(tree_tile / small_box == node_threads && box_parts == 32);
static_assert(begins_per_thread == sizeof(std::uint64_t));

/// A tile's points, and boxes of 8 and of 64 of them: any range is boxed in a
/// few dozen steps.
template <coordinate Real>
struct boxed_tile {
  point<Real> points[tree_tile];
  box<Real> small[tree_tile / small_box];
  box<Real> large[tree_tile / large_box];

  /// Fills the boxes. @pre all points are there
  __device__ void build(unsigned num_points) {
    box<Real> b = empty_box<Real>();
#pragma unroll
    for (unsigned k = 0; k < small_box; ++k) {
      // Turned by the thread, so that a warp's loads spread over the banks.
      const unsigned i = threadIdx.x * small_box + (k + threadIdx.x) % small_box;
      if (i < num_points) {
        extend(b, points[i]);
      }
    }
    small[threadIdx.x] = b;
    __syncthreads();
    if (threadIdx.x < tree_tile / large_box) {
      b = empty_box<Real>();
      for (unsigned k = 0; k < large_box / small_box; ++k) {
        extend(b, small[threadIdx.x * (large_box / small_box) + k]);
      }
      large[threadIdx.x] = b;
    }
  }

  /// Boxes a range by points up to a small box, small boxes up to a large one,
  /// and so on back.
  [[nodiscard]] __device__ box<Real> over(unsigned first, unsigned end) const {
    constexpr unsigned ratio = large_box / small_box;
    const unsigned first_small = (first + small_box - 1) / small_box;
    const unsigned end_small = end / small_box;
    box<Real> b = empty_box<Real>();
    if (first_small >= end_small) {
      extend_by(b, points, first, end);
      return b;
    }
    const unsigned first_large = (first_small + ratio - 1) / ratio;
    const unsigned end_large = end_small / ratio;
    extend_by(b, points, first, first_small * small_box);
    if (first_large >= end_large) {
      extend_by(b, small, first_small, end_small);
    } else {
      extend_by(b, small, first_small, first_large * ratio);
      extend_by(b, large, first_large, end_large);
      extend_by(b, small, end_large * ratio, end_small);
    }
    extend_by(b, points, end_small * small_box, end);
    return b;
  }

 private:
  /// Extends a box by items first .. end - 1: loads that do not wait for each
  /// other.
  template <class Item>
  static __device__ void extend_by(box<Real>& b, const Item* items, unsigned first, unsigned end) {
#pragma unroll 4
    for (unsigned i = first; i < end; ++i) {
      extend(b, items[i]);
    }
  }
};

/// The leaves that begin in a tile, in the list of all leaves.
struct tile_leaves {
  const point_id* leaf_first;  ///< [count], where each begins
  const node_id* leaf_node;    ///< [count], the first node that begins with it
  std::uint32_t count;
  point_id tile_end;
  node_id nodes_end;  ///< the first node that begins after the tile

  /// Where a leaf of the tile begins; what follows the last one lies behind the
  /// tile.
  [[nodiscard]] __device__ point_id first(std::uint32_t leaf) const {
    return leaf < count ? leaf_first[leaf] : tile_end;
  }
  [[nodiscard]] __device__ node_id node(std::uint32_t leaf) const {
    return leaf < count ? leaf_node[leaf] : nodes_end;
  }
};

/// A block lists the leaves of its tile, a thread those of eight positions in a
/// row.
/// @param tops  [leaves of the tile], level of the first node that begins with
/// each
template <class Key>
__device__ tile_leaves list_leaves(const sorted_points<Key>& points, std::uint8_t* tops) {
  using scan = cub::BlockScan<std::uint64_t, node_threads>;
  __shared__ typename scan::TempStorage storage;
  const std::uint64_t tile_first = static_cast<std::uint64_t>(blockIdx.x) * tree_tile;
  const std::uint64_t first = tile_first + threadIdx.x * begins_per_thread;
  const std::uint64_t begun =
      first < points.count
          ? reinterpret_cast<const std::uint64_t*>(points.begins)[first / begins_per_thread]
          : 0;
  const auto begun_at = [&](unsigned k) { return static_cast<std::uint8_t>(begun >> (8 * k)); };
  std::uint64_t sum = 0;  // leaves in the upper half
#pragma unroll
  for (unsigned k = 0; k < begins_per_thread; ++k) {
    sum += begun_at(k) + (static_cast<std::uint64_t>(begun_at(k) != 0) << 32);
  }
  scan(storage).ExclusiveSum(sum, sum);
  const tree_state& state = *points.state;
  const bool is_last = blockIdx.x + 1 == gridDim.x;
  const begun_before before = points.tiles[blockIdx.x];
  const begun_before after =
      is_last ? begun_before{state.num_leaves, state.num_nodes} : points.tiles[blockIdx.x + 1];
  auto leaf = static_cast<std::uint32_t>(sum >> 32);
  auto node = static_cast<node_id>(before.nodes + (sum & 0xFFFFFFFF));
#pragma unroll
  for (unsigned k = 0; k < begins_per_thread; ++k) {
    if (begun_at(k) != 0) {
      const std::uint64_t at = first + k;
      const Key* key = points.order.keys + at;
      tops[leaf] = static_cast<std::uint8_t>(
          at == 0 ? 0 : common_level(key[-1], key[0], points.max_depth) + 1);
      points.leaf_first[before.leaves + leaf] = static_cast<point_id>(at);
      points.leaf_node[before.leaves + leaf] = node;
      ++leaf;
      node += begun_at(k);
    }
  }
  if (is_last && threadIdx.x == 0) {
    points.leaf_first[state.num_leaves] = points.count;
    points.leaf_node[state.num_leaves] = static_cast<node_id>(state.num_nodes);
  }
  return {points.leaf_first + before.leaves, points.leaf_node + before.leaves,
          after.leaves - before.leaves,
          static_cast<point_id>(min(tile_first + tree_tile, std::uint64_t{points.count})),
          static_cast<node_id>(after.nodes)};
}

/// The first leaf from one on whose first node lies no deeper than a level,
/// else `count`.
/// @param tops  aligned to words
[[nodiscard]] __device__ std::uint32_t first_above(const std::uint8_t* tops, std::uint32_t leaf,
                                                   std::uint32_t count, int level) {
  const unsigned levels = static_cast<unsigned>(level) * 0x01010101U;
  while (leaf < count) {
    const bool is_word = leaf % 4 == 0 && leaf + 4 <= count;
    if (is_word && __vcmpleu4(*reinterpret_cast<const unsigned*>(tops + leaf), levels) == 0) {
      leaf += 4;
    } else if (tops[leaf] > level) {
      ++leaf;
    } else {
      break;
    }
  }
  return leaf;
}

/// Writes the nodes that begin with a leaf, from the leaf up; each box extends
/// the one before. What reaches the end of the tile is listed, with its part of
/// the tile as its box.
template <coordinate Real, class Key>
__device__ void write_begun(const sorted_points<Key>& points, const tile_leaves& leaves,
                            std::uint32_t leaf, const std::uint8_t* tops,
                            const boxed_tile<Real>& tile, point_id tile_first,
                            quadtree_node<Real>* nodes) {
  const point_id first = leaves.first(leaf);
  const node_id top = leaves.node(leaf);
  const node_id end_of_begun = leaves.node(leaf + 1);
  std::uint32_t after = leaf + 1;  // the first leaf that is not below the node
  box<Real> bounds = empty_box<Real>();
  point_id boxed = first;
  for (node_id n = end_of_begun; n-- != top;) {
    const int level = tops[leaf] + static_cast<int>(n - top);
    const bool is_leaf = n + 1 == end_of_begun;
    after = is_leaf ? after : first_above(tops, after, leaves.count, level);
    const point_id end = leaves.first(after);
    extend(bounds, tile.over(boxed - tile_first, end - tile_first));
    boxed = end;
    nodes[n] = {bounds, first, end, leaves.node(after), static_cast<std::uint32_t>(level)};
    if (end == leaves.tile_end && end != points.count) {
      points.spanning[atomicAdd(&points.state->num_spanning, 1U)] = n;
    }
  }
}

/// A block per tile: a thread fetches each 256th point, then boxes eight in a
/// row, then takes each 256th leaf. Shared memory: the boxed tile, and a byte
/// per leaf.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(node_threads)
    node_kernel(points_view<Real> from, sorted_points<Key> points, tree_arrays<Real> out) {
  __shared__ boxed_tile<Real> tile;
  __shared__ alignas(unsigned) std::uint8_t tops[tree_tile];
  cudaTriggerProgrammaticLaunchCompletion();
  const std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * tree_tile;
  const auto end = static_cast<point_id>(min(first + tree_tile, std::uint64_t{points.count}));

  // 1. Points, while nodes are still counted; then where leaves begin.
  point_id rows[begins_per_thread];
#pragma unroll
  for (unsigned k = 0; k < begins_per_thread; ++k) {
    const std::uint64_t i = first + k * node_threads + threadIdx.x;
    rows[k] = points.order.rows[min(i, std::uint64_t{end} - 1)];
  }
  point<Real> fetched[begins_per_thread];
#pragma unroll
  for (unsigned k = 0; k < begins_per_thread; ++k) {
    fetched[k] = load_point(from.positions + rows[k]);
  }
  cudaGridDependencySynchronize();
  if (points.state->num_nodes > out.room) {
    return;
  }
  const tile_leaves leaves = list_leaves(points, tops);
#pragma unroll
  for (unsigned k = 0; k < begins_per_thread; ++k) {
    const std::uint64_t i = first + k * node_threads + threadIdx.x;
    if (i < end) {
      out.rows[i] = rows[k];
      store_point(out.positions + i, fetched[k]);
      tile.points[i - first] = fetched[k];
    }
  }
  __syncthreads();

  // 2. Boxes.
  tile.build(static_cast<unsigned>(end - first));
  __syncthreads();
  if (threadIdx.x < box_parts) {
    const box<Real> part = tile.large[threadIdx.x];
    out.part_boxes[std::size_t{blockIdx.x} * box_parts + threadIdx.x] = part;
    const box<Real> whole = warp_box(part);
    if (threadIdx.x == 0) {
      out.tile_boxes[blockIdx.x] = whole;
    }
  }

  // 3. Nodes.
  for (std::uint32_t leaf = threadIdx.x; leaf < leaves.count; leaf += node_threads) {
    write_begun(points, leaves, leaf, tops, tile, static_cast<point_id>(first), out.nodes);
  }
}

}  // namespace

template <coordinate Real, class Key>
void write_nodes(const points_view<Real>& from, const sorted_points<Key>& points,
                 const tree_arrays<Real>& out, cudaStream_t stream) {
  const point_id num_tiles = tree_tiles(points.count);
  launch_early(node_kernel<Real, Key>, num_tiles, node_threads, 0, stream, from, points, out);
  if (num_tiles > 1) {
    complete_spanning(points, out, stream);
  }
}

#define TENDRIL_NODES_FOR(Real, Key)                                             \
  template void write_nodes(const points_view<Real>&, const sorted_points<Key>&, \
                            const tree_arrays<Real>&, cudaStream_t);
TENDRIL_NODES_FOR(float, std::uint32_t)
TENDRIL_NODES_FOR(float, std::uint64_t)
TENDRIL_NODES_FOR(double, std::uint32_t)
TENDRIL_NODES_FOR(double, std::uint64_t)
#undef TENDRIL_NODES_FOR

}  // namespace tendril::cuda
