#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tendril {

/// An immutable array in host memory that keeps alive whatever holds it: a vector, a page buffer, a
/// mapped file or the caller's own memory. Copies share.
template <class T>
class shared_array {
 public:
  shared_array() = default;

  /// Takes a vector over.
  shared_array(std::vector<T> values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    view_ = *owner;
    owner_ = std::move(owner);
  }

  /// @param view   [size], host memory
  /// @param owner  kept alive as long as any copy; empty if the caller guarantees it
  shared_array(std::span<const T> view, std::shared_ptr<const void> owner)
      : view_(view), owner_(std::move(owner)) {}

  [[nodiscard]] const T* data() const noexcept { return view_.data(); }     ///< host pointer
  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }  ///< elements
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }       ///< no element
  /// @pre i < size()
  [[nodiscard]] const T& operator[](std::size_t i) const { return view_[i]; }
  [[nodiscard]] auto begin() const noexcept { return view_.begin(); }  ///< of the elements
  [[nodiscard]] auto end() const noexcept { return view_.end(); }      ///< of the elements

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tendril
