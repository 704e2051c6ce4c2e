#pragma once

#include <cooperative_groups.h>

#include "tendril/cuda/detail/small_types.cuh"

// Graphs of many narrow levels (roads, meshes, paths): a level costs latency, not bandwidth, so one
// cluster of up to 16 blocks does them all, in shared memory, with one cluster barrier a level.
//
// Each block owns every 16th vertex or so, and their visited bits. A candidate for the next level
// is sent to its owner's inbox by a plain store to the owner's shared memory; each sending block
// has a segment of its own there and counts its slots locally, so nothing travels back. In the next
// level warp w of the owner reads the segment of block w up to the first empty slot, claims,
// records the arrival, and sends on. Three inboxes take turns: one is read, one is filled, one is
// emptied; what was claimed stays in the one that was read, so that a level can be expanded a
// second time.
//
// A handful of vertices (a path) needs not even that: one warp goes on alone, a lane per vertex,
// claiming in the owners' shared memory, while the others wait.
//
// A level is expanded again when the traversal is handed over: a segment ran full, a level grew too
// large, or the log did. The frontier's targets are then claimed in their owners' bitmaps directly
// and queued as the frontier of the large kernels.

namespace tendril::cuda {

/// One block of the cluster at work.
template <weight W, class Position, class Visitor>
class small_block {
 public:
  using candidate = std::conditional_t<reads_edges<Visitor, W>, edge_candidate, plain_candidate>;
  static constexpr std::size_t inbox_bytes =
      sizeof(candidate) * small_shape::max_blocks * small_shape::segment;

  __device__ small_block(const first_visit_job<W, Position>& job, const Visitor& visitor,
                         std::byte* memory)
      : job_(job),
        visitor_(visitor),
        cluster_(cooperative_groups::this_cluster()),
        rank_(cluster_.block_rank()),
        owner_(vertex_owner::among(cluster_.num_blocks())),
        num_local_words_(local_words(job.graph.num_words, owner_.blocks)),
        control_(*reinterpret_cast<small_control*>(memory)),
        inboxes_(reinterpret_cast<candidate*>(memory + control_bytes)),
        visited_(reinterpret_cast<bit_word*>(memory + control_bytes +
                                             small_shape::inboxes * inbox_bytes)) {}

  static constexpr std::size_t control_bytes = (sizeof(small_control) + 255) / 256 * 256;

  /// Words of a block's part of a bitmap.
  [[nodiscard]] static __host__ __device__ std::uint32_t local_words(std::uint32_t num_words,
                                                                     std::uint32_t blocks) {
    return (num_words + blocks - 1) / blocks;
  }

  /// Bytes of dynamic shared memory for a graph of that many words.
  [[nodiscard]] static std::size_t shared_bytes(std::uint32_t num_words, std::uint32_t blocks) {
    return control_bytes + small_shape::inboxes * inbox_bytes +
           local_words(num_words, blocks) * sizeof(bit_word);
  }

  __device__ void run(const kernel_entry& entry) {
    enter(entry);
    std::int32_t level = first_level_;
    std::int32_t batch_begin = level;
    while (true) {
      const bool expands = level != job_.depth_limit;
      read_inbox(level, expands);
      cluster_.sync();
      const bool overflow = control_.overflow != 0;
      if (overflow || !expands ||
          level - batch_begin + 1 == static_cast<std::int32_t>(small_shape::batch)) {
        small_verdict verdict = look(batch_begin, level, overflow);
        batch_parity_ ^= 1U;
        batch_begin = level + 1;
        if (verdict == small_verdict::solo) {
          verdict = go_alone(level + 1);
          batch_begin = control_.level;
          first_level_ = batch_begin;
          level = batch_begin - 1;
        }
        if (verdict != small_verdict::go_on) {
          if (verdict == small_verdict::hand_over) {
            hand_over(level);
          }
          leave(entry, verdict);
          return;
        }
      }
      ++level;
    }
  }

 private:
  [[nodiscard]] __device__ candidate* segment(std::int32_t level, std::uint32_t sender) const {
    const auto turn = static_cast<std::uint32_t>(level) % small_shape::inboxes;
    return inboxes_ + (turn * small_shape::max_blocks + sender) * small_shape::segment;
  }

