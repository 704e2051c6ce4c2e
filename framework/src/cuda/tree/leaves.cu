#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <algorithm>

#include "cuda/tree/kernels.cuh"

// From sorted keys to leaves. Say that position i joins at the deepest level whose cell holds i and
// the position before it, and that a window at i (the leaf_size + 1 positions from i on) reaches
// the deepest level whose cell holds it whole. Then the cells that hold i and more than leaf_size
// points are those down to the deepest level that a window over i reaches. If i joins no deeper
// than that, a node begins at i, one level below; and one more for each level down to where the
// window at i reaches.

namespace tendril::cuda {

namespace {

constexpr unsigned leaf_threads = 256;
constexpr unsigned levels_per_thread = 8;
static_assert(tree_tile == leaf_threads * levels_per_thread);

/// Levels as bytes, one more than they are: 0 stands for none.
using level_byte = std::uint8_t;
constexpr level_byte joins_never = 255;

/// Sorted keys, asked about from a position.
template <class Key>
struct key_window {
  const Key* keys;
  std::uint64_t count;
  std::uint64_t leaf_size;
  int max_depth;

  [[nodiscard]] __device__ level_byte joins(std::uint64_t i) const {
    if (i == 0) {
      return 0;
    }
    const Key here = keys[i];
    const Key before = keys[i - 1];
    return here == before ? joins_never
                          : static_cast<level_byte>(common_level(before, here, max_depth) + 1);
  }

  [[nodiscard]] __device__ level_byte reaches(std::uint64_t i) const {
    return i + leaf_size < count
               ? static_cast<level_byte>(common_level(keys[i], keys[i + leaf_size], max_depth) + 1)
               : 0;
  }

  /// Where a window reaches that holds more equal keys than a leaf: to where they end.
  [[nodiscard]] __device__ level_byte reaches_past_equal(std::uint64_t i) const {
    std::uint64_t equal = i + leaf_size;
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
    return equal + 1 < count
               ? static_cast<level_byte>(common_level(keys[i], keys[equal + 1], max_depth) + 1)
               : 0;
  }

  /// True if the cell of a level that holds position i has more than leaf_size points.
  [[nodiscard]] __device__ bool is_full(std::uint64_t i, int level) const {
    const auto is_inside = [&](std::uint64_t other) {
      return common_level(keys[other], keys[i], max_depth) >= level;
    };
    // The cell's first position, or the leaf_size-th before i: doubling steps, then halving ones.
    std::uint64_t to_go = i < leaf_size ? i : leaf_size;
    std::uint64_t inside = i;
    std::uint64_t step = 1;
    const auto go = [&] {
      const bool goes = step <= to_go && is_inside(inside - step);
      inside -= goes ? step : 0;
      to_go -= goes ? step : 0;
      return goes;
    };
    while (go()) {
      step *= 2;
    }
    for (; step != 0; step /= 2) {
      static_cast<void>(go());
    }
    return inside + leaf_size < count && is_inside(inside + leaf_size);
  }

  /// Nodes that begin at i, where one does.
  [[nodiscard]] __device__ unsigned num_begun(std::uint64_t i, level_byte joined,
                                              level_byte reached) const {
    const int split = reached == max_depth + 1 ? reaches_past_equal(i) : reached;
    return static_cast<unsigned>(max(1, split - joined + 1));
  }
};

/// Eight positions' bytes.
using level_word = std::uint64_t;
static_assert(sizeof(level_word) == levels_per_thread);

[[nodiscard]] __device__ level_byte byte_of(level_word word, unsigned k) {
  return static_cast<level_byte>(word >> (8 * k));
}

[[nodiscard]] __device__ level_word larger_bytes(level_word a, level_word b) {
  const auto low = __vmaxu4(static_cast<unsigned>(a), static_cast<unsigned>(b));
  const auto high = __vmaxu4(static_cast<unsigned>(a >> 32), static_cast<unsigned>(b >> 32));
  return low | static_cast<level_word>(high) << 32;
}

/// The eight bytes from one on; 0 before the first.
[[nodiscard]] __device__ level_word bytes_from(const level_word* words, int at) {
  if (at < 0) {
    return at <= -8 ? 0 : words[0] << (-8 * at);
  }
  const int shift = at % 8 * 8;
  const level_word low = words[at / 8];
  return shift == 0 ? low : low >> shift | words[at / 8 + 1] << (64 - shift);
}

/// A tile's windows in shared memory, and those of leaf_size positions before it.
struct tile_windows {
  static constexpr unsigned most_before = 1024;

  level_word words[2][(most_before + tree_tile) / levels_per_thread];
  level_byte joined[tree_tile];

