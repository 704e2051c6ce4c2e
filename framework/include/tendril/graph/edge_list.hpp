#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tendril/core/page_allocator.hpp"
#include "tendril/core/types.hpp"

namespace tendril {

/// Edges on their way into a csr: chunks that readers and generators fill in parallel, in the order
/// of the file. Host memory.
template <weight W = none>
class edge_list {
 public:
  /// Page-backed, so that a chunk freed is memory given back.
  using chunk = page_vector<edge<W>>;

  /// Appends a chunk; empty ones are dropped.
  void append(chunk&& edges) {
    size_ += edges.size();
    if (!edges.empty()) {
      chunks_.push_back(std::move(edges));
    }
  }

  /// Edges of all chunks together, as they were appended.
  [[nodiscard]] edge_offset size() const noexcept { return size_; }
  /// The chunks in order; a builder frees them one by one.
  [[nodiscard]] std::vector<chunk>& chunks() noexcept { return chunks_; }
  /// The chunks in order.
  [[nodiscard]] const std::vector<chunk>& chunks() const noexcept { return chunks_; }

 private:
  std::vector<chunk> chunks_;
  edge_offset size_ = 0;
};

}  // namespace tendril
