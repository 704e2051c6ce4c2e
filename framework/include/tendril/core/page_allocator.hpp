#pragma once

#include <cstddef>
#include <new>
#include <vector>

// Memory for arrays as large as a graph. The C library's allocator keeps much of what is freed;
// here a large array goes back to the system the moment it is freed, and its pages become resident
// only when they are first written, so peak memory is what is in use.

namespace tendril {

/// Large blocks straight from the system, small ones from operator new; aligned to 64 bytes.
/// @throws resource_error with the size when the system refuses a large block; std::bad_alloc for a
///         small one
[[nodiscard]] void* allocate_pages(std::size_t bytes);
/// Gives memory of allocate_pages back.
/// @param memory  as allocate_pages returned it
/// @param bytes   as allocated
void free_pages(void* memory, std::size_t bytes) noexcept;

/// An allocator over allocate_pages. Elements of trivial types start indeterminate: growing a
/// page_vector touches no memory.
template <class T>
class page_allocator {
 public:
  using value_type = T;  ///< what it allocates

  page_allocator() = default;
  /// All of them share the system's memory.
  template <class U>
  page_allocator(const page_allocator<U>& /*other*/) noexcept {}

  /// Room for `count` elements.
  /// @throws as allocate_pages does; std::bad_array_new_length where the size overflows
  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) {
      throw std::bad_array_new_length();
    }
    return static_cast<T*>(allocate_pages(count * sizeof(T)));
  }
  /// Gives room for `count` elements back.
  void deallocate(T* memory, std::size_t count) noexcept { free_pages(memory, count * sizeof(T)); }

  /// Default-initialises an element: one of trivial type stays indeterminate.
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  /// True: what one allocates any other can free.
  template <class U>
  friend bool operator==(const page_allocator& /*a*/, const page_allocator<U>& /*b*/) noexcept {
    return true;
  }
};

/// A vector whose memory goes back to the system when it is freed.
template <class T>
using page_vector = std::vector<T, page_allocator<T>>;

}  // namespace tendril
