#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tendril/core/types.hpp"

// A bit per vertex in 64-bit words, read and written by many threads.

namespace tendril::detail {

using bitmap_word = std::uint64_t;
inline constexpr vertex_id bits_per_word = 64;

[[nodiscard]] inline std::size_t words_for(vertex_id num_vertices) noexcept {
  return (static_cast<std::size_t>(num_vertices) + bits_per_word - 1) / bits_per_word;
}

/// Whether several threads write the bitmap in this step. One that works alone needs no locked
/// instruction.
enum class sharing : std::uint8_t { alone, shared };

/// A borrowed bitmap.
class bitmap_view {
 public:
  explicit bitmap_view(bitmap_word* words) : words_(words) {}

  [[nodiscard]] bool test(vertex_id v) const noexcept {
    return (word(v / bits_per_word) & bit(v)) != 0;
  }

  /// Sets v's bit; true if this call set it.
  template <sharing Sharing>
  [[nodiscard]] bool claim(vertex_id v) const noexcept {
    if constexpr (Sharing == sharing::alone) {
      bitmap_word& w = words_[v / bits_per_word];
      const bool was_clear = (w & bit(v)) == 0;
      w |= bit(v);
      return was_clear;
    } else {
      std::atomic_ref<bitmap_word> w(words_[v / bits_per_word]);
      return (w.fetch_or(bit(v), std::memory_order_relaxed) & bit(v)) == 0;
    }
  }

  [[nodiscard]] bitmap_word word(std::size_t index) const noexcept {
    return std::atomic_ref<bitmap_word>(words_[index]).load(std::memory_order_relaxed);
  }
  void set_word(std::size_t index, bitmap_word value) const noexcept {
    std::atomic_ref<bitmap_word>(words_[index]).store(value, std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] static bitmap_word bit(vertex_id v) noexcept {
    return bitmap_word{1} << (v % bits_per_word);
  }

  bitmap_word* words_;
};

/// Calls visit(v) for every set bit of a word, ascending.
template <class Visit>
inline void for_each_bit(std::size_t word_index, bitmap_word word, const Visit& visit) {
  for (; word != 0; word &= word - 1) {
    visit(static_cast<vertex_id>(word_index * bits_per_word +
                                 static_cast<std::size_t>(std::countr_zero(word))));
  }
}

}  // namespace tendril::detail
