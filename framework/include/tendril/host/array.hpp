#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tendril/host/buffer.hpp"

namespace tendril {

/// An array in the host engine's memory, for a visitor to write. Made by host_engine::array; move
/// only.
template <class T>
class host_array {
 public:
  /// Takes a buffer over.
  explicit host_array(detail::buffer<T>&& values) : values_(std::move(values)) {}

  /// Host pointer, for a visitor to write through.
  [[nodiscard]] T* data() noexcept { return values_.data(); }
  /// Host pointer.
  [[nodiscard]] const T* data() const noexcept { return values_.data(); }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

  /// A copy of the values. @cost O(size); data() reads them without one
  [[nodiscard]] std::vector<T> to_host() const { return {data(), data() + size()}; }

 private:
  detail::buffer<T> values_;
};

}  // namespace tendril
