#include "tendril/host/buffer.hpp"

#include <cstdlib>
#include <limits>
#include <string>

#include "tendril/core/error.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tendril::detail {

namespace {

constexpr std::size_t small_alignment = 64;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

}  // namespace

void* allocate_huge(std::size_t count, std::size_t bytes_each) {
  const bool is_addressable =
      count <= (std::numeric_limits<std::size_t>::max() - huge_page_bytes) / bytes_each;
  const std::size_t bytes = is_addressable ? count * bytes_each : 0;
  const std::size_t alignment = bytes >= huge_page_bytes ? huge_page_bytes : small_alignment;
  void* const memory =
      is_addressable
          ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
          : nullptr;
  if (memory == nullptr) {
    throw resource_error("out of host memory: asked for " + std::to_string(count) + " times " +
                         std::to_string(bytes_each) + " bytes");
  }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (alignment == huge_page_bytes) {
    // A wish: where it is not granted, ordinary pages do.
    static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
  }
#endif
  return memory;
}

void free_huge(void* memory) noexcept {
  std::free(memory);
}

}  // namespace tendril::detail
