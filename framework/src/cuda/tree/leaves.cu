#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <algorithm>

#include "cuda/tree/kernels.cuh"

// From sorted keys to leaves. Which nodes begin at a position follows from the keys around it: with
// p the deepest level whose cell holds this position and the one before, a node of level p + 1
// begins here if that cell has more than leaf_size points; below it one more begins for each level
// that is split at its first point.

namespace tendril::cuda {

namespace {

constexpr unsigned leaf_threads = 256;
constexpr unsigned per_thread = tree_tile / leaf_threads;

/// Sorted keys, asked about from a position.
template <class Key>
struct key_window {
  const Key* keys;
  std::uint64_t count;
  std::uint64_t leaf_size;
  int max_depth;

  [[nodiscard]] __device__ int common(std::uint64_t a, std::uint64_t b) const {
    return common_level(keys[a], keys[b], max_depth);
  }

  /// True if the cell of a level that holds position i has more than leaf_size points.
  [[nodiscard]] __device__ bool is_full(std::uint64_t i, int level) const {
    // The cell's first position, or the leaf_size-th before i: doubling steps, then halving ones.
    const std::uint64_t least = i > leaf_size ? i - leaf_size : 0;
    std::uint64_t inside = i;
    std::uint64_t step = 1;
    while (inside - least >= step && common(inside - step, i) >= level) {
      inside -= step;
      step *= 2;
    }
    for (; step != 0; step /= 2) {
      if (inside - least >= step && common(inside - step, i) >= level) {
        inside -= step;
      }
    }
    const std::uint64_t beyond = inside + leaf_size;
    return beyond < count && common(beyond, i) >= level;
  }

  /// The position after the last key equal to that at i. @pre i + known is one of them
  [[nodiscard]] __device__ std::uint64_t end_of_equal(std::uint64_t i, std::uint64_t known) const {
    std::uint64_t equal = i + known;
    std::uint64_t step = 1;
    while (equal + step < count && keys[equal + step] == keys[i]) {
      equal += step;
      step *= 2;
    }
    for (; step != 0; step /= 2) {
      if (equal + step < count && keys[equal + step] == keys[i]) {
        equal += step;
      }
    }
    return equal + 1;
  }

  /// The deepest level at which a cell that begins at i is split; -1 for none.
  [[nodiscard]] __device__ int deepest_split(std::uint64_t i) const {
    if (i + leaf_size >= count) {
      return -1;
    }
    if (keys[i + leaf_size] != keys[i]) {
      return common(i, i + leaf_size);
    }
    const std::uint64_t end = end_of_equal(i, leaf_size);
    return end < count ? common(i, end) : -1;
  }

