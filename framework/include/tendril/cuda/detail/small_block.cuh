#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/small_types.cuh"

// One block of the cluster that runs a small traversal (small_frontier.cuh): its shared memory and
// how vertices, inboxes and rows are reached.

namespace tendril::cuda {

template <weight W, class Position, class Visitor>
struct small_block {
  using candidate = std::conditional_t<reads_edges<Visitor, W>, edge_candidate, plain_candidate>;
  static constexpr std::size_t control_bytes = (sizeof(small_control) + 255) / 256 * 256;
  static constexpr std::uint32_t inbox_slots = small_shape::max_blocks * small_shape::segment;
  static constexpr std::size_t inboxes_bytes =
      sizeof(candidate) * inbox_slots * small_shape::inboxes;

  /// Words of a block's part of a bitmap.
  [[nodiscard]] static __host__ __device__ std::uint32_t local_words(std::uint32_t num_words,
                                                                     std::uint32_t blocks) {
    return (num_words + blocks - 1) / blocks;
  }
  /// Bytes of dynamic shared memory for a graph of that many words.
  [[nodiscard]] static std::size_t shared_bytes(std::uint32_t num_words, std::uint32_t blocks) {
    return control_bytes + inboxes_bytes + local_words(num_words, blocks) * sizeof(bit_word);
  }

  __device__ small_block(const first_visit_job<W, Position>& told, const Visitor& whom,
                         std::byte* memory)
      : job(told),
        visitor(whom),
        cluster(cooperative_groups::this_cluster()),
        rank(cluster.block_rank()),
        owner(vertex_owner::among(cluster.num_blocks())),
        control(*reinterpret_cast<small_control*>(memory)),
        inboxes(reinterpret_cast<candidate*>(memory + control_bytes)),
        visited(reinterpret_cast<bit_word*>(memory + control_bytes + inboxes_bytes)) {}

  /// The segment of the inbox of a level that one block fills.
  [[nodiscard]] __device__ candidate* segment(std::int32_t level, std::uint32_t sender) const {
    const auto turn = static_cast<std::uint32_t>(level) % small_shape::inboxes;
    return inboxes + turn * inbox_slots + sender * small_shape::segment;
  }
  /// The same object of another block.
  template <class T>
  [[nodiscard]] __device__ T* at_block(T* object, std::uint32_t block) const {
    return cluster.map_shared_rank(object, static_cast<int>(block));
  }

  /// Sets v's visited bit, wherever it lies. @return true: it was clear
  [[nodiscard]] __device__ bool claim(vertex_id v) const {
    const bit_word bit = bit_of(owner.local(v));
    return (atomicOr(visited_word(v), bit) & bit) == 0;
  }
  /// The same for a vertex of this block.
  [[nodiscard]] __device__ bool claim_own(vertex_id v) const {
    const std::uint32_t local = owner.local(v);
    return (atomicOr(&visited[local / bits_per_word], bit_of(local)) & bit_of(local)) == 0;
  }
  __device__ void unclaim(vertex_id v) const {
    atomicAnd(visited_word(v), ~bit_of(owner.local(v)));
  }

  [[nodiscard]] __device__ short_row row_of(vertex_id v) const {
    const uint4 raw = __ldg(reinterpret_cast<const uint4*>(&job.graph.short_rows[v]));
    return {{raw.x, raw.y, raw.z, raw.w}};
  }
  [[nodiscard]] static __device__ bool is_long(const short_row& row) {
    return row.targets[3] == long_row;
  }
  [[nodiscard]] static __device__ std::uint32_t degree_of(const short_row& row) {
    if (is_long(row)) {
      return row.targets[1];
    }
    std::uint32_t degree = 0;
#pragma unroll
    for (const vertex_id target : row.targets) {
      degree += target != no_vertex ? 1U : 0U;
    }
    return degree;
  }
  /// The i-th target, i < degree_of(row), or no_vertex where the visitor does not admit the edge.
  [[nodiscard]] __device__ vertex_id target_of(vertex_id v, const short_row& row,
                                               std::uint32_t i) const {
    vertex_id target = row.targets[0];
    if (is_long(row)) {
      target = job.graph.out.targets[static_cast<Position>(row.targets[0]) + i];
    } else if (i != 0) {
      target = i == 1 ? row.targets[1] : (i == 2 ? row.targets[2] : row.targets[3]);
    }
    return admitted_or_none(v, target);
  }
  [[nodiscard]] __device__ vertex_id admitted_or_none(vertex_id v, vertex_id target) const {
    if constexpr (::tendril::detail::has_admits<Visitor, W>) {
      return target != no_vertex && visitor.admits(edge<W>{v, target, {}}) ? target : no_vertex;
    } else {
      return target;
    }
  }

