#pragma once

#include "cuda/lanes/types.cuh"

// How often the threads of a block found each lane. A thread counts in bit slices, plane k holding
// bit k of all its counts; the warp adds up what its threads hold before the block counts in
// numbers.

namespace tendril::cuda {

/// Counts of a thread's part of the lanes.
template <unsigned Words>
class lane_counters {
 public:
  using shape = lane_shape<Words>;
  using bits = lane_bits<shape::vector_words>;
  /// What the counters hold.
  static constexpr unsigned most_added = (1U << shape::counter_planes) - 1;

  __device__ explicit lane_counters(lane_scratch<Words>& scratch) : scratch_(scratch) {
    for (auto& plane : scratch.counters) {
      plane[threadIdx.x] = bits{};
    }
  }

  /// One more of each of these lanes. @pre fewer than most_added since the last give_to_block()
  __device__ void add(bits carry) {
#pragma unroll
    for (auto& plane : scratch_.counters) {
      bits& counter = plane[threadIdx.x];
      const bits both = counter & carry;
#pragma unroll
      for (unsigned w = 0; w < shape::vector_words; ++w) {
        counter.word[w] ^= carry.word[w];
      }
      carry = both;
      if (!carry.any()) {
        break;
      }
    }
  }

  /// Adds the counts to those of the block, and begins again. By whole warps.
  __device__ void give_to_block() {
    slices counts;
    std::uint32_t any = 0;
#pragma unroll
    for (unsigned k = 0; k < shape::counter_planes; ++k) {
      bits& plane = scratch_.counters[k][threadIdx.x];
#pragma unroll
      for (unsigned w = 0; w < shape::vector_words; ++w) {
        counts.plane[k][2 * w] = static_cast<std::uint32_t>(plane.word[w]);
        counts.plane[k][2 * w + 1] = static_cast<std::uint32_t>(plane.word[w] >> 32U);
        any |= counts.plane[k][2 * w] | counts.plane[k][2 * w + 1];
      }
      plane = bits{};
    }
    if (__any_sync(~0U, any != 0)) {
      fold<shape::parts, lanes_of_part, shape::counter_planes>(
          counts, threadIdx.x % shape::parts * lanes_of_part);
    }
  }

 private:
  static constexpr unsigned lanes_of_part = 64 * shape::vector_words;
  struct slices {
    std::uint32_t plane[shape::counter_planes + 5][lanes_of_part / 32];
  };

  /// Halves the lanes whose counts the thread knows, until the threads of the warp share them: it
  /// gives one half to the thread that is Offset away, whose other half it adds to its own.
  /// @param first  of its lanes
  template <unsigned Offset, unsigned Lanes, unsigned Planes>
  __device__ void fold(slices& counts, unsigned first) {
    if constexpr (Offset == 32) {
      add_to_block<Lanes, Planes>(counts, first);
    } else {
      constexpr unsigned half = Lanes / 2;
      const bool keeps_upper = (lane_id() & Offset) != 0;
#pragma unroll
      for (unsigned w = 0; w < (half + 31) / 32; ++w) {
        std::uint32_t carry = 0;
#pragma unroll
        for (unsigned k = 0; k < Planes; ++k) {
          const std::uint32_t lower = counts.plane[k][w];
          const std::uint32_t upper =
              half < 32 ? lower >> (half % 32) : counts.plane[k][w + half / 32];
          const std::uint32_t kept = keeps_upper ? upper : lower;
          const std::uint32_t got =
              __shfl_xor_sync(~0U, keeps_upper ? lower : upper, static_cast<int>(Offset));
          counts.plane[k][w] = kept ^ got ^ carry;
          carry = (kept & got) | (carry & (kept | got));
        }
        counts.plane[Planes][w] = carry;
      }
      fold<Offset * 2, half, Planes + 1>(counts, first + (keeps_upper ? half : 0));
    }
  }

  template <unsigned Lanes, unsigned Planes>
  __device__ void add_to_block(const slices& counts, unsigned first) {
    static_assert(Lanes <= 32);
#pragma unroll
    for (unsigned i = 0; i < Lanes; ++i) {
      std::uint32_t count = 0;
#pragma unroll
      for (unsigned k = 0; k < Planes; ++k) {
        count |= (counts.plane[k][0] >> i & 1U) << k;
      }
      if (count != 0) {
        atomicAdd(&scratch_.counts[first + i], count);
      }
    }
  }

  lane_scratch<Words>& scratch_;
};

}  // namespace tendril::cuda
