#include "core/pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "tendril/core/error.hpp"

namespace tendril {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;
constexpr std::size_t alignment = 64;
// Below this a system call costs more than the memory that it would give back.
constexpr std::size_t mapped_bytes = std::size_t{256} << 10U;

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
}

[[noreturn]] void refuse(std::size_t bytes) {
  throw resource_error("memory: the system refused " + megabytes(bytes));
}

// Only whole pages inside the block: its neighbours are not ours.
void advise(const void* memory, std::size_t bytes, std::size_t granularity, int advice) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (granularity - begin % granularity) % granularity;
  if (bytes >= before + granularity) {
    auto* const first = static_cast<std::byte*>(const_cast<void*>(memory)) + before;
    madvise(first, (bytes - before) / granularity * granularity, advice);
  }
}

// The number after `key` in a file of "key value" lines.
std::optional<std::uint64_t> number_in(const char* path, std::string_view key) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    if (word == key) {
      std::uint64_t value = 0;
      if (file >> value) {
        return value;
      }
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const char* path) {
  std::uint64_t value = 0;
  if (std::ifstream(path) >> value) {
    return value;
  }
  return std::nullopt;  // also for cgroup's "max"
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
  if (bytes < mapped_bytes) {
    return ::operator new (bytes, std::align_val_t{alignment});
  }
  // Aligned so that huge pages can back it; the slack before and after is unmapped again.
  const std::size_t rounded = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  const std::size_t slack = bytes >= huge_page_bytes ? huge_page_bytes : 0;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) {
    refuse(bytes);
  }
  void* const memory = mmap(nullptr, rounded + slack, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    refuse(bytes);
  }
  if (slack == 0) {
    return memory;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (huge_page_bytes - begin % huge_page_bytes) % huge_page_bytes;
  auto* const aligned = static_cast<std::byte*>(memory) + before;
  if (before > 0) {
    munmap(memory, before);
  }
  if (before < slack) {
    munmap(aligned + rounded, slack - before);
  }
  return aligned;
}

void free_pages(void* memory, std::size_t bytes) noexcept {
  if (bytes < mapped_bytes) {
    ::operator delete (memory, std::align_val_t{alignment});
  } else {
    munmap(memory, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  }
}

void prefer_huge_pages(const void* memory, std::size_t bytes) noexcept {
  advise(memory, bytes, huge_page_bytes, MADV_HUGEPAGE);
}

void prefer_small_pages(const void* memory, std::size_t bytes) noexcept {
  if (bytes >= mapped_bytes) {
    advise(memory, bytes, page_bytes, MADV_NOHUGEPAGE);
  }
}

void release_pages(const void* memory, std::size_t bytes) noexcept {
  advise(memory, bytes, page_bytes, MADV_DONTNEED);
}

std::uint64_t available_memory() {
  constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t available = unknown;
  if (const auto kibibytes = number_in("/proc/meminfo", "MemAvailable:")) {
    available = *kibibytes * 1024;
  }
  // A container's own limit; what it holds as file cache can be given up.
  const auto limit = number_in("/sys/fs/cgroup/memory.max");
  const auto used = number_in("/sys/fs/cgroup/memory.current");
  if (limit && used) {
    const std::uint64_t cache = number_in("/sys/fs/cgroup/memory.stat", "file").value_or(0);
    const std::uint64_t held = *used > cache ? *used - cache : 0;
    available = std::min(available, *limit > held ? *limit - held : 0);
  }
  return available;
}

void require_memory(std::uint64_t bytes, std::string_view purpose) {
  const std::uint64_t available = available_memory();
  if (bytes > available) {
    throw resource_error(std::string(purpose) + ": needs " + megabytes(bytes) + " of memory, " +
                         megabytes(available) + " are available");
  }
}

}  // namespace tendril
