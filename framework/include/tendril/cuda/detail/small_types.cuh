#pragma once

#include "tendril/cuda/detail/first_visit_job.cuh"

// What a small traversal works with: its shape, candidates, headers, and who owns a vertex.

namespace tendril::cuda {

struct small_shape {
  static constexpr unsigned readers = 512;           ///< threads that read the inbox
  static constexpr unsigned threads = readers + 32;  ///< and the warp that tells the other blocks
  static constexpr unsigned max_blocks = 16;
  static constexpr unsigned segment = 256;            ///< candidates from one block to another
  static constexpr std::uint32_t alone_vertices = 8;  ///< one warp goes on with no more than these
  static constexpr std::int32_t alone_look = 16;      ///< levels from one look at that to the next
  static constexpr std::uint32_t turns = 1024;  ///< levels until a candidate's turn comes again
};

/// True if the small kernel runs the visitor: no hooks, and no weights to carry.
template <class Visitor, weight W>
inline constexpr bool runs_small = !::tendril::detail::has_level_begins<Visitor> &&
                                   !sees_levels_end<Visitor> && takes_short_rows<Visitor, W>;

/// A vertex on its way to its owner, in one word, which says itself whether it is there: it names
/// the level that it was sent for.
struct small_candidate {
  static constexpr unsigned local_bits = 21;  ///< shared memory has bits for fewer vertices

  static __device__ small_candidate of(vertex_id source, std::uint32_t local, std::int32_t level) {
    return {std::uint64_t{source} << 32U | mark(level) << local_bits | local};
  }
  [[nodiscard]] __device__ bool is_for(std::int32_t level) const {
    return static_cast<std::uint32_t>(word) >> local_bits == mark(level);
  }
  [[nodiscard]] __device__ std::uint32_t local() const {
    return static_cast<std::uint32_t>(word) & ((1U << local_bits) - 1);
  }
  [[nodiscard]] __device__ vertex_id source() const { return static_cast<vertex_id>(word >> 32U); }

  std::uint64_t word;  ///< 0: for no level

 private:
  static __device__ std::uint32_t mark(std::int32_t level) {
    return static_cast<std::uint32_t>(level) % small_shape::turns + 1;
  }
};

/// Vertices and edges that a block found in a level, in one word to add to.
struct small_count {
  static constexpr unsigned vertex_bits = 13;

  static __device__ std::uint32_t of(std::uint32_t edges) { return edges << vertex_bits | 1U; }
};
static_assert(small_shape::max_blocks * small_shape::segment < 1U << small_count::vertex_bits);
static_assert(small_shape::max_blocks * small_shape::segment * short_graph_degree <
              1U << (32 - small_count::vertex_bits));

/// What a block tells another one after each level, in one word.
struct small_header {
  static constexpr unsigned found_shift = 13;
  static constexpr unsigned overflow_shift = 45;
  static constexpr unsigned level_shift = 47;
  static constexpr unsigned overflow_bit = 20;  ///< of vertices(), above any sum of them

  static __device__ small_header of(std::int32_t level, std::uint32_t sent, std::uint32_t found,
                                    bool overflow) {
    return {std::uint64_t{mark(level)} << level_shift | std::uint64_t{overflow} << overflow_shift |
            std::uint64_t{found} << found_shift |
            (sent < small_shape::segment ? sent : small_shape::segment)};
  }
  [[nodiscard]] __device__ bool is_for(std::int32_t level) const {
    return static_cast<std::uint32_t>(word >> level_shift) == mark(level);
  }
  /// Candidates for the block that was told.
  [[nodiscard]] __device__ std::uint32_t sent() const {
    return static_cast<std::uint32_t>(word) & ((1U << found_shift) - 1);
  }
  /// Vertices of the level before; with the bit overflow_bit if a segment ran full.
  [[nodiscard]] __device__ std::uint32_t vertices() const {
    const auto low = static_cast<std::uint32_t>(word >> found_shift);
    return (low & ((1U << small_count::vertex_bits) - 1)) |
           (static_cast<std::uint32_t>(word >> overflow_shift) & 1U) << overflow_bit;
  }
  [[nodiscard]] __device__ std::uint32_t edges() const {
    return static_cast<std::uint32_t>(word >> found_shift) >> small_count::vertex_bits;
  }

