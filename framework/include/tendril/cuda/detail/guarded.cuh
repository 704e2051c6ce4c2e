#pragma once

#include <cstdint>

#include "tendril/cuda/detail/placed_graph.hpp"

// Access to global memory under a condition, in instructions that do not branch. In C++ the
// compiler waits for one conditional read before it begins the next, and branches around each
// atomic; a level of a traversal is a chain of few such accesses, so they have to be on their way
// together.

namespace tendril::cuda {

/// What nobody writes meanwhile and this block reads once, or what it was.
__device__ inline void load_if(bool condition, std::uint32_t& value, const std::uint32_t* from) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
      "@p ld.global.nc.L1::no_allocate.u32 %0, [%1];\n\t}"
      : "+r"(value)
      : "l"(from), "r"(static_cast<std::uint32_t>(condition)));
}
__device__ inline void load_if(bool condition, std::uint32_t& value, const degree_byte* from) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
      "@p ld.global.nc.L1::no_allocate.u8 %0, [%1];\n\t}"
      : "+r"(value)
      : "l"(from), "r"(static_cast<std::uint32_t>(condition)));
}
__device__ inline void load_if(bool condition, short_row& row, const short_row* from) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %5, 0;\n\t"
      "@p ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n\t}"
      : "+r"(row.targets[0]), "+r"(row.targets[1]), "+r"(row.targets[2]), "+r"(row.targets[3])
      : "l"(from), "r"(static_cast<std::uint32_t>(condition)));
}

/// The same without a condition: predicates are few, and reads that wait for one come late.
[[nodiscard]] __device__ inline std::uint32_t load(const std::uint32_t* from) {
  std::uint32_t value;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
[[nodiscard]] __device__ inline std::uint32_t load(const degree_byte* from) {
  std::uint32_t value;
  asm volatile("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
[[nodiscard]] __device__ inline short_row load(const short_row* from) {
  short_row row;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(row.targets[0]), "=r"(row.targets[1]), "=r"(row.targets[2]),
                 "=r"(row.targets[3])
               : "l"(from));
  return row;
}
[[nodiscard]] __device__ inline bit_word load_word(const bit_word* from) {
  bit_word word;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
}

/// A word of a bitmap as it was in this level or at its beginning, or what it was.
__device__ inline void load_word_if(bool condition, bit_word& word, const bit_word* from) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
      "@p ld.global.u32 %0, [%1];\n\t}"
      : "+r"(word)
      : "l"(from), "r"(static_cast<std::uint32_t>(condition))
      : "memory");
}
/// @return the word before, or all bits
[[nodiscard]] __device__ inline bit_word set_bits_if(bool condition, bit_word* to, bit_word bits) {
  bit_word before = ~bit_word{0};
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\t"
      "@p atom.global.or.b32 %0, [%1], %2;\n\t}"
      : "+r"(before)
      : "l"(to), "r"(bits), "r"(static_cast<std::uint32_t>(condition))
      : "memory");
  return before;
}

__device__ inline void prefetch_if(bool condition, const void* from) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t"
      "@p prefetch.global.L2 [%0];\n\t}" ::"l"(from),
      "r"(static_cast<std::uint32_t>(condition)));
}

}  // namespace tendril::cuda
