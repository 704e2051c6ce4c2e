#pragma once

#include <cstddef>
#include <new>
#include <vector>

// Memory for arrays as large as a graph. The C library's allocator keeps much of what is freed;
// here a large array goes back to the system the moment it is freed, and its pages become resident
// only when they are first written, so peak memory is what is in use.

namespace tendril {

/// Large blocks straight from the system, small ones from operator new; aligned to 64 bytes.
/// @throws resource_error with the size, when the system refuses
[[nodiscard]] void* allocate_pages(std::size_t bytes);
/// @param bytes  as allocated
void free_pages(void* memory, std::size_t bytes) noexcept;

/// An allocator over allocate_pages. Elements of trivial types start indeterminate: growing a
/// page_vector touches no memory.
template <class T>
class page_allocator {
 public:
  using value_type = T;

  page_allocator() = default;
  template <class U>
  page_allocator(const page_allocator<U>& /*other*/) noexcept {
  }  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_pages(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept { free_pages(memory, count * sizeof(T)); }

  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U>
  friend bool operator==(const page_allocator& /*a*/, const page_allocator<U>& /*b*/) noexcept {
    return true;
  }
};

template <class T>
using page_vector = std::vector<T, page_allocator<T>>;

}  // namespace tendril
