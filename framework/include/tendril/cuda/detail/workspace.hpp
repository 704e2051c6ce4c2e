#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/core/types.hpp"

// Where things lie in an engine's working memory. The same layout answers how much a traversal
// needs and cuts up what it was given.

namespace tendril::cuda {

/// Hands out offsets, each aligned to 256 bytes.
class layout {
 public:
  [[nodiscard]] std::size_t add(std::size_t bytes) noexcept {
    const std::size_t at = size_;
    size_ += (bytes + 255) / 256 * 256;
    return at;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  std::size_t size_ = 0;
};

/// Levels that a kernel records before it hands them to the host.
inline constexpr std::uint32_t log_capacity = 16384;

/// Working memory of a first-visit traversal: state and log, sources, two bitmaps of n / 8 bytes,
/// a queue of n entries: two positions each, and the vertex where the visitor reads edges.
struct first_visit_layout {
  first_visit_layout(vertex_id num_vertices, std::size_t num_sources, std::size_t position_bytes,
                     bool reads_edges, std::size_t state_bytes, std::size_t record_bytes) {
    const std::size_t n = num_vertices;
    const std::size_t bitmap_bytes = (n + 31) / 32 * sizeof(std::uint32_t);
    state = all.add(state_bytes + log_capacity * record_bytes);
    sources = all.add(num_sources * sizeof(vertex_id));
    bits[0] = all.add(bitmap_bytes);
    bits[1] = all.add(bitmap_bytes);
    edges_before = all.add(n * position_bytes);
    shift = all.add(n * position_bytes);
    vertices = all.add(reads_edges ? n * sizeof(vertex_id) : 0);
  }

  layout all;
  std::size_t state;
  std::size_t sources;
  std::size_t bits[2];
  std::size_t edges_before;
  std::size_t shift;
  std::size_t vertices;
};

}  // namespace tendril::cuda
