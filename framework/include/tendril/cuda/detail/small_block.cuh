#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/short_rows.cuh"
#include "tendril/cuda/detail/small_shared.cuh"
#include "tendril/cuda/detail/small_types.cuh"

// One block of the cluster that runs a small traversal (small_frontier.cuh): its shared memory and
// how vertices, inboxes and rows are reached.

namespace tendril::cuda {

template <weight W, class Position, class Visitor>
struct small_block {
  static constexpr std::size_t control_bytes = (sizeof(small_control) + 255) / 256 * 256;
  static constexpr std::uint32_t inbox_slots = small_shape::max_blocks * small_shape::segment;
  static constexpr std::size_t inbox_bytes = inbox_slots * sizeof(small_candidate);

  /// Bytes of dynamic shared memory for a graph of that many words.
  [[nodiscard]] static std::size_t shared_bytes(std::uint32_t num_words, std::uint32_t blocks) {
    return control_bytes + 2 * inbox_bytes +
           vertex_owner::span_words(num_words, blocks) * sizeof(bit_word);
  }

  __device__ small_block(const first_visit_job<W, Position, host_shape>& told, const Visitor& whom,
                         std::byte* memory)
      : job(told),
        visitor(whom),
        cluster(cooperative_groups::this_cluster()),
        rank(cluster.block_rank()),
        owner(vertex_owner::among(cluster.num_blocks(), told.graph.num_words)),
        control(*reinterpret_cast<small_control*>(memory)),
        inboxes(reinterpret_cast<small_candidate*>(memory + control_bytes)),
        visited(reinterpret_cast<bit_word*>(memory + control_bytes + 2 * inbox_bytes)),
        headers_at(shared_address_of(control.headers)),
        segments_at(shared_address_of(control.segments)),
        counts_at(shared_address_of(control.counts)),
        inboxes_at(shared_address_of(inboxes)),
        visited_at(shared_address_of(visited)) {}

  /// The last warp tells the other blocks; the others read the inbox.
  [[nodiscard]] static __device__ bool is_teller() { return threadIdx.x >= small_shape::readers; }
  [[nodiscard]] static __device__ std::uint32_t parity(std::int32_t level) {
    return static_cast<std::uint32_t>(level) & 1U;
  }
  /// The inbox of a level: slot s of the segment of block b at s * blocks + b.
  [[nodiscard]] __device__ small_candidate* inbox(std::int32_t level) const {
    return inboxes + parity(level) * inbox_slots;
  }
  /// The same object of another block.
  template <class T>
  [[nodiscard]] __device__ T* at_block(T* object, std::uint32_t block) const {
    return cluster.map_shared_rank(object, static_cast<int>(block));
  }
  /// Of what a block counts in a level: candidates sent to each block, vertices found.
  [[nodiscard]] __device__ shared_address count_at(std::int32_t level, std::uint32_t place) const {
    return counts_at + (parity(level) * small_control::num_counts + place) *
                           static_cast<shared_address>(sizeof(std::uint32_t));
  }

  /// Sets v's visited bit, wherever it lies, if it shall. @return true: it was clear, and is set
  [[nodiscard]] __device__ bool claim_if(bool shall, vertex_id v) const {
    const std::uint32_t local = owner.local(v);
    return (bit_of(local) & ~or_if(shall, visited_word(v, local), bit_of(local))) != 0;
  }
  __device__ void unclaim(vertex_id v) const {
    const std::uint32_t local = owner.local(v);
    atomicAnd(visited_word(v, local), ~bit_of(local));
  }
  /// Sets the bits in the block's own word for a vertex. @return the word before
  [[nodiscard]] __device__ bit_word claim_own(std::uint32_t local, bit_word bits) const {
    return or_shared(
        visited_at + local / bits_per_word * static_cast<shared_address>(sizeof(bit_word)), bits);
  }

