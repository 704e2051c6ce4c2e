#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tendril::detail {

/// Uninitialised memory for large arrays, in huge pages where the system grants them: a traversal
/// touches its arrays at random, and a first touch of 4 KiB at a time costs more than the
/// traversal's own write.
/// @throws resource_error with the size, however large
[[nodiscard]] void* allocate_huge(std::size_t count, std::size_t bytes_each);
void free_huge(void* memory) noexcept;

/// Uninitialised host memory.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  buffer() = default;
  explicit buffer(std::size_t size)
      : data_(size == 0 ? nullptr : static_cast<T*>(allocate_huge(size, sizeof(T)))), size_(size) {}

  [[nodiscard]] T* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// Makes room for `size` elements; what was there is lost if it grows.
  void reserve(std::size_t size) {
    if (size > size_) {
      *this = buffer();
      *this = buffer(size);
    }
  }

 private:
  struct deleter {
    void operator()(T* memory) const noexcept { free_huge(memory); }
  };
  std::unique_ptr<T, deleter> data_;
  std::size_t size_ = 0;
};

}  // namespace tendril::detail