  /// Puts a candidate of level + 1 into its owner's inbox.
  __device__ void send(std::int32_t level, vertex_id source, vertex_id target) {
    const std::uint32_t block = owner.block(target);
    put(level, source, target, block, take_slot(level, block));
  }
  /// The targets of all edges of v. The slots of a short row are taken together: each takes the
  /// time of a shared atomic.
  __device__ void send_row(std::int32_t level, vertex_id v, const short_row& row) {
    if (is_long(row)) {
      for (std::uint32_t i = 0; i < row.targets[1]; ++i) {
        const vertex_id target = target_of(v, row, i);
        if (target != no_vertex) {
          send(level, v, target);
        }
      }
      return;
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const vertex_id target = admitted_or_none(v, row.targets[i]);
      if (target != no_vertex) {
        send(level, v, target);
      }
    }
  }
  /// Makes a vertex that arrived claimable again, by its owner in the level that expands it.
  __device__ void send_back(std::int32_t level, vertex_id v) {
    if (v != no_vertex) {
      unclaim(v);
      send(level - 1, v, v);
    }
  }

  /// Tells the visitor, unless the level's vertices have arrived before.
  __device__ void arrive(const candidate& got, std::int32_t level) const {
    if (silent) {
      return;
    }
    if constexpr (::tendril::detail::arrives_by_edge<Visitor, W>) {
      if (level != 0) {
        visitor.arrive(edge<W>{got.source(), got.target, {}}, level);
        return;
      }
    }
    visitor.arrive(got.target, level);
  }

  const first_visit_job<W, Position>& job;
  const Visitor& visitor;
  cooperative_groups::cluster_group cluster;
  std::uint32_t rank;
  vertex_owner owner;
  small_control& control;
  candidate* inboxes;
  bit_word* visited;             ///< local_words(num_words) words
  std::int32_t first_level = 0;  ///< of this kernel, or since a warp was alone
  std::uint32_t batch_parity = 0;
  unsigned rounds = 0;  ///< of 32 slots that this warp read in the last level
  bool silent = false;  ///< the level's vertices have arrived already
  std::uint64_t start_ns = 0;

 private:
  [[nodiscard]] __device__ bit_word* visited_word(vertex_id v) const {
    return at_block(&visited[owner.local(v) / bits_per_word], owner.block(v));
  }
  [[nodiscard]] __device__ std::uint32_t take_slot(std::int32_t level, std::uint32_t block) {
    return atomicAdd(&control.sent[static_cast<std::uint32_t>(level) & 1U][block], 1U);
  }
  __device__ void put(std::int32_t level, vertex_id source, vertex_id target, std::uint32_t block,
                      std::uint32_t slot) {
    if (slot < small_shape::segment) {
      *at_block(&segment(level + 1, rank)[slot], block) = candidate::of(source, target);
      asm volatile("prefetch.global.L2 [%0];" ::"l"(&job.graph.short_rows[target]));
    } else {
      for (std::uint32_t other = 0; other < owner.blocks; ++other) {
        *at_block(&control.overflow, other) = 1;
      }
    }
  }
};

}  // namespace tendril::cuda
