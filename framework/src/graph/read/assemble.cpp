#include "graph/read/assemble.hpp"

#include <unistd.h>

#include <string>

#include "tendril/core/error.hpp"

namespace tendril::detail {

void refuse_unless_fits(const std::filesystem::path& path, std::uint64_t num_vertices) {
  const auto memory_bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t offsets_bytes = (num_vertices + 1) * sizeof(edge_offset);
  if (offsets_bytes > memory_bytes) {
    throw resource_error(path.string() + ": " + std::to_string(num_vertices) + " vertices need " +
                         std::to_string(offsets_bytes) +
                         " bytes for their offsets alone, this machine has " +
                         std::to_string(memory_bytes));
  }
}

}  // namespace tendril::detail