  /// Empties everything, brings the bitmap in, and sends the frontier to its owners.
  __device__ void enter(const kernel_entry& entry) {
    const traversal_cursor before =
        entry.fresh ? traversal_cursor{} : job_.state->cursors[entry.parity];
    first_level_ = before.level;
    silent_ = !entry.fresh;
    std::uint32_t frontier = job_.num_sources;
    const vertex_id* vertices = job_.sources;
    if (!entry.fresh) {
      frontier = job_.counts.vertices(
          __ldcg(&job_.state->totals[static_cast<std::uint32_t>(before.level) % 3]));
      vertices = job_.queue.vertices + before.queue_end;
    }
    for (std::uint32_t i = threadIdx.x; i < sizeof(small_control) / sizeof(std::uint32_t);
         i += small_shape::threads) {
      reinterpret_cast<std::uint32_t*>(&control_)[i] = 0;
    }
    for (std::uint32_t i = threadIdx.x;
         i < small_shape::inboxes * small_shape::max_blocks * small_shape::segment;
         i += small_shape::threads) {
      inboxes_[i] = candidate::of(no_vertex, no_vertex);
    }
    for (std::uint32_t i = threadIdx.x; i < num_local_words_; i += small_shape::threads) {
      visited_[i] = entry.fresh ? 0 : import_word(job_.bits[before.visited], i);
    }
    cluster_.sync();
    if (threadIdx.x == 0) {
      control_.cursor = before;
      if (entry.drained) {
        control_.cursor.num_logged = 0;
      }
      if (!entry.fresh) {
        control_.cursor.queue_end += frontier;
      }
      start_ns_ = nanoseconds();
    }
    // Each block sends its share; on going on, a vertex that was claimed is made claimable again.
    for (std::uint32_t i = rank_ * small_shape::threads + threadIdx.x; i < frontier;
         i += owner_.blocks * small_shape::threads) {
      const vertex_id v = vertices[i];
      if (silent_) {
        send_back(first_level_, v);
      } else {
        send(first_level_ - 1, v, v);
      }
    }
    cluster_.sync();
    if (rank_ == 0 && threadIdx.x < 4) {
      job_.state->totals[threadIdx.x] = 0;
    }
  }

  /// The word of v's visited bit, wherever it lies; the bit is bit_of(owner_.local(v)).
  [[nodiscard]] __device__ bit_word* visited_word(vertex_id v) const {
    return cluster_.map_shared_rank(&visited_[owner_.local(v) / bits_per_word], owner_.block(v));
  }

  /// Word i of this block's part, from a bitmap in vertex order.
  [[nodiscard]] __device__ bit_word import_word(const bit_word* bits, std::uint32_t i) const {
    bit_word word = 0;
    for (std::uint32_t bit = 0; bit < bits_per_word; ++bit) {
      const vertex_id v = owner_.vertex(i * bits_per_word + bit, rank_);
      if (v / bits_per_word < job_.graph.num_words && test_bit(bits, v)) {
        word |= bit_of(bit);
      }
    }
    return word;
  }

  /// A word in vertex order, from all blocks' parts: each block has some neighbouring bits of it.
  [[nodiscard]] __device__ bit_word export_word(std::uint32_t word) const {
    const std::uint32_t num_locals = bits_per_word >> owner_.block_bits;
    const std::uint32_t first_local = word * num_locals;
    bit_word bits = job_.graph.isolated[word];
    for (std::uint32_t block = 0; block < owner_.blocks; ++block) {
      const bit_word part =
          *cluster_.map_shared_rank(&visited_[first_local / bits_per_word], block);
      for (std::uint32_t local = first_local; local < first_local + num_locals; ++local) {
        bits |= (part & bit_of(local)) != 0 ? bit_of(owner_.vertex(local, block)) : 0;
      }
    }
    return bits;
  }

  /// Puts a candidate of level + 1 into its owner's inbox.
  __device__ void send(std::int32_t level, vertex_id source, vertex_id target) {
    const std::uint32_t block = owner_.block(target);
    const std::uint32_t slot =
        atomicAdd(&control_.sent[static_cast<std::uint32_t>(level) & 1U][block], 1U);
    if (slot < small_shape::segment) {
      *cluster_.map_shared_rank(&segment(level + 1, rank_)[slot], block) =
          candidate::of(source, target);
      asm volatile("prefetch.global.L2 [%0];" ::"l"(&job_.graph.short_rows[target]));
    } else {
      for (std::uint32_t other = 0; other < owner_.blocks; ++other) {
        *cluster_.map_shared_rank(&control_.overflow, other) = 1;
      }
    }
  }

