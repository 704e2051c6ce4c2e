#pragma once

#include "cuda/lanes/level.cuh"

// What the neighbours of a row have seen. A warp reads ids of neighbours, one in each lane, and its
// groups of threads then read their masks, each thread its part.

namespace tendril::cuda {

/// A thread's view of the in-neighbours of rows, in one level.
template <unsigned Words>
class lane_neighbours {
 public:
  using shape = lane_shape<Words>;
  using bits = lane_bits<shape::vector_words>;

  __device__ lane_neighbours(const lane_job& job, const lane_cursor& cursor)
      : masks_(reinterpret_cast<const bits*>(job.masks[cursor.now])), targets_(job.in.targets) {}

  /// Lanes that v itself has seen.
  [[nodiscard]] __device__ bits seen_by(vertex_id v) const { return masks_[shape::place_of(v)]; }

  /// Some neighbours of a warp: of each 32 a lane knows one.
  struct some {
    static constexpr unsigned ids = shape::fetched / shape::parts;
    static constexpr unsigned size = 32 * ids;
    vertex_id id[ids];
  };
  /// The next ones; beyond the end v itself, which has nothing new to give.
  [[nodiscard]] __device__ some read(edge_offset begin, edge_offset end, vertex_id v) const {
    some next;
#pragma unroll
    for (unsigned i = 0; i < some::ids; ++i) {
      const edge_offset position = begin + i * 32 + lane_id();
      next.id[i] = position < end ? __ldcs(targets_ + position) : v;
    }
    return next;
  }
  /// Lanes that those of them have seen which the thread's group asks.
  [[nodiscard]] __device__ bits seen_by(const some& neighbours) const {
    bits seen[shape::fetched];
#pragma unroll
    for (unsigned i = 0; i < shape::fetched; ++i) {
      const unsigned first = i * shape::warp_groups;
      const auto owner = static_cast<int>(first % 32 + lane_id() / shape::parts);
      seen[i] = seen_by(__shfl_sync(~0U, neighbours.id[first / 32], owner));
    }
    return joined(seen);
  }

  /// The same of row_edges neighbours.
  [[nodiscard]] __device__ bits seen_by_many(edge_offset begin, edge_offset end,
                                             vertex_id v) const {
    bits around{};
#pragma unroll
    for (unsigned i = 0; i < shape::row_edges; i += some::size) {
      around |= seen_by(read(begin + i, end, v));
    }
    return around;
  }

  /// Lanes that the neighbours of a short row have seen, until there are all that are wanted; by a
  /// group of threads. Some at a time, the last one again where there are fewer. @pre degree > 0
  [[nodiscard]] __device__ bits seen_around(edge_offset begin, std::uint32_t degree,
                                            const bits& wanted) const {
    const vertex_id* const row = targets_ + begin;
    bits around{};
    for (std::uint32_t first = 0; first < degree; first += shape::fetched) {
      bits seen[shape::fetched];
#pragma unroll
      for (unsigned i = 0; i < shape::fetched; ++i) {
        seen[i] = seen_by(row[first + i < degree ? first + i : degree - 1]);
      }
      around |= joined(seen);
      if (!without(wanted, around).any()) {
        break;
      }
    }
    return around;
  }

 private:
  [[nodiscard]] __device__ static bits joined(const bits (&seen)[shape::fetched]) {
    bits all{};
#pragma unroll
    for (const bits& each : seen) {
      all |= each;
    }
    return all;
  }

  const bits* masks_;
  const vertex_id* targets_;
};

}  // namespace tendril::cuda