  /// Calls act(short_row) with up to four targets at a time of the rows of a warp's lanes. Called
  /// by whole warps.
  template <class Act>
  __device__ void for_each_part(const short_row& row, const Act& act) const {
    act(is_long(row) ? no_row() : row);
    if (__any_sync(~0U, is_long(row))) {
      const std::uint32_t longest = __reduce_max_sync(~0U, is_long(row) ? row.targets[1] : 0);
      for (std::uint32_t first = 0; first < longest; first += 4) {
        act(part_of_long(job.graph.out, row, first));
      }
    }
  }
  [[nodiscard]] __device__ bool admits(vertex_id v, vertex_id target) const {
    if constexpr (::tendril::detail::has_admits<Visitor, W>) {
      return visitor.admits(edge<W>{v, target, {}});
    } else {
      return true;
    }
  }

  /// Sends up to four neighbours of v to their owners, as candidates of level + 1; not the vertex
  /// that v was found from.
  __device__ void send(std::int32_t level, vertex_id v, vertex_id found_from,
                       const short_row& row) const {
    bool is_sent[4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const vertex_id target = row.targets[i];
      is_sent[i] = target != no_vertex && target != found_from && admits(v, target);
    }
    post(level, v, row, is_sent);
  }
  /// Sends v itself to its owner, as found from nowhere.
  __device__ void send_to_owner(std::int32_t level, vertex_id v) const {
    const bool is_sent[4] = {true, false, false, false};
    post(level, no_vertex, {{v, no_vertex, no_vertex, no_vertex}}, is_sent);
  }

  /// Tells the visitor, unless the level's vertices have arrived before.
  __device__ void arrive(vertex_id source, vertex_id v, std::int32_t level) const {
    if (level == silent_level) {
      return;
    }
    if constexpr (::tendril::detail::arrives_by_edge<Visitor, W>) {
      if (level != 0) {
        visitor.arrive(edge<W>{source, v, {}}, level);
        return;
      }
    }
    visitor.arrive(v, level);
  }

  const first_visit_job<W, Position, host_shape>& job;
  const Visitor& visitor;
  cooperative_groups::cluster_group cluster;
  std::uint32_t rank;
  vertex_owner owner;
  small_control& control;
  small_candidate* inboxes;
  bit_word* visited;  ///< the span's words
  shared_address headers_at;
  shared_address segments_at;
  shared_address counts_at;
  shared_address inboxes_at;
  shared_address visited_at;
  std::int32_t first_level = 0;    ///< of this kernel
  std::int32_t stop_level = 0;     ///< whose vertices are not claimed: a limit, or a full log
  std::int32_t silent_level = -1;  ///< its vertices arrived before this kernel

 private:
  /// Four at a time: each slot takes the time of an atomic, all four no more.
  __device__ void post(std::int32_t level, vertex_id source, const short_row& row,
                       const bool (&is_sent)[4]) const {
    std::uint32_t local[4];
    std::uint32_t block[4];
    std::uint32_t slot[4];
    std::uint64_t segment[4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t span = owner.span_of(row.targets[i]);
      local[i] = row.targets[i] - span * owner.span;
      block[i] = owner.block(span, local[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      segment[i] =
          load_shared(segments_at + block[i] * static_cast<shared_address>(sizeof(std::uint64_t)));
    }
    const std::uint32_t spare = small_control::spare + lane_id() % small_control::num_spare;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      slot[i] = add_shared(count_at(level, is_sent[i] ? block[i] : spare), 1);
    }
    const std::uint64_t inbox_at = parity(level + 1) * inbox_bytes;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      const auto place = (slot[i] << owner.block_bits) * std::uint32_t{sizeof(small_candidate)};
      store_if(is_sent[i] && slot[i] < small_shape::segment, segment[i] + inbox_at + place,
               small_candidate::of(source, local[i], level + 1).word);
    }
  }
  [[nodiscard]] __device__ bit_word* visited_word(vertex_id v, std::uint32_t local) const {
    return at_block(&visited[local / bits_per_word], owner.block(owner.span_of(v), local));
  }
};

}  // namespace tendril::cuda
