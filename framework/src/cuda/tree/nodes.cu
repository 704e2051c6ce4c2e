#include <algorithm>

#include "cuda/tree/kernels.cuh"

// From leaves to nodes. A block has a tile of positions: it fetches their points, boxes them, and
// writes every node that begins in the tile. Nodes that go on past its end get their boxes last,
// from the boxes of whole tiles.

namespace tendril::cuda {

namespace {

constexpr unsigned node_threads = 256;
constexpr unsigned per_thread = tree_tile / node_threads;
constexpr unsigned small_box = 8;   // points in a box of the first layer
constexpr unsigned large_box = 64;  // in one of the second
static_assert(tree_tile / small_box == node_threads);
static_assert(tree_tile / large_box == 32);

template <coordinate Real>
[[nodiscard]] __device__ box<Real> block_box(box<Real> b) {
  __shared__ box<Real> parts[node_threads / 32];
  b = warp_box(b);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    parts[threadIdx.x / 32] = b;
  }
  __syncthreads();
  b = parts[0];
  for (unsigned warp = 1; warp < node_threads / 32; ++warp) {
    extend(b, parts[warp]);
  }
  return b;
}

/// A tile's points, and boxes of 8 and of 64 of them: any range is boxed in a few dozen steps.
template <coordinate Real>
struct boxed_tile {
  point<Real> points[tree_tile];
  box<Real> small[tree_tile / small_box];
  box<Real> large[tree_tile / large_box];

  /// Fills the boxes. @pre all points are there
  __device__ void build(unsigned num_points) {
    box<Real> b = empty_box<Real>();
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
      for (unsigned k = 1; k < large_box / small_box; ++k) {
        extend(b, small[threadIdx.x * (large_box / small_box) + k]);
      }
      extend(b, small[threadIdx.x * (large_box / small_box)]);
      large[threadIdx.x] = b;
    }
  }

  [[nodiscard]] __device__ box<Real> over(unsigned first, unsigned end) const {
    box<Real> b = empty_box<Real>();
    for (unsigned i = first; i < end;) {
      if (i % large_box == 0 && i + large_box <= end) {
        extend(b, large[i / large_box]);
        i += large_box;
      } else if (i % small_box == 0 && i + small_box <= end) {
        extend(b, small[i / small_box]);
        i += small_box;
      } else {
        extend(b, points[i]);
        ++i;
      }
    }
    return b;
  }
};

/// The first leaf after `leaf` that is not in its cell of a level. @pre the leaf after it is
template <class Key>
[[nodiscard]] __device__ std::uint32_t leaf_after(const sorted_points<Key>& points,
                                                  std::uint32_t num_leaves, std::uint32_t leaf,
                                                  Key key, int level) {
  const auto is_inside = [&](std::uint64_t other) {
    return other < num_leaves && common_level(points.order.keys[points.leaf_first[other]], key,
                                              points.max_depth) >= level;
  };
  std::uint64_t inside = leaf + 1;
  std::uint64_t step = 1;
  while (is_inside(inside + step)) {
    inside += step;
    step *= 2;
  }
  for (; step != 0; step /= 2) {
    inside += is_inside(inside + step) ? step : 0;
  }
  return static_cast<std::uint32_t>(inside + 1);
}

/// Writes the nodes that begin with a leaf, from the top down; the last is the leaf.
template <coordinate Real, class Key>
__device__ void write_begun(const sorted_points<Key>& points, std::uint32_t num_leaves,
                            std::uint32_t leaf, const boxed_tile<Real>& tile, point_id tile_first,
                            point_id tile_end, quadtree_node<Real>* nodes) {
  const point_id first = points.leaf_first[leaf];
  const node_id top = points.leaf_node[leaf];
  const node_id end_of_begun = points.leaf_node[leaf + 1];
  const Key key = points.order.keys[first];
  const int top_level =
      first == 0 ? 0 : common_level(points.order.keys[first - 1], key, points.max_depth) + 1;
  for (node_id n = top; n != end_of_begun; ++n) {
    const int level = top_level + static_cast<int>(n - top);
    const std::uint32_t next_leaf =
        n + 1 == end_of_begun
            ? leaf + 1
            : (level == 0 ? num_leaves : leaf_after(points, num_leaves, leaf, key, level));
    const point_id end = points.leaf_first[next_leaf];
    nodes[n] = {tile.over(first - tile_first, min(end, tile_end) - tile_first), first, end,
                points.leaf_node[next_leaf], static_cast<std::uint32_t>(level)};
    if (end > tile_end) {
      points.spanning[atomicAdd(&points.state->num_spanning, 1U)] = n;
    }
  }
}

