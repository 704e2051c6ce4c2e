#pragma once

#include "tendril/cuda/detail/first_visit_job.cuh"

// What a small traversal works with: its shape, candidates, shared counters, and who owns a vertex.

namespace tendril::cuda {

struct small_shape {
  static constexpr unsigned threads = 512;
  static constexpr unsigned max_blocks = threads / 32;  ///< a warp per sending block
  static constexpr unsigned segment = 256;              ///< candidates from one block to another
  static constexpr unsigned inboxes = 3;
  static constexpr unsigned batch = 16;         ///< levels between two looks at the totals
  static constexpr unsigned solo_vertices = 8;  ///< a warp goes on alone with no more than these
};

/// True if the small kernel runs the visitor: no hooks, and no weights to carry.
template <class Visitor, weight W>
inline constexpr bool runs_small =
    !::tendril::detail::has_level_begins<Visitor> && !sees_levels_end<Visitor> &&
    (std::is_same_v<W, none> || !reads_edges<Visitor, W>);

/// A vertex on its way to its owner.
struct plain_candidate {
  vertex_id target;
  __device__ static plain_candidate of(vertex_id /*source*/, vertex_id target) { return {target}; }
  [[nodiscard]] __device__ vertex_id source() const { return no_vertex; }
};
struct alignas(8) edge_candidate {
  vertex_id target;
  vertex_id from;
  __device__ static edge_candidate of(vertex_id source, vertex_id target) {
    return {target, source};
  }
  [[nodiscard]] __device__ vertex_id source() const { return from; }
};

/// What the cluster does after a batch of levels.
enum class small_verdict : std::uint32_t { go_on, solo, exhausted, depth_limit, hand_over };

/// Shared memory of a block, before its inboxes and its part of the visited bitmap.
struct small_control {
  std::uint32_t sent[2][small_shape::max_blocks];
  std::uint32_t found[2][small_shape::batch];  ///< vertices of each level of a batch
  std::uint32_t found_edges[2][small_shape::batch];
  std::uint32_t sums[2][small_shape::batch];  ///< of all blocks: vertices, edges
  std::uint32_t overflow;
  std::uint32_t solo_size;  ///< first block: entries of the list
  vertex_id solo_vertices[32];
  short_row solo_rows[32];
  std::int32_t level;  ///< where the cluster goes on after a warp was alone
  small_verdict verdict;
  traversal_cursor cursor;  ///< of the first block
};

/// Which block owns a vertex, and the vertex's number there. Each run of 16 (or 8) vertices is
/// dealt to the blocks in an order of its own, an affine one, so that the edges of a lattice spread
/// over all pairs of blocks and segments fill evenly.
struct vertex_owner {
  std::uint32_t blocks;  ///< a power of two
  std::uint32_t block_bits;

  [[nodiscard]] static __device__ vertex_owner among(std::uint32_t blocks) {
    return {blocks, static_cast<std::uint32_t>(__ffs(static_cast<int>(blocks))) - 1};
  }
  [[nodiscard]] __device__ std::uint32_t local(vertex_id v) const { return v >> block_bits; }
  [[nodiscard]] __device__ std::uint32_t block(vertex_id v) const {
    const std::uint32_t hash = mixed(v >> block_bits);
    return (v * factor(hash) + (hash >> 28U)) & (blocks - 1);
  }
  [[nodiscard]] __device__ vertex_id vertex(std::uint32_t local, std::uint32_t block) const {
    const std::uint32_t hash = mixed(local);
    const std::uint32_t odd = factor(hash);  // its cube is its inverse modulo 16
    return local << block_bits | (((block - (hash >> 28U)) * odd * odd * odd) & (blocks - 1));
  }

 private:
  [[nodiscard]] static __device__ std::uint32_t mixed(std::uint32_t local) {
    std::uint32_t hash = local * 0x9E3779B1U;
    hash ^= hash >> 15U;
    return hash * 0x85EBCA6BU;
  }
  [[nodiscard]] static __device__ std::uint32_t factor(std::uint32_t hash) {
    return (hash >> 20U) | 1U;
  }
};

}  // namespace tendril::cuda
