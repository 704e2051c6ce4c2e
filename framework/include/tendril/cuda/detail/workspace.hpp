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

/// Pointers into working memory.
struct workspace_carver {
  std::byte* memory;

  template <class T>
  [[nodiscard]] T* at(std::size_t offset) const noexcept {
    return reinterpret_cast<T*>(memory + offset);
  }
};

/// Levels that a kernel records before it hands them to the host, and the bytes of a record and of
/// the state before them (kernel_types.cuh asserts both).
inline constexpr std::uint32_t log_capacity = 16384;
inline constexpr std::size_t level_record_bytes = 24;
inline constexpr std::size_t state_bytes = 256;

[[nodiscard]] constexpr std::size_t bitmap_bytes(vertex_id num_vertices) noexcept {
  return (static_cast<std::size_t>(num_vertices) + 31) / 32 * sizeof(std::uint32_t);
}

/// State, log and sources: 0.4 MB and 4 bytes per source.
struct common_layout {
  explicit common_layout(std::size_t num_sources)
      : state(all.add(state_bytes + log_capacity * level_record_bytes)),
        sources(all.add(num_sources * sizeof(vertex_id))) {}

  layout all;
  std::size_t state;
  std::size_t sources;
};

/// Of a first-visit traversal: two bitmaps of an eighth of a byte per vertex, and a queue that each
/// vertex enters once: two positions, and the vertex where the visitor reads edges.
struct first_visit_layout : common_layout {
  first_visit_layout(vertex_id num_vertices, std::size_t num_sources, std::size_t position_bytes,
                     bool reads_edges)
      : common_layout(num_sources),
        bits{all.add(bitmap_bytes(num_vertices)), all.add(bitmap_bytes(num_vertices))},
        edges_before(all.add(num_vertices * position_bytes)),
        shift(all.add(num_vertices * position_bytes)),
        vertices(all.add(reads_edges ? num_vertices * sizeof(vertex_id) : 0)) {}

  std::size_t bits[2];
  std::size_t edges_before;
  std::size_t shift;
  std::size_t vertices;
};

/// Of a relaxing traversal: two queues that take turns, each with a bitmap.
struct relaxing_layout : common_layout {
  relaxing_layout(vertex_id num_vertices, std::size_t num_sources, std::size_t position_bytes)
      : common_layout(num_sources) {
    for (int i = 0; i < 2; ++i) {
      queued[i] = all.add(bitmap_bytes(num_vertices));
      edges_before[i] = all.add(num_vertices * position_bytes);
      shift[i] = all.add(num_vertices * position_bytes);
      vertices[i] = all.add(num_vertices * sizeof(vertex_id));
    }
  }

  std::size_t queued[2];
  std::size_t edges_before[2];
  std::size_t shift[2];
  std::size_t vertices[2];
};

}  // namespace tendril::cuda