  std::uint64_t word;  ///< 0: for no level

 private:
  static __device__ std::uint32_t mark(std::int32_t level) {
    return (static_cast<std::uint32_t>(level) % (1U << 16U)) << 1U | 1U;
  }
};

/// A vertex that one warp expands, with its row.
struct alone_entry {
  short_row row;
  vertex_id v;
  vertex_id source;
};

/// Shared memory of a block, before its inboxes and its part of the visited bitmap.
struct small_control {
  static constexpr unsigned found = small_shape::max_blocks;  ///< place of a small_count
  static constexpr unsigned spare = found + 1;                ///< places that nobody reads
  static constexpr unsigned num_spare = 8;
  static constexpr unsigned num_counts = 32;

  small_header headers[2][small_shape::max_blocks];  ///< [level % 2][from]
  std::uint64_t segments[small_shape::max_blocks];   ///< generic addresses, in other blocks
  std::uint32_t counts[2][num_counts];               ///< [level % 2]: sent to each block, found
  traversal_cursor cursor;                           ///< of the first block
  alone_entry alone[32];                             ///< of the first block
  std::uint32_t num_alone;
  std::int32_t level;  ///< where the cluster goes on after a warp was alone
};

/// Which block owns a vertex, and the vertex's number there. Ids are cut into as many spans as
/// there are blocks; a vertex of a span goes to a block that depends on its place in the span, so
/// that the edges of a lattice spread over all pairs of blocks and segments fill evenly.
struct vertex_owner {
  static constexpr std::uint32_t grain_bits = 12;
  static constexpr std::uint32_t grain_words = (1U << grain_bits) / bits_per_word;

  std::uint32_t blocks;  ///< a power of two
  std::uint32_t block_bits;
  std::uint32_t span;     ///< vertices, a multiple of the grain
  std::uint32_t inverse;  ///< of the span in grains, times 2^22

  /// Words of a block's part of a bitmap: a span's.
  [[nodiscard]] static __host__ __device__ std::uint32_t span_words(std::uint32_t num_words,
                                                                    std::uint32_t blocks) {
    const std::uint32_t grains = (num_words + blocks * grain_words - 1) / (blocks * grain_words);
    return (grains == 0 ? 1 : grains) * grain_words;
  }
  [[nodiscard]] static __device__ vertex_owner among(std::uint32_t blocks,
                                                     std::uint32_t num_words) {
    const std::uint32_t words = span_words(num_words, blocks);
    return {blocks, static_cast<std::uint32_t>(__ffs(static_cast<int>(blocks))) - 1,
            words * bits_per_word, (1U << 22U) / (words / grain_words) + 1};
  }
  [[nodiscard]] __device__ std::uint32_t span_of(vertex_id v) const {
    return ((v >> grain_bits) * inverse) >> 22U;  // exact for fewer than 2^13 grains
  }
  [[nodiscard]] __device__ std::uint32_t local(vertex_id v) const { return v - span_of(v) * span; }
  [[nodiscard]] __device__ std::uint32_t block(std::uint32_t span_number,
                                               std::uint32_t local) const {
    return (span_number ^ turn(local)) & (blocks - 1);
  }
  [[nodiscard]] __device__ vertex_id vertex(std::uint32_t local, std::uint32_t block) const {
    return ((block ^ turn(local)) & (blocks - 1)) * span + local;
  }
  /// What the number of a vertex's span and that of its block differ in, by exclusive or.
  [[nodiscard]] static __device__ std::uint32_t turn(std::uint32_t local) {
    std::uint32_t hash = local * 0x9E3779B1U;
    hash ^= hash >> 15U;
    return (hash * 0x85EBCA6BU) >> 28U;
  }
};

}  // namespace tendril::cuda