  /// Makes each byte the deepest of itself and of leaf_size bytes before it.
  /// @return where the tile's own are
  template <class Reached>
  __device__ const level_word* slide(unsigned leaf_size, unsigned padding, const Reached& reached) {
    auto* bytes = reinterpret_cast<level_byte*>(words[0]);
    level_byte own[levels_per_thread];
#pragma unroll
    for (unsigned k = 0; k < levels_per_thread; ++k) {  // all loads before the first store
      own[k] = reached(padding + k * leaf_threads + threadIdx.x);
    }
    for (unsigned i = threadIdx.x; i < padding; i += leaf_threads) {
      bytes[i] = reached(i);
    }
#pragma unroll
    for (unsigned k = 0; k < levels_per_thread; ++k) {
      bytes[padding + k * leaf_threads + threadIdx.x] = own[k];
    }
    __syncthreads();
    const unsigned num_words = (padding + tree_tile) / levels_per_thread;
    int source = 0;
    const auto widen = [&](int by) {
      for (unsigned w = threadIdx.x; w < num_words; w += leaf_threads) {
        words[1 - source][w] =
            larger_bytes(words[source][w],
                         bytes_from(words[source], static_cast<int>(w * levels_per_thread) - by));
      }
      __syncthreads();
      source = 1 - source;
    };
    unsigned width = 1;
    for (; 2 * width <= leaf_size + 1; width *= 2) {
      widen(static_cast<int>(width));
    }
    widen(static_cast<int>(leaf_size + 1 - width));
    return words[source] + padding / levels_per_thread;
  }
};

/// Turns counts per tile into counts before each tile, and totals.
__device__ void scan_tiles(begun_before* tiles, unsigned num_tiles, const std::uint32_t* stopped,
                           tree_state* state) {
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
    state->num_nodes = stopped != nullptr && *stopped != 0 ? nodes_unknown : all_nodes;
  }
}

/// A block counts what begins in its tile, a thread at eight positions in a row. The last block to
/// be done adds the tiles up and tells the host.
template <class Key>
__global__ void __launch_bounds__(leaf_threads)
    count_kernel(key_window<Key> window, std::uint8_t* begins, begun_before* tiles,
                 const std::uint32_t* stopped, tree_state* state, told_words told) {
  using reduce = cub::BlockReduce<std::uint64_t, leaf_threads>;
  __shared__ typename reduce::TempStorage storage;
  __shared__ tile_windows shared;
  __shared__ bool is_last;
  cudaTriggerProgrammaticLaunchCompletion();
  const std::uint64_t first = static_cast<std::uint64_t>(blockIdx.x) * tree_tile;
  const std::uint64_t mine = first + threadIdx.x * levels_per_thread;
#pragma unroll
  for (unsigned i = threadIdx.x; i < tree_tile; i += leaf_threads) {
    shared.joined[i] = first + i < window.count ? window.joins(first + i) : joins_never;
  }
  const bool looks_one_by_one = window.leaf_size > tile_windows::most_before;
  level_word deepest = ~level_word{0};
  if (looks_one_by_one) {
    __syncthreads();
  } else {
    const auto leaf_size = static_cast<unsigned>(window.leaf_size);
    const unsigned padding =
        (leaf_size + levels_per_thread - 1) / levels_per_thread * levels_per_thread;
    deepest = shared.slide(leaf_size, padding, [&](unsigned i) -> level_byte {
      return first + i < padding ? 0 : window.reaches(first + i - padding);
    })[threadIdx.x];
  }

  const level_word joined = reinterpret_cast<const level_word*>(shared.joined)[threadIdx.x];
  std::uint64_t sum = 0;  // leaves in the upper half
  level_word begun = 0;
#pragma unroll
  for (unsigned k = 0; k < levels_per_thread; ++k) {
    const level_byte joins = byte_of(joined, k);
    const bool begins_here = joins != joins_never &&
                             (looks_one_by_one ? joins == 0 || window.is_full(mine + k, joins - 1)
                                               : joins <= byte_of(deepest, k));
    if (begins_here) {
      const unsigned n = window.num_begun(mine + k, joins, window.reaches(mine + k));
      begun |= static_cast<level_word>(n) << (8 * k);
      sum += n + (std::uint64_t{1} << 32);
    }
  }
  if (mine < window.count) {
    reinterpret_cast<level_word*>(begins)[mine / levels_per_thread] = begun;
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
    scan_tiles(tiles, gridDim.x, stopped, state);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < told.count; i += leaf_threads) {
      told.to[i] = __ldcg(told.from + i);
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
      *static_cast<volatile std::uint32_t*>(told.number_at) = told.number;
    }
  }
}

}  // namespace

template <class Key>
void count_nodes(const sorted_points<Key>& points, const told_words& told, cudaStream_t stream) {
  const key_window<Key> window{points.order.keys, points.count, points.leaf_size, points.max_depth};
  count_kernel<<<tree_tiles(points.count), leaf_threads, 0, stream>>>(
      window, points.begins, points.tiles, points.stopped, points.state, told);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template void count_nodes(const sorted_points<std::uint32_t>&, const told_words&, cudaStream_t);
template void count_nodes(const sorted_points<std::uint64_t>&, const told_words&, cudaStream_t);

}  // namespace tendril::cuda
