#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "tendril/core/page_allocator.hpp"
#include "tendril/core/shared_array.hpp"

namespace tendril {

/// Asks for huge pages where the block is large enough: fewer misses when it is read at random.
/// Best effort; for arrays that end up written in full.
void prefer_huge_pages(const void* memory, std::size_t bytes) noexcept;

/// Asks for small pages, for buffers that are written at many places at once.
void prefer_small_pages(const void* memory, std::size_t bytes) noexcept;

/// Gives the whole pages inside a block back to the system; their content is lost. The block itself
/// must come from allocate_pages.
void release_pages(const void* memory, std::size_t bytes) noexcept;

/// Memory that the system could hand out now, bytes.
[[nodiscard]] std::uint64_t available_memory();

/// a * b, or the largest number if that is more.
[[nodiscard]] constexpr std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t largest = ~std::uint64_t{0};
  return b != 0 && a > largest / b ? largest : a * b;
}

/// @throws resource_error with both numbers if fewer bytes than that are available
void require_memory(std::uint64_t bytes, std::string_view purpose);

/// Hands the first `size` elements over to a shared array.
template <class T>
[[nodiscard]] shared_array<T> share(page_vector<T>&& values, std::size_t size) {
  auto owner = std::make_shared<const page_vector<T>>(std::move(values));
  const std::span<const T> view(owner->data(), size);
  return {view, std::move(owner)};
}

}  // namespace tendril