  /// Calls act(target) for each edge of v that the visitor admits.
  template <class Act>
  __device__ void for_each_target(vertex_id v, const short_row& row, const Act& act) {
    const auto admitted = [&](vertex_id target) {
      if constexpr (::tendril::detail::has_admits<Visitor, W>) {
        return visitor_.admits(edge<W>{v, target, {}});
      } else {
        return true;
      }
    };
    if (row.targets[3] == long_row) {
      const auto begin = static_cast<Position>(row.targets[0]);
      for (std::uint32_t i = 0; i < row.targets[1]; ++i) {
        const vertex_id target = job_.graph.out.targets[begin + i];
        if (admitted(target)) {
          act(target);
        }
      }
      return;
    }
#pragma unroll
    for (const vertex_id target : row.targets) {
      if (target != no_vertex && admitted(target)) {
        act(target);
      }
    }
  }

  [[nodiscard]] __device__ short_row row_of(vertex_id v) const {
    const uint4 raw = __ldg(reinterpret_cast<const uint4*>(&job_.graph.short_rows[v]));
    return {{raw.x, raw.y, raw.z, raw.w}};
  }
  [[nodiscard]] static __device__ std::uint32_t degree_of(const short_row& row) {
    if (row.targets[3] == long_row) {
      return row.targets[1];
    }
    std::uint32_t degree = 0;
#pragma unroll
    for (const vertex_id target : row.targets) {
      degree += target != no_vertex ? 1U : 0U;
    }
    return degree;
  }

