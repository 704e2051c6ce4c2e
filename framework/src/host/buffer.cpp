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

void* allocate_huge(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page_bytes ? huge_page_bytes : small_alignment;
  void* memory = nullptr;
  if (bytes <= std::numeric_limits<std::size_t>::max() - alignment) {
    memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  if (memory == nullptr) {
    throw resource_error("out of host memory: " + std::to_string(bytes) + " bytes asked");
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
