#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tendril/core/types.hpp"
#include "tendril/host/bitmap.hpp"

namespace tendril::detail {

/// A bit per search of a batch.
template <std::size_t Words>
struct lane_mask {
  std::array<std::uint64_t, Words> words;

  [[nodiscard]] bool any() const noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t word : words) {
      all |= word;
    }
    return all != 0;
  }
  void set(std::size_t lane) noexcept { words[lane / 64] |= std::uint64_t{1} << (lane % 64); }

  lane_mask& operator|=(const lane_mask& other) noexcept {
    for (std::size_t w = 0; w < Words; ++w) {
      words[w] |= other.words[w];
    }
    return *this;
  }
  [[nodiscard]] friend lane_mask operator&(lane_mask a, const lane_mask& b) noexcept {
    for (std::size_t w = 0; w < Words; ++w) {
      a.words[w] &= b.words[w];
    }
    return a;
  }
  /// Lanes of `a` that `b` lacks.
  [[nodiscard]] friend lane_mask without(lane_mask a, const lane_mask& b) noexcept {
    for (std::size_t w = 0; w < Words; ++w) {
      a.words[w] &= ~b.words[w];
    }
    return a;
  }
};

/// Counts, lane by lane, the masks that have it. The counters are kept in planes, plane k holding
/// bit k of each, so that a mask is added in about two steps however many lanes it has.
template <std::size_t Words>
class lane_counter {
 public:
  void add(lane_mask<Words> carry) noexcept {
    for (lane_mask<Words>& plane : planes_) {
      const lane_mask<Words> both = plane & carry;
      for (std::size_t w = 0; w < Words; ++w) {
        plane.words[w] ^= carry.words[w];
      }
      carry = both;
      if (!carry.any()) {
        break;
      }
    }
    if (++added_ == most_added) {
      flush();
    }
  }

  /// Adds the counts to `totals`, and forgets them.
  void take(std::array<vertex_id, 64 * Words>& totals) noexcept {
    flush();
    for (std::size_t lane = 0; lane < totals.size(); ++lane) {
      totals[lane] += counts_[lane];
      counts_[lane] = 0;
    }
  }

 private:
  static constexpr unsigned num_planes = 8;
  static constexpr unsigned most_added = (1U << num_planes) - 1;

  void flush() noexcept {
    for (unsigned k = 0; k < num_planes && added_ != 0; ++k) {
      for (std::size_t w = 0; w < Words; ++w) {
        for_each_bit(w, planes_[k].words[w], [&](vertex_id lane) { counts_[lane] += 1U << k; });
      }
      planes_[k] = {};
    }
    added_ = 0;
  }

  std::array<lane_mask<Words>, num_planes> planes_{};
  unsigned added_ = 0;
  std::array<vertex_id, 64 * Words> counts_{};
};

}  // namespace tendril::detail
