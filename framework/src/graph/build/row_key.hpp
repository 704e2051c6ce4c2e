#pragma once

#include <bit>
#include <cstdint>

#include "tendril/core/types.hpp"

// What a row is sorted by: target, then weight, as one value that compares fast. Weights of equal
// value but different bits (0 and -0) are told apart, so a sorted row is unique whatever the order
// its edges came in.

namespace tendril::build {

/// The weight as an unsigned number of the same order.
constexpr std::uint32_t ordered_bits(std::int32_t weight) {
  return static_cast<std::uint32_t>(weight) ^ 0x80000000U;
}
constexpr std::uint32_t ordered_bits(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight);
  return bits >> 31U == 0 ? bits ^ 0x80000000U : ~bits;
}
constexpr std::uint64_t ordered_bits(double weight) {
  const auto bits = std::bit_cast<std::uint64_t>(weight);
  return bits >> 63U == 0 ? bits ^ (std::uint64_t{1} << 63U) : ~bits;
}

/// The weight back again.
template <class W>
constexpr W from_ordered_bits(std::uint32_t bits) {
  if constexpr (std::same_as<W, std::int32_t>) {
    return static_cast<std::int32_t>(bits ^ 0x80000000U);
  } else {
    return std::bit_cast<float>(bits >> 31U == 0 ? ~bits : bits ^ 0x80000000U);
  }
}

/// Target and a 4-byte weight in one word.
template <weight W>
class row_key {
 public:
  row_key() = default;
  constexpr row_key(vertex_id target, W weight)
      : word_(std::uint64_t{target} << 32U | ordered_bits(weight)) {}

  [[nodiscard]] constexpr vertex_id target() const { return static_cast<vertex_id>(word_ >> 32U); }
  [[nodiscard]] constexpr W weight() const {
    return from_ordered_bits<W>(static_cast<std::uint32_t>(word_));
  }
  friend constexpr bool operator<(row_key a, row_key b) { return a.word_ < b.word_; }

 private:
  std::uint64_t word_;
};

template <>
class row_key<none> {
 public:
  row_key() = default;
  constexpr row_key(vertex_id target, none /*weight*/) : target_(target) {}

  [[nodiscard]] constexpr vertex_id target() const { return target_; }
  [[nodiscard]] constexpr none weight() const { return {}; }
  friend constexpr bool operator<(row_key a, row_key b) { return a.target_ < b.target_; }

 private:
  vertex_id target_;
};

template <>
class row_key<double> {
 public:
  row_key() = default;
  row_key(vertex_id target, double weight) : weight_(weight), target_(target) {}

  [[nodiscard]] vertex_id target() const { return target_; }
  [[nodiscard]] double weight() const { return weight_; }
  friend bool operator<(const row_key& a, const row_key& b) {
    return a.target_ != b.target_ ? a.target_ < b.target_
                                  : ordered_bits(a.weight_) < ordered_bits(b.weight_);
  }

 private:
  double weight_;
  vertex_id target_;
};

}  // namespace tendril::build
