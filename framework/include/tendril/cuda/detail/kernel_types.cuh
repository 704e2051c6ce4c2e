#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/cuda/detail/placed_graph.hpp"
#include "tendril/cuda/detail/workspace.hpp"
#include "tendril/traverse/call.hpp"
#include "tendril/traverse/options.hpp"

// What the kernels of a traversal share: the graph as they read it, the queue, the counters, the
// place in the traversal, and a block's shared memory.

namespace tendril::cuda {

/// What the work mapping of all traversal kernels has in common.
struct kernel_shape {
  static constexpr unsigned push_items = 4;       ///< edges per thread of a full tile of a push
  static constexpr unsigned tile_rows = 2048;     ///< rows of a tile in shared memory
  static constexpr unsigned warp_words = 16;      ///< bitmap words that a warp takes at a time
  static constexpr unsigned dense_words = 4;      ///< a pull looks at as many at a time
  static constexpr int dense_bits = 12;           ///< if a word has as many unvisited vertices
  static constexpr unsigned serial_edges = 16;    ///< a pull's lane looks at these alone
  static constexpr unsigned tile_hub_parts = 16;  ///< parts of long rows in a tile of a pull
  /// Tiles of a step for each resident block, at most: enough to balance, and few, since each costs
  /// barriers, a request and a block that may start in vain.
  static constexpr unsigned tiles_per_block = 4;
};

/// The blocks of a kernel. As many threads as registers allow, in any case.
template <unsigned Threads, unsigned BlocksPerMultiprocessor>
struct block_shape : kernel_shape {
  static constexpr unsigned threads = Threads;
  static constexpr unsigned blocks_per_multiprocessor = BlocksPerMultiprocessor;
  static constexpr unsigned warps = threads / 32;
  static constexpr unsigned tile_words = warps * warp_words;
  static constexpr unsigned tile_clears = 4 * threads;  ///< words of a tile that is cleared
};
/// Of kernels that the host launches.
using host_shape = block_shape<512, 2>;
/// Of kernels launched from the device: a multiprocessor gives these grids shared memory for one
/// block only.
using device_shape = block_shape<1024, 1>;

/// The graph as kernels read it.
template <weight W, class Position>
struct kernel_graph {
  device_rows<W, Position> out;
  device_rows<W, Position> in;
  const degree_byte* degrees;
  const vertex_id* first_in;  ///< null where a pull is not prepared
  const bit_word* isolated;
  const hub_part* hub_parts;
  const short_row* short_rows;
  edge_offset num_edges;
  vertex_id num_vertices;
  vertex_id num_enterable;  ///< vertices that are not isolated
  std::uint32_t num_words;
  std::uint32_t num_hub_parts;

  /// @param known  degrees[v]
  [[nodiscard]] __device__ Position out_degree(vertex_id v, std::uint32_t known) const {
    return known == many_edges ? out.degree(v) : known;
  }
  [[nodiscard]] __device__ Position out_degree(vertex_id v) const {
    return out_degree(v, degrees[v]);
  }
};

/// True if a push must know where its edges come from.
template <class Visitor, weight W>
inline constexpr bool reads_edges =
    ::tendril::detail::arrives_by_edge<Visitor, W> || ::tendril::detail::has_admits<Visitor, W>;
/// True if packed rows, which have no weights, hold all that the visitor reads.
template <class Visitor, weight W>
inline constexpr bool takes_short_rows = std::is_same_v<W, none> || !reads_edges<Visitor, W>;

template <weight W, class Position>
[[nodiscard]] __device__ edge<W> edge_at(const device_rows<W, Position>& rows, Position position,
                                         vertex_id source, vertex_id target) {
  if constexpr (std::is_same_v<W, none>) {
    return {source, target, {}};
  } else {
    return {source, target, rows.weights[position]};
  }
}

/// Vertices to expand, in the order in which they got their slots. Edge i of a level, counted over
/// the level's entries, lies at position i + shift of its row.
template <class Position>
struct frontier_queue {
  Position* edges_before;  ///< edges of the level's entries before this one; null: without edges
  Position* shift;         ///< first edge's position - edges_before, wrapping
  vertex_id* vertices;     ///< null where the visitor reads no edges

  [[nodiscard]] __device__ frontier_queue from(std::uint64_t slot) const {
    return {has_edges() ? edges_before + slot : nullptr, has_edges() ? shift + slot : nullptr,
            vertices == nullptr ? nullptr : vertices + slot};
  }
  [[nodiscard]] TENDRIL_HD bool has_edges() const { return edges_before != nullptr; }
  /// @param edges  of the level's entries before this one
  __device__ void put(std::uint32_t slot, vertex_id v, Position first_edge, Position edges) const {
    if (has_edges()) {
      edges_before[slot] = edges;
      shift[slot] = first_edge - edges;
    }
    if (vertices != nullptr) {
      vertices[slot] = v;
    }
  }
};

/// A count of vertices and one of edges in 64 bits, so that one atomic reserves queue slots and
/// edge offsets together.
struct packed_counts {
  std::uint32_t edge_bits;

