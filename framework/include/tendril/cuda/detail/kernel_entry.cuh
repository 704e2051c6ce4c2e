#pragma once

#include "tendril/cuda/detail/kernel_types.cuh"

// How a kernel enters a traversal where another left it, and leaves it again.

namespace tendril::cuda {

template <class Visitor>
inline constexpr bool sees_levels_end =
    ::tendril::detail::has_level_ends<Visitor> || ::tendril::detail::has_stops<Visitor>;

[[nodiscard]] __device__ inline bool is_first_thread() {
  return blockIdx.x == 0 && threadIdx.x == 0;
}

/// How a kernel enters a traversal.
struct kernel_entry {
  bool fresh;            ///< begins the traversal; else goes on from cursors[parity]
  bool drained;          ///< the host has read the log
  bool is_resident;      ///< all steps; else one
  std::uint32_t parity;  ///< the new place goes to cursors[parity ^ 1]
};

/// Sets the block's cursor. Ends with a barrier of the block.
__device__ inline void enter(const traversal_state& state, const kernel_entry& entry,
                             traversal_cursor& cursor) {
  if (threadIdx.x == 0) {
    cursor = entry.fresh ? traversal_cursor{} : state.cursors[entry.parity];
    if (entry.drained) {
      cursor.num_logged = 0;
    }
  }
  __syncthreads();
}

__device__ inline void leave(traversal_state& state, const kernel_entry& entry,
                             const traversal_cursor& cursor) {
  if (is_first_thread()) {
    state.cursors[entry.parity ^ 1U] = cursor;
    state.end_ns = nanoseconds();
  }
}

/// Total of the level that this one makes.
[[nodiscard]] __device__ inline unsigned long long* next_total(traversal_state& state,
                                                               const traversal_cursor& cursor) {
  return &state.totals[(static_cast<std::uint32_t>(cursor.level) + 1) % 3];
}

__device__ inline void clear_totals(traversal_state& state) {
  if (is_first_thread()) {
    for (unsigned long long& total : state.totals) {
      total = 0;
    }
    state.stop = false;
  }
}

__device__ inline void log_level(level_record* log, const traversal_cursor& cursor) {
  if (blockIdx.x == 0) {
    log[cursor.num_logged] = {nanoseconds(), cursor.frontier_edges, cursor.frontier, cursor.way};
  }
}

template <class Visitor>
__device__ void finish_level(traversal_state& state, const Visitor& visitor, std::int32_t level) {
  if (is_first_thread()) {
    ::tendril::detail::level_ends(visitor, level);
    state.stop = ::tendril::detail::stops(visitor, level);
  }
}

}  // namespace tendril::cuda
