#pragma once

#include <cstdint>

// Counter-based random numbers: the number of a draw and the seed give its value, so any thread can
// make any part of a graph, and integer arithmetic makes it the same on any machine.

namespace tendril::generate_detail {

/// The finaliser of splitmix64: a bijection on 64 bits whose output looks random.
/// @source Steele, Lea, Flood 2014, with Stafford's constants (variant 13)
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// A stream of 64-bit numbers for each seed.
class random_stream {
 public:
  explicit constexpr random_stream(std::uint64_t seed) : key_(mix(seed + golden)) {}

  [[nodiscard]] constexpr std::uint64_t operator[](std::uint64_t number) const {
    return mix(key_ + golden * number);
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  std::uint64_t key_;
};

/// 0 .. limit - 1, each equally likely but for limit / 2^32. @pre limit <= 2^32
constexpr std::uint64_t below(std::uint64_t random, std::uint64_t limit) {
  return ((random >> 32U) * limit) >> 32U;
}

}  // namespace tendril::generate_detail
