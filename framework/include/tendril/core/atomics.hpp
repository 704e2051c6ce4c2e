#pragma once

#include <atomic>
#include <type_traits>

#include "tendril/core/target.hpp"

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

// Atomic access to a visitor's arrays, the same on both engines: cuda::atomic_ref (device scope) in
// device code, std::atomic_ref on the host. All of it is relaxed: a level boundary orders levels.

namespace tendril {

namespace detail {

#if defined(__CUDA_ARCH__)
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;
inline constexpr auto relaxed = ::cuda::memory_order_relaxed;
#else
template <class T>
using atomic_ref = std::atomic_ref<T>;
inline constexpr auto relaxed = std::memory_order_relaxed;
#endif

/// Writes `desired` as long as what it would replace asks for it; true if this call wrote it.
template <class T, class Wanted>
TENDRIL_HD inline bool replace_while(T& value, T desired, const Wanted& wanted) {
  atomic_ref<T> target(value);
  T seen = target.load(relaxed);
  while (wanted(seen)) {
    if (target.compare_exchange_weak(seen, desired, relaxed, relaxed)) {
      return true;
    }
  }
  return false;
}

}  // namespace detail

/// Reads a value that other threads may write meanwhile.
template <class T>
TENDRIL_HD inline std::remove_const_t<T> load(T& value) {
  using plain = std::remove_const_t<T>;
  return detail::atomic_ref<plain>(const_cast<plain&>(value)).load(detail::relaxed);
}

/// Writes a value that other threads may read meanwhile.
template <class T>
TENDRIL_HD inline void store(T& value, std::type_identity_t<T> desired) {
  detail::atomic_ref<T>(value).store(desired, detail::relaxed);
}

/// Lowers `value` to `candidate` if that is less; true if this call lowered it.
/// @pre neither is NaN
/// @cost one read when nothing changes; a compare-and-swap loop otherwise
template <class T>
TENDRIL_HD inline bool lower(T& value, std::type_identity_t<T> candidate) {
  return detail::replace_while(value, candidate, [&](T seen) { return candidate < seen; });
}

/// Raises `value` to `candidate` if that is greater; true if this call raised it.
/// @pre neither is NaN
/// @cost as lower()
template <class T>
TENDRIL_HD inline bool raise(T& value, std::type_identity_t<T> candidate) {
  return detail::replace_while(value, candidate, [&](T seen) { return seen < candidate; });
}

/// Writes `desired` where `value` is `expected`; true if this call wrote it.
template <class T>
TENDRIL_HD inline bool replace(T& value, std::type_identity_t<T> expected,
                               std::type_identity_t<T> desired) {
  return detail::atomic_ref<T>(value).compare_exchange_strong(expected, desired, detail::relaxed,
                                                              detail::relaxed);
}

/// Adds to a value that other threads add to meanwhile; returns what it was before.
template <class T>
TENDRIL_HD inline T add(T& value, std::type_identity_t<T> amount) {
  return detail::atomic_ref<T>(value).fetch_add(amount, detail::relaxed);
}

}  // namespace tendril
