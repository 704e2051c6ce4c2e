#pragma once

#include "tendril/cuda/detail/kernel_types.cuh"

// What every job of a traversal kernel has, and how a kernel enters a traversal where another left
// it, and leaves it again.

namespace tendril::cuda {

template <class Visitor>
inline constexpr bool sees_levels_end =
    ::tendril::detail::has_level_ends<Visitor> || ::tendril::detail::has_stops<Visitor>;

/// The sources of a traversal: one lies in the job, which spares a copy before the launch.
struct job_sources {
  vertex_id only;
  const vertex_id* several;  ///< null: only one

  /// @pre the job is a __grid_constant__
  [[nodiscard]] __device__ const vertex_id* data() const {
    return several != nullptr ? several : &only;
  }
  [[nodiscard]] __device__ vertex_id operator[](std::uint64_t i) const { return data()[i]; }
};

/// What a kernel is told of either kind of traversal, by value.
/// @tparam Shape  a block_shape: of the kernel
template <weight W, class Position, class Shape>
struct level_job {
  using shape = Shape;

  kernel_graph<W, Position> graph;
  traversal_state* state;
  level_record* log;
  job_sources sources;
  std::uint32_t num_sources;
  std::uint32_t log_capacity;
  std::uint32_t resident_blocks;  ///< of the traversal kernel, on the whole device at once
  std::int32_t depth_limit;
  packed_counts counts;
};

template <class Job>
[[nodiscard]] TENDRIL_HD bool has_one_source(const Job& job) {
  return job.num_sources == 1;
}

/// How a kernel enters a traversal.
struct kernel_entry {
  bool fresh;            ///< begins the traversal; else goes on from cursors[parity]
  bool drained;          ///< the host has read the log
  std::uint32_t parity;  ///< the new place goes to cursors[parity ^ 1]
};

/// Where a kernel enters: one thread of each block.
[[nodiscard]] __device__ inline traversal_cursor entered(const traversal_state& state,
                                                         const kernel_entry& entry) {
  traversal_cursor cursor = entry.fresh ? traversal_cursor{} : state.cursors[entry.parity];
  if (entry.drained) {
    cursor.num_logged = 0;
  }
  return cursor;
}

/// One thread of each block.
/// @param worked  false: the traversal had ended before
__device__ inline void leave(traversal_state& state, const kernel_entry& entry,
                             const traversal_cursor& cursor, bool worked) {
  if (blockIdx.x == 0) {
    state.cursors[entry.parity ^ 1U] = cursor;
    if (worked) {
      state.end_ns = nanoseconds();
    }
  }
}

/// Total of the level that this one makes.
[[nodiscard]] __device__ inline unsigned long long* next_total(traversal_state& state,
                                                               const traversal_cursor& cursor) {
  return &state.totals[(static_cast<std::uint32_t>(cursor.level) + 1) % 3];
}

}  // namespace tendril::cuda
