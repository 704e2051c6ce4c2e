#include <algorithm>

#include "cuda/tree/kernels.cuh"

// Nodes that go on past the tile they begin in: their ends by a search of the keys, their boxes
// from those of whole tiles and of parts of the last one.

namespace tendril::cuda {

namespace {

constexpr unsigned spanning_threads = 256;
constexpr unsigned part_points = tree_tile / box_parts;

template <coordinate Real>
[[nodiscard]] __device__ box<Real> block_box(box<Real> b) {
  __shared__ box<Real> parts[spanning_threads / 32];
  b = warp_box(b);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    parts[threadIdx.x / 32] = b;
  }
  __syncthreads();
  b = parts[0];
  for (unsigned warp = 1; warp < spanning_threads / 32; ++warp) {
    extend(b, parts[warp]);
  }
  return b;
}

/// The first index in low .. high - 1 for which a test fails, else high: a warp tries 32 at a time.
/// @pre the test holds up to some index and fails from there on
template <class Test>
[[nodiscard]] __device__ std::uint64_t warp_partition_point(std::uint64_t low, std::uint64_t high,
                                                            const Test& holds) {
  const unsigned lane = threadIdx.x % 32;
  while (low < high) {
    const std::uint64_t step = (high - low + 31) / 32;
    const std::uint64_t at = low + lane * step;
    const unsigned held = __popc(__ballot_sync(0xFFFFFFFF, at < high && holds(at)));
    if (held == 0) {
      return low;
    }
    high = min(high, low + held * step);
    low += (held - 1) * step + 1;
  }
  return low;
}

/// Completes the end and the next node of a node that goes on past its tile.
template <coordinate Real, class Key>
__device__ void find_end(const sorted_points<Key>& points, quadtree_node<Real>& node) {
  const Key key = points.order.keys[node.first];
  const auto level = static_cast<int>(node.depth);
  const point_id tile_end = (node.first / tree_tile + 1) * tree_tile;
  const auto end =
      static_cast<point_id>(warp_partition_point(tile_end, points.count, [&](std::uint64_t i) {
        return common_level(points.order.keys[i], key, points.max_depth) >= level;
      }));
  const std::uint32_t num_leaves = points.state->num_leaves;
  const std::uint32_t t = end / tree_tile;
  const bool is_last = (t + 1) * std::uint64_t{tree_tile} >= points.count;
  const std::uint64_t leaf =
      end == points.count
          ? num_leaves
          : warp_partition_point(points.tiles[t].leaves,
                                 is_last ? num_leaves : points.tiles[t + 1].leaves,
                                 [&](std::uint64_t l) { return points.leaf_first[l] < end; });
  node.end = end;
  node.next = points.leaf_node[leaf];
}

/// Adds what lies beyond a node's first tile to its box: whole tiles, parts of one, then points.
/// @param lane, lanes  this thread among those that work together
template <coordinate Real>
[[nodiscard]] __device__ box<Real> box_beyond(const quadtree_node<Real>& node,
                                              const tree_arrays<Real>& out, unsigned lane,
                                              unsigned lanes) {
  const point_id first_tile = node.first / tree_tile + 1;
  const point_id last_tile = node.end / tree_tile;
  box<Real> b = node.bounds;
#pragma unroll 4
  for (point_id t = first_tile + lane; t < last_tile; t += lanes) {
    extend(b, out.tile_boxes[t]);
  }
  const point_id last_part = node.end / part_points;
  for (point_id part = last_tile * box_parts + lane; part < last_part; part += lanes) {
    extend(b, out.part_boxes[part]);
  }
  for (std::uint64_t i = std::uint64_t{last_part} * part_points + lane; i < node.end; i += lanes) {
    extend(b, load_point(out.positions + i));
  }
  return b;
}

/// A warp at a time completes a node that goes on past its first tile. Nodes of many tiles are left
/// for the whole block.
template <coordinate Real, class Key>
__global__ void __launch_bounds__(spanning_threads)
    spanning_kernel(sorted_points<Key> points, tree_arrays<Real> out) {
  constexpr unsigned warps = spanning_threads / 32;
  constexpr point_id many = 32 * tree_tile;
  __shared__ bool is_left[warps];
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  cudaGridDependencySynchronize();
  const std::uint32_t num_spanning = points.state->num_spanning;  // 0 where there was no room
  for (std::uint32_t base = blockIdx.x * warps; base < num_spanning; base += gridDim.x * warps) {
    bool leaves_it = false;
    if (base + warp < num_spanning) {
      quadtree_node<Real>* node = out.nodes + points.spanning[base + warp];
      quadtree_node<Real> completed = *node;
      find_end(points, completed);
      leaves_it = completed.num_points() > many;
      if (!leaves_it) {
        completed.bounds = warp_box(box_beyond(completed, out, lane, 32));
      }
      __syncwarp();
      if (lane == 0) {
        *node = completed;
      }
    }
    if (lane == 0) {
      is_left[warp] = leaves_it;
    }
    __syncthreads();
    for (unsigned w = 0; w < warps; ++w) {
      if (is_left[w]) {
        quadtree_node<Real>& node = out.nodes[points.spanning[base + w]];
        const box<Real> b = block_box(box_beyond(node, out, threadIdx.x, spanning_threads));
        if (threadIdx.x == 0) {
          node.bounds = b;
        }
      }
    }
    __syncthreads();
  }
}

}  // namespace

template <coordinate Real, class Key>
void complete_spanning(const sorted_points<Key>& points, const tree_arrays<Real>& out,
                       cudaStream_t stream) {
  constexpr point_id most_blocks = 2048;
  launch_early(spanning_kernel<Real, Key>, std::min(tree_tiles(points.count), most_blocks),
               spanning_threads, 0, stream, points, out);
}

#define TENDRIL_SPANNING_FOR(Real, Key)                                                \
  template void complete_spanning(const sorted_points<Key>&, const tree_arrays<Real>&, \
                                  cudaStream_t);
TENDRIL_SPANNING_FOR(float, std::uint32_t)
TENDRIL_SPANNING_FOR(float, std::uint64_t)
TENDRIL_SPANNING_FOR(double, std::uint32_t)
TENDRIL_SPANNING_FOR(double, std::uint64_t)
#undef TENDRIL_SPANNING_FOR

}  // namespace tendril::cuda