/// A block per tile: a thread fetches each 256th point, then boxes eight in a row, then takes each
/// 256th leaf. Shared memory: the boxed tile.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(node_threads)
    node_kernel(points_view<Real> from, sorted_points<Key> points, tree_arrays<Real> out) {
  __shared__ boxed_tile<Real> tile;
  const std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * tree_tile;
  const auto end = static_cast<point_id>(min(first + tree_tile, std::uint64_t{points.count}));
  point_id rows[per_thread];
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::uint64_t i = first + k * node_threads + threadIdx.x;
    rows[k] = points.order.rows[min(i, std::uint64_t{end} - 1)];
  }
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::uint64_t i = first + k * node_threads + threadIdx.x;
    const point<Real> p = load_point(from.positions + rows[k]);
    if (i < end) {
      out.rows[i] = rows[k];
      store_point(out.positions + i, p);
      tile.points[i - first] = p;
    }
  }
  __syncthreads();
  tile.build(static_cast<unsigned>(end - first));
  __syncthreads();
  if (threadIdx.x < 32) {
    const box<Real> whole = warp_box(tile.large[threadIdx.x]);
    if (threadIdx.x == 0) {
      out.tile_boxes[blockIdx.x] = whole;
    }
  }
  const std::uint32_t num_leaves = points.state->num_leaves;
  const std::uint32_t first_leaf = points.tiles[blockIdx.x].leaves;
  const std::uint32_t end_leaf =
      blockIdx.x + 1 < gridDim.x ? points.tiles[blockIdx.x + 1].leaves : num_leaves;
  for (std::uint32_t leaf = first_leaf + threadIdx.x; leaf < end_leaf; leaf += node_threads) {
    write_begun(points, num_leaves, leaf, tile, static_cast<point_id>(first), end, out.nodes);
  }
}

/// A block at a time completes the box of a node that goes on past its first tile.
template <coordinate Real>
__global__ void __launch_bounds__(node_threads)
    spanning_kernel(const node_id* spanning, const tree_state* state, tree_arrays<Real> out) {
  const std::uint32_t num_spanning = state->num_spanning;
  for (std::uint32_t s = blockIdx.x; s < num_spanning; s += gridDim.x) {
    quadtree_node<Real>& node = out.nodes[spanning[s]];
    const point_id first_tile = node.first / tree_tile;
    const point_id last_tile = (node.end - 1) / tree_tile;
    box<Real> b = node.bounds;
    for (point_id t = first_tile + 1 + threadIdx.x; t < last_tile; t += node_threads) {
      extend(b, out.tile_boxes[t]);
    }
    for (std::uint64_t i = static_cast<std::uint64_t>(last_tile) * tree_tile + threadIdx.x;
         i < node.end; i += node_threads) {
      extend(b, load_point(out.positions + i));
    }
    b = block_box(b);
    if (threadIdx.x == 0) {
      node.bounds = b;
    }
  }
}

}  // namespace

template <coordinate Real, class Key>
void write_nodes(const points_view<Real>& from, const sorted_points<Key>& points,
                 const tree_arrays<Real>& out, cudaStream_t stream) {
  const point_id num_tiles = tree_tiles(points.count);
  node_kernel<<<num_tiles, node_threads, 0, stream>>>(from, points, out);
  TENDRIL_CUDA_CHECK_LAUNCH();
  if (num_tiles > 1) {
    constexpr point_id most_blocks = 2048;
    spanning_kernel<<<std::min(num_tiles, most_blocks), node_threads, 0, stream>>>(
        points.spanning, points.state, out);
    TENDRIL_CUDA_CHECK_LAUNCH();
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