  [[nodiscard]] TENDRIL_HD unsigned long long pack(std::uint32_t vertices,
                                                   std::uint64_t edges) const {
    return static_cast<unsigned long long>(vertices) << edge_bits | edges;
  }
  [[nodiscard]] TENDRIL_HD std::uint32_t vertices(unsigned long long packed) const {
    return static_cast<std::uint32_t>(packed >> edge_bits);
  }
  [[nodiscard]] TENDRIL_HD std::uint64_t edges(unsigned long long packed) const {
    return packed & ((1ULL << edge_bits) - 1);
  }
};

/// What a traversal does next. Between two steps all blocks wait for each other.
enum class traversal_step : std::uint32_t { clear, start, choose, prepare, expand, record, finish };

/// How a kernel left a traversal.
enum class traversal_status : std::uint32_t { running, exhausted, depth_limit, stopped };

/// An equal part of a step's work: that of a block of a resident grid, or a tile of a launch.
struct work_share {
  std::uint32_t index;
  std::uint32_t count;
};

/// The place in a traversal: every block keeps its own copy in shared memory, all equal.
struct traversal_cursor {
  traversal_step step;
  traversal_status status;
  std::int32_t level;
  direction way;
  bool pauses;            ///< the log is full
  bool in_bitmap;         ///< the frontier is visited minus before, not a part of the queue
  bool marks;             ///< this level's push marks a bitmap
  std::uint32_t visited;  ///< which bitmap holds all entered vertices; the other: one level before
  std::uint32_t num_logged;
  std::uint32_t frontier;
  std::uint64_t frontier_edges;
  std::uint64_t explored_edges;
  std::uint64_t entered;
  std::uint64_t queue_begin;  ///< slot of the frontier's first entry
  std::uint64_t queue_end;
};

/// One level, as the device records it.
struct level_record {
  std::uint64_t start_ns;
  std::uint64_t edges;
  std::uint32_t frontier;
  direction way;
};

/// Shared by all blocks, in device memory.
struct traversal_state {
  unsigned long long totals[4];  ///< [level % 3]: the level's frontier; [3]: of a conversion
  traversal_cursor cursors[2];   ///< a kernel reads one and writes the other
  std::uint64_t end_ns;
  std::uint32_t tiles_done;  ///< of a step whose last tile has something to do
  bool stop;
};

/// What the host looks at between two levels, in page-locked memory.
struct level_news {
  unsigned long long totals[3];
  std::uint32_t number;  ///< of the look; written last
  bool stop;
};

static_assert(sizeof(level_record) == level_record_bytes);
static_assert(sizeof(traversal_state) <= state_bytes);

/// Rows that a tile of edges touches.
template <class Position>
struct row_table {
  Position edges_before[kernel_shape::tile_rows];
  Position shift[kernel_shape::tile_rows];
  std::uint32_t bounds[2];
};

[[nodiscard]] TENDRIL_HD inline std::uint64_t tiles_for(std::uint64_t items,
                                                        std::uint64_t items_per_tile) {
  return (items + items_per_tile - 1) / items_per_tile;
}
/// Tiles of the words of a bitmap: of a pull, and of a sweep.
template <class Shape>
[[nodiscard]] TENDRIL_HD inline std::uint64_t num_word_tiles(std::uint32_t num_words) {
  return tiles_for(num_words, Shape::tile_words);
}
[[nodiscard]] TENDRIL_HD inline std::uint64_t larger(std::uint64_t a, std::uint64_t b) {
  return a > b ? a : b;
}

/// What a pull keeps of a tile of words.
template <class Shape>
struct word_table {
  bit_word found[Shape::warps][Shape::warp_words];
  std::uint16_t todo[Shape::warps][Shape::warp_words * bits_per_word];
};

/// A block's shared memory.
template <class Position, class Shape>
struct block_scratch {
  using scan = cub::BlockScan<unsigned long long, Shape::threads,
                              cub::BLOCK_SCAN_WARP_SCANS>;  // raking costs registers
  using reduce = cub::BlockReduce<unsigned long long, Shape::threads>;
  union {
    typename scan::TempStorage scan_storage;
    typename reduce::TempStorage reduce_storage;
  };
  traversal_cursor cursor;
  work_share share;
  unsigned long long base;
  union {
    row_table<Position> rows;  ///< of a push
    word_table<Shape> words;   ///< of a pull
  };
};

/// What a thread found in one level.
struct tally {
  std::uint32_t vertices = 0;
  std::uint64_t edges = 0;
};

[[nodiscard]] __device__ inline bool test_bit(const bit_word* bits, vertex_id v) {
  return ((bits[v / bits_per_word] >> (v % bits_per_word)) & 1U) != 0;
}
[[nodiscard]] __device__ inline bit_word bit_of(vertex_id v) {
  return bit_word{1} << (v % bits_per_word);
}
[[nodiscard]] __device__ inline unsigned lane_id() {
  return threadIdx.x % 32;
}
[[nodiscard]] __device__ inline unsigned warp_id() {
  return threadIdx.x / 32;
}
[[nodiscard]] __device__ inline std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Adds what the block's threads found to the level's total. Ends with a barrier of the block.
template <class Position, class Shape>
__device__ void add_tally(const tally& mine, const packed_counts& counts, unsigned long long* total,
                          block_scratch<Position, Shape>& scratch) {
  using reduce = typename block_scratch<Position, Shape>::reduce;
  const unsigned long long sum =
      reduce(scratch.reduce_storage).Sum(counts.pack(mine.vertices, mine.edges));
  if (threadIdx.x == 0 && sum != 0) {
    atomicAdd(total, sum);
  }
  __syncthreads();
}

}  // namespace tendril::cuda
