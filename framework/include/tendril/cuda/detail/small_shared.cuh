#pragma once

#include <cstdint>

#include "tendril/core/types.hpp"
#include "tendril/cuda/detail/guarded.cuh"

// Shared memory of a cluster by address, in instructions that do not branch. A level of a small
// traversal is one chain of them; in C++ the compiler asks for the block's number before each
// access and branches around each atomic, which doubled the length of the chain.

namespace tendril::cuda {

/// An address in the block's own shared memory, kept in a register.
using shared_address = std::uint32_t;

[[nodiscard]] __device__ inline shared_address shared_address_of(const void* object) {
  auto address = static_cast<shared_address>(__cvta_generic_to_shared(object));
  asm volatile("mov.u32 %0, %0;" : "+r"(address));
  return address;
}

/// Another block of the cluster may write it meanwhile.
[[nodiscard]] __device__ inline std::uint64_t load_shared(shared_address from) {
  std::uint64_t value;
  asm volatile("ld.relaxed.cluster.shared::cta.u64 %0, [%1];" : "=l"(value) : "r"(from) : "memory");
  return value;
}
__device__ inline void store_shared(shared_address to, std::uint64_t value) {
  asm volatile("st.relaxed.cta.shared::cta.u64 [%0], %1;" ::"r"(to), "l"(value) : "memory");
}
/// To a generic address, in any block of the cluster.
__device__ inline void store_if(bool condition, std::uint64_t to, std::uint64_t value) {
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t"
      "@p st.relaxed.cluster.u64 [%0], %1;\n\t}" ::"l"(to),
      "l"(value), "r"(static_cast<std::uint32_t>(condition))
      : "memory");
}
/// @return the value before
[[nodiscard]] __device__ inline std::uint32_t add_shared(shared_address to, std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.relaxed.cta.shared::cta.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(to), "r"(value)
               : "memory");
  return before;
}
[[nodiscard]] __device__ inline std::uint32_t or_shared(shared_address to, std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.relaxed.cta.shared::cta.or.b32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(to), "r"(value)
               : "memory");
  return before;
}
[[nodiscard]] __device__ inline std::uint32_t exchange_shared(shared_address to,
                                                              std::uint32_t value) {
  std::uint32_t before;
  asm volatile("atom.relaxed.cta.shared::cta.exch.b32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(to), "r"(value)
               : "memory");
  return before;
}

/// In any block of the cluster. @return the word before, or all bits
[[nodiscard]] __device__ inline bit_word or_if(bool condition, bit_word* to, bit_word bits) {
  bit_word before = ~bit_word{0};
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %3, 0;\n\t"
      "@p atom.relaxed.cluster.or.b32 %0, [%1], %2;\n\t}"
      : "+r"(before)
      : "l"(to), "r"(bits), "r"(static_cast<std::uint32_t>(condition))
      : "memory");
  return before;
}

/// At a barrier of so many threads of the block, apart from __syncthreads: goes on at once.
template <unsigned Threads>
__device__ inline void arrive_at_barrier() {
  asm volatile("bar.arrive 1, %0;" ::"n"(Threads) : "memory");
}
/// Goes on when the others have arrived.
template <unsigned Threads>
__device__ inline void wait_at_barrier() {
  asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory");
}

/// What the other blocks of the cluster wrote before their fence and a word that was read since.
__device__ inline void fence_cluster() {
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
}

}  // namespace tendril::cuda