  /// One level: claims what arrived, records it, sends its targets on.
  __device__ void read_inbox(std::int32_t level, bool expands) {
    // Slots that were kept for the level before are emptied for the level after.
    candidate* const old =
        segment(level - 1 + static_cast<std::int32_t>(small_shape::inboxes), warp_id());
    for (unsigned round = 0; round < rounds_; ++round) {
      old[round * 32 + lane_id()] = candidate::of(no_vertex, no_vertex);
    }
    if (threadIdx.x < small_shape::max_blocks) {
      control_.sent[static_cast<std::uint32_t>(level + 1) & 1U][threadIdx.x] = 0;
    }
    rounds_ = 0;
    candidate* const inbox = segment(level, warp_id());
    const unsigned slot_in_batch =
        static_cast<std::uint32_t>(level - first_level_) % small_shape::batch;
    while (rounds_ * 32 < small_shape::segment) {
      candidate& slot = inbox[rounds_ * 32 + lane_id()];
      const candidate got = slot;
      const bool is_there = got.target != no_vertex;
      const unsigned there = __ballot_sync(~0U, is_there);
      if (there == 0) {
        break;
      }
      ++rounds_;
      std::uint32_t degree = 0;
      bool is_new = false;
      if (is_there) {
        const short_row row = row_of(got.target);  // before it is known to be needed
        const std::uint32_t local = owner_.local(got.target);
        const bit_word before = atomicOr(&visited_[local / bits_per_word], bit_of(local));
        is_new = (before & bit_of(local)) == 0;
        if (is_new) {
          arrive(got, level);
          degree = degree_of(row);
          if (expands) {
            for_each_target(got.target, row,
                            [&](vertex_id target) { send(level, got.target, target); });
          }
        } else {
          slot = candidate::of(no_vertex, no_vertex);
        }
      }
      const auto vertices = static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, is_new)));
      const std::uint32_t edges = __reduce_add_sync(~0U, degree);
      if (lane_id() == 0 && vertices != 0) {
        atomicAdd(&control_.found[batch_parity_][slot_in_batch], vertices);
        atomicAdd(&control_.found_edges[batch_parity_][slot_in_batch], edges);
      }
      if (there != ~0U) {
        break;
      }
    }
    silent_ = false;
  }

  __device__ void arrive(const candidate& got, std::int32_t level) {
    if (silent_) {
      return;
    }
    if constexpr (::tendril::detail::arrives_by_edge<Visitor, W>) {
      if (level != 0) {
        visitor_.arrive(edge<W>{got.source(), got.target, {}}, level);
        return;
      }
    }
    visitor_.arrive(got.target, level);
  }

  /// The first block adds up the batch, logs it and decides for all.
  __device__ small_verdict look(std::int32_t batch_begin, std::int32_t level, bool overflow) {
    if (rank_ == 0 && warp_id() == 0) {
      add_up();
      small_verdict verdict = small_verdict::go_on;
      if (lane_id() == 0) {
        verdict = judge(batch_begin, level, overflow);
      }
      verdict =
          static_cast<small_verdict>(__shfl_sync(~0U, static_cast<std::uint32_t>(verdict), 0));
      if (lane_id() < owner_.blocks) {
        cluster_.map_shared_rank(&control_, lane_id())->verdict = verdict;
      }
    }
    if (threadIdx.x < small_shape::batch) {
      control_.found[batch_parity_ ^ 1U][threadIdx.x] = 0;
      control_.found_edges[batch_parity_ ^ 1U][threadIdx.x] = 0;
    }
    cluster_.sync();
    return control_.verdict;
  }

  /// Sums of all blocks, by one warp: lane b < 16 reads block b's vertices, lane 16 + b its edges.
  __device__ void add_up() {
    const unsigned block = lane_id() % small_shape::max_blocks;
    const bool sums_edges = lane_id() >= small_shape::max_blocks;
    std::uint32_t counts[small_shape::batch] = {};
    if (block < owner_.blocks) {
      const small_control* const other = cluster_.map_shared_rank(&control_, block);
      const std::uint32_t* const from =
          sums_edges ? other->found_edges[batch_parity_] : other->found[batch_parity_];
#pragma unroll
      for (unsigned i = 0; i < small_shape::batch; ++i) {
        counts[i] = from[i];
      }
    }
#pragma unroll
    for (unsigned i = 0; i < small_shape::batch; ++i) {
      for (unsigned offset = small_shape::max_blocks / 2; offset != 0; offset /= 2) {
        counts[i] += __shfl_xor_sync(~0U, counts[i], static_cast<int>(offset));
      }
      if (block == 0) {
        control_.sums[sums_edges ? 1 : 0][i] = counts[i];
      }
    }
    __syncwarp();
  }

  __device__ small_verdict judge(std::int32_t batch_begin, std::int32_t last, bool overflow) {
    traversal_cursor& cursor = control_.cursor;
    const std::uint64_t now = nanoseconds();
    const auto num_levels = static_cast<std::uint32_t>(last - batch_begin + 1);
    const std::uint64_t level_ns = (now - start_ns_) / num_levels;
    std::uint32_t vertices = 0;
    for (std::uint32_t i = 0; i < num_levels; ++i) {
      const std::uint32_t place =
          (static_cast<std::uint32_t>(batch_begin - first_level_) + i) % small_shape::batch;
      vertices = control_.sums[0][place];
      const std::uint32_t edges = control_.sums[1][place];
      cursor.level = batch_begin + static_cast<std::int32_t>(i);
      cursor.entered += vertices;
      if (vertices == 0) {
        return small_verdict::exhausted;
      }
      if (cursor.level == job_.depth_limit) {
        return small_verdict::depth_limit;
      }
      cursor.explored_edges += edges;
      job_.log[cursor.num_logged++] = {start_ns_ + level_ns * i, edges, vertices, direction::push};
    }
    start_ns_ = now;
    cursor.pauses = cursor.num_logged + small_shape::batch > job_.log_capacity;
    if (overflow || cursor.pauses || vertices > job_.small_limit) {
      return small_verdict::hand_over;
    }
    return vertices <= small_shape::solo_vertices && control_.sums[1][last_place(last)] <= 32
               ? small_verdict::solo
               : small_verdict::go_on;
  }
  [[nodiscard]] __device__ std::uint32_t last_place(std::int32_t level) const {
    return static_cast<std::uint32_t>(level - first_level_) % small_shape::batch;
  }

  /// Levels from `level` on by one warp, until there are more than 32 vertices or a long row; then
  /// the vertices go back to their owners, to be claimed again without arriving again.
  __device__ small_verdict go_alone(std::int32_t level) {
    collect(level);
    cluster_.sync();
    if (rank_ == 0 && warp_id() == 0) {
      run_alone(level);
    }
    cluster_.sync();
    silent_ = true;
    return control_.verdict;
  }

  /// Claims what lies in the inboxes and lists it in the first block; empties everything.
  __device__ void collect(std::int32_t level) {
    small_control* const first = cluster_.map_shared_rank(&control_, 0);
    candidate* const old = segment(level + 2, warp_id());
    candidate* const inbox = segment(level, warp_id());
    for (unsigned slot = lane_id(); slot < small_shape::segment; slot += 32) {
      old[slot] = candidate::of(no_vertex, no_vertex);
      const candidate got = inbox[slot];
      inbox[slot] = candidate::of(no_vertex, no_vertex);
      if (got.target == no_vertex) {
        continue;
      }
      const bit_word bit = bit_of(owner_.local(got.target));
      if ((atomicOr(visited_word(got.target), bit) & bit) == 0) {
        arrive(got, level);
        const std::uint32_t place = atomicAdd(&first->solo_size, 1U);
        first->solo_vertices[place] = got.target;
      }
    }
    rounds_ = 0;
    if (threadIdx.x < small_shape::max_blocks) {
      control_.sent[0][threadIdx.x] = 0;
      control_.sent[1][threadIdx.x] = 0;
    }
  }

  /// The row of v, or nothing for no_vertex.
  [[nodiscard]] __device__ short_row row_or_none(vertex_id v) const {
    return v == no_vertex ? short_row{{no_vertex, no_vertex, no_vertex, no_vertex}} : row_of(v);
  }

  __device__ void run_alone(std::int32_t level) {
    traversal_cursor& cursor = control_.cursor;
    const auto size = control_.solo_size;
    vertex_id v = lane_id() < size ? control_.solo_vertices[lane_id()] : no_vertex;
    short_row row = row_or_none(v);
    std::uint32_t logged = cursor.num_logged;
    std::uint64_t entered = cursor.entered;
    std::uint64_t explored = cursor.explored_edges;
    std::uint64_t now = nanoseconds();
    small_verdict verdict = small_verdict::go_on;
    while (true) {
      const auto vertices = static_cast<std::uint32_t>(__popc(__ballot_sync(~0U, v != no_vertex)));
      if (vertices == 0 || level == job_.depth_limit) {
        entered += vertices;
        verdict = vertices == 0 ? small_verdict::exhausted : small_verdict::depth_limit;
        break;
      }
      const bool is_long = v != no_vertex && row.targets[3] == long_row;
      if (__any_sync(~0U, is_long) || logged + 2 * small_shape::batch > job_.log_capacity) {
        send_back(level, v);
        break;
      }
      const std::uint32_t edges = __reduce_add_sync(~0U, v == no_vertex ? 0 : degree_of(row));
      if (lane_id() == 0) {
        job_.log[logged] = {now, edges, vertices, direction::push};
      }
      ++logged;
      entered += vertices;
      explored += edges;
      if (logged % 32 == 0) {
        now = nanoseconds();
      }
      if (!step_alone(level, v, row)) {
        ++level;
        break;
      }
      ++level;
    }
    if (lane_id() == 0) {
      cursor.num_logged = logged;
      cursor.entered = entered;
      cursor.explored_edges = explored;
      cursor.level = level;
      control_.solo_size = 0;
      start_ns_ = nanoseconds();
    }
    if (lane_id() < owner_.blocks) {
      small_control* const other = cluster_.map_shared_rank(&control_, lane_id());
      other->verdict = verdict;
      other->level = level;
    }
  }

  /// One level of a lane per vertex. @return false: too many vertices, which were sent back
  __device__ bool step_alone(std::int32_t level, vertex_id& v, short_row& row) {
    vertex_id found[4];
    short_row next_row[4];
    unsigned lanes[4];
    std::uint32_t size = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      found[i] = admitted_or_none(v, row.targets[i]);
      next_row[i] = row_or_none(found[i]);  // on its way while the vertex is claimed
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      if (found[i] != no_vertex) {
        const bit_word bit = bit_of(owner_.local(found[i]));
        if ((atomicOr(visited_word(found[i]), bit) & bit) != 0) {
          found[i] = no_vertex;
        }
      }
    }
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      if (found[i] != no_vertex) {
        arrive(candidate::of(v, found[i]), level + 1);
      }
      lanes[i] = __ballot_sync(~0U, found[i] != no_vertex);
      size += static_cast<std::uint32_t>(__popc(lanes[i]));
    }
    if (size > 32) {
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        send_back(level + 1, found[i]);
      }
      return false;
    }
    std::uint32_t place = 0;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      if (found[i] != no_vertex) {
        const auto mine =
            place + static_cast<std::uint32_t>(__popc(lanes[i] & ((1U << lane_id()) - 1)));
        control_.solo_vertices[mine] = found[i];
        control_.solo_rows[mine] = next_row[i];
      }
      place += static_cast<std::uint32_t>(__popc(lanes[i]));
    }
    __syncwarp();
    v = lane_id() < size ? control_.solo_vertices[lane_id()] : no_vertex;
    row = lane_id() < size ? control_.solo_rows[lane_id()] : row_or_none(no_vertex);
    __syncwarp();
    return true;
  }

  [[nodiscard]] __device__ vertex_id admitted_or_none(vertex_id v, vertex_id target) const {
    if constexpr (::tendril::detail::has_admits<Visitor, W>) {
      return target != no_vertex && visitor_.admits(edge<W>{v, target, {}}) ? target : no_vertex;
    } else {
      return target;
    }
  }

  /// Makes a vertex that arrived claimable again, by its owner in the level that expands it.
  __device__ void send_back(std::int32_t level, vertex_id v) {
    if (v != no_vertex) {
      atomicAnd(visited_word(v), ~bit_of(owner_.local(v)));
      send(level - 1, v, v);
    }
  }

  /// Expands the level again, into the queue and the bitmaps of the large kernels.
  __device__ void hand_over(std::int32_t level) {
    const traversal_cursor& cursor = *cluster_.map_shared_rank(&control_.cursor, 0);
    const frontier_queue<Position> slots = job_.queue.from(cursor.queue_end);
    unsigned long long* const total =
        &job_.state->totals[(static_cast<std::uint32_t>(level) + 1) % 3];
    const candidate* const kept = segment(level, warp_id());
    for (unsigned round = 0; round < rounds_; ++round) {
      const vertex_id v = kept[round * 32 + lane_id()].target;
      if (v == no_vertex) {
        continue;
      }
      for_each_target(v, row_of(v), [&](vertex_id target) {
        const bit_word bit = bit_of(owner_.local(target));
        if ((atomicOr(visited_word(target), bit) & bit) == 0) {
          arrive(candidate::of(v, target), level + 1);
          const Position first = job_.graph.out.offsets[target];
          const unsigned long long before =
              atomicAdd(total, job_.counts.pack(1, job_.graph.out_degree(target)));
          const std::uint32_t slot = job_.counts.vertices(before);
          const auto edges = static_cast<Position>(job_.counts.edges(before));
          slots.edges_before[slot] = edges;
          slots.shift[slot] = first - edges;
          if (slots.vertices != nullptr) {
            slots.vertices[slot] = target;
          }
        }
      });
    }
    cluster_.sync();
    for (std::uint32_t word = rank_ * small_shape::threads + threadIdx.x;
         word < job_.graph.num_words; word += owner_.blocks * small_shape::threads) {
      const bit_word bits = export_word(word);
      job_.bits[0][word] = bits;
      job_.bits[1][word] = bits;
    }
  }

  __device__ void leave(const kernel_entry& entry, small_verdict verdict) {
    if (rank_ == 0 && threadIdx.x == 0) {
      traversal_cursor cursor = control_.cursor;
      switch (verdict) {
        case small_verdict::exhausted:
          cursor.status = traversal_status::exhausted;
          break;
        case small_verdict::depth_limit:
          cursor.status = traversal_status::depth_limit;
          break;
        case small_verdict::go_on:
        case small_verdict::solo:
        case small_verdict::hand_over:
          ++cursor.level;
          break;
      }
      cursor.step = traversal_step::choose;
      cursor.in_bitmap = false;
      cursor.visited = 0;
      job_.state->stop = false;
      job_.state->cursors[entry.parity ^ 1U] = cursor;
      job_.state->end_ns = nanoseconds();
    }
    cluster_.sync();
  }

  const first_visit_job<W, Position>& job_;
  const Visitor& visitor_;
  cooperative_groups::cluster_group cluster_;
  std::uint32_t rank_;
  vertex_owner owner_;
  std::uint32_t num_local_words_;
  small_control& control_;
  candidate* inboxes_;
  bit_word* visited_;
  std::int32_t first_level_ = 0;
  std::uint32_t batch_parity_ = 0;
  unsigned rounds_ = 0;  ///< of 32 slots that this warp read in the last level
  bool silent_ = false;  ///< the level's vertices have arrived already
  std::uint64_t start_ns_ = 0;
};

/// One cluster. Dynamic shared memory: small_block::shared_bytes.
template <class Position, weight W, class Visitor>
__global__ void __launch_bounds__(small_shape::threads)
    small_kernel(const __grid_constant__ first_visit_job<W, Position> job,
                 const __grid_constant__ Visitor visitor, kernel_entry entry) {
  extern __shared__ __align__(256) std::byte small_memory[];
  small_block<W, Position, Visitor>(job, visitor, small_memory).run(entry);
}

}  // namespace tendril::cuda