  [[nodiscard]] __device__ unsigned num_begins(std::uint64_t i) const {
    int level = 0;
    if (i > 0) {
      if (keys[i] == keys[i - 1]) {
        return 0;
      }
      level = common(i - 1, i) + 1;
      if (!is_full(i, level - 1)) {
        return 0;
      }
    }
    return static_cast<unsigned>(max(1, deepest_split(i) - level + 2));
  }
};

/// Turns counts per tile into counts before each tile, and totals.
__device__ void scan_tiles(begun_before* tiles, unsigned num_tiles, tree_state* state) {
  using scan = cub::BlockScan<std::uint64_t, leaf_threads>;
  __shared__ typename scan::TempStorage leaf_storage;
  __shared__ typename scan::TempStorage node_storage;
  const unsigned share = (num_tiles + leaf_threads - 1) / leaf_threads;
  const unsigned first = min(threadIdx.x * share, num_tiles);
  const unsigned end = min(first + share, num_tiles);
  std::uint64_t leaves = 0;
  std::uint64_t nodes = 0;
  for (unsigned t = first; t < end; ++t) {
    leaves += __ldcg(&tiles[t].leaves);
    nodes += __ldcg(&tiles[t].nodes);
  }
  std::uint64_t all_leaves;
  std::uint64_t all_nodes;
  scan(leaf_storage).ExclusiveSum(leaves, leaves, all_leaves);
  scan(node_storage).ExclusiveSum(nodes, nodes, all_nodes);
  for (unsigned t = first; t < end; ++t) {
    const begun_before here{__ldcg(&tiles[t].leaves), __ldcg(&tiles[t].nodes)};
    tiles[t] = {static_cast<std::uint32_t>(leaves), nodes};
    leaves += here.leaves;
    nodes += here.nodes;
  }
  if (threadIdx.x == 0) {
    state->num_leaves = static_cast<std::uint32_t>(all_leaves);
    state->num_nodes = all_nodes;
  }
}

/// A block counts what begins in its tile, a thread each 256th position. The last block to be done
/// adds the tiles up.
template <class Key>
__global__ void __launch_bounds__(leaf_threads)
    count_kernel(key_window<Key> window, std::uint8_t* begins, begun_before* tiles,
                 tree_state* state) {
  using reduce = cub::BlockReduce<std::uint64_t, leaf_threads>;
  __shared__ typename reduce::TempStorage storage;
  __shared__ bool is_last;
  const std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * tree_tile;
  std::uint64_t sum = 0;  // leaves in the upper half
  for (unsigned k = 0; k < per_thread; ++k) {
    const std::uint64_t i = first + k * leaf_threads + threadIdx.x;
    if (i < window.count) {
      const unsigned n = window.num_begins(i);
      begins[i] = static_cast<std::uint8_t>(n);
      sum += n + (static_cast<std::uint64_t>(n != 0) << 32);
    }
  }
  sum = reduce(storage).Sum(sum);
  if (threadIdx.x == 0) {
    tiles[blockIdx.x] = {static_cast<std::uint32_t>(sum >> 32), sum & 0xFFFFFFFF};
    __threadfence();
    is_last = atomicInc(&state->tiles_counted, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (is_last) {
    scan_tiles(tiles, gridDim.x, state);
  }
}

/// A block lists the leaves of its tile, a thread those of eight positions in a row.
__global__ void __launch_bounds__(leaf_threads)
    list_kernel(const std::uint8_t* begins, std::uint64_t count, const begun_before* tiles,
                const tree_state* state, point_id* leaf_first, node_id* leaf_node) {
  using scan = cub::BlockScan<std::uint64_t, leaf_threads>;
  __shared__ typename scan::TempStorage storage;
  const std::uint64_t first =
      static_cast<std::uint64_t>(blockIdx.x) * tree_tile + threadIdx.x * per_thread;
  std::uint8_t begun[per_thread];
  std::uint64_t sum = 0;
  static_assert(per_thread == sizeof(uint2));
  const uint2 eight = first < count ? *reinterpret_cast<const uint2*>(begins + first) : uint2{};
  memcpy(begun, &eight, sizeof begun);
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    begun[k] = first + k < count ? begun[k] : 0;
    sum += begun[k] + (static_cast<std::uint64_t>(begun[k] != 0) << 32);
  }
  scan(storage).ExclusiveSum(sum, sum);
  const begun_before before = tiles[blockIdx.x];
  std::uint32_t leaf = before.leaves + static_cast<std::uint32_t>(sum >> 32);
  auto node = static_cast<node_id>(before.nodes + (sum & 0xFFFFFFFF));
#pragma unroll
  for (unsigned k = 0; k < per_thread; ++k) {
    if (begun[k] != 0) {
      leaf_first[leaf] = static_cast<point_id>(first + k);
      leaf_node[leaf] = node;
      ++leaf;
      node += begun[k];
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    leaf_first[state->num_leaves] = static_cast<point_id>(count);
    leaf_node[state->num_leaves] = static_cast<node_id>(state->num_nodes);
  }
}

}  // namespace

template <class Key>
void count_nodes(const sorted_points<Key>& points, cudaStream_t stream) {
  const key_window<Key> window{points.order.keys, points.count, points.leaf_size, points.max_depth};
  count_kernel<<<tree_tiles(points.count), leaf_threads, 0, stream>>>(window, points.begins,
                                                                      points.tiles, points.state);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <class Key>
void list_leaves(const sorted_points<Key>& points, cudaStream_t stream) {
  list_kernel<<<tree_tiles(points.count), leaf_threads, 0, stream>>>(
      points.begins, points.count, points.tiles, points.state, points.leaf_first, points.leaf_node);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template void count_nodes(const sorted_points<std::uint32_t>&, cudaStream_t);
template void count_nodes(const sorted_points<std::uint64_t>&, cudaStream_t);
template void list_leaves(const sorted_points<std::uint32_t>&, cudaStream_t);
template void list_leaves(const sorted_points<std::uint64_t>&, cudaStream_t);

}  // namespace tendril::cuda
