#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tendril/core/types.hpp"

namespace tendril::detail {

/// Vertices of a level in no particular order, appended to by many threads.
class vertex_queue {
 public:
  /// @param storage  room for every vertex that will be appended
  explicit vertex_queue(vertex_id* storage) : storage_(storage) {}

  void append(const vertex_id* vertices, std::size_t count) noexcept {
    const std::size_t at = size_.fetch_add(count, std::memory_order_relaxed);
    std::copy_n(vertices, count, storage_ + at);
  }

  [[nodiscard]] const vertex_id* data() const noexcept { return storage_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
  void clear() noexcept { size_.store(0, std::memory_order_relaxed); }

 private:
  vertex_id* storage_;
  std::atomic<std::size_t> size_{0};
};

/// What one thread found in a level. Vertices go to the queue 1024 at a time, the rest when the
/// level ends.
class alignas(64) lane {
 public:
  void push(vertex_queue& queue, vertex_id v) noexcept {
    if (num_held_ == held_.size()) {
      flush(queue);
    }
    held_[num_held_++] = v;
  }
  void count(std::size_t vertices, edge_offset edges) noexcept {
    vertices_ += vertices;
    edges_ += edges;
  }
  void flush(vertex_queue& queue) noexcept {
    queue.append(held_.data(), num_held_);
    num_held_ = 0;
  }

  [[nodiscard]] std::size_t vertices() const noexcept { return vertices_; }
  [[nodiscard]] edge_offset edges() const noexcept { return edges_; }
  void clear_counts() noexcept {
    vertices_ = 0;
    edges_ = 0;
  }

 private:
  std::size_t vertices_ = 0;
  edge_offset edges_ = 0;
  std::size_t num_held_ = 0;
  std::array<vertex_id, 1024> held_;
};

/// A lane per thread. Small levels reach the queue in the order of the lanes, and a team gives each
/// thread its own part of a queue first: so a thread goes on where it was, in lines that its own
/// cache holds.
class lanes {
 public:
  explicit lanes(int num_threads) : lanes_(static_cast<std::size_t>(num_threads)) {}

  [[nodiscard]] lane& operator[](std::uint32_t thread) noexcept { return lanes_[thread]; }

  struct totals {
    std::size_t vertices = 0;
    edge_offset edges = 0;  ///< stored edges that leave those vertices
  };
  /// Ends a level: what was found, all of it in the queue.
  totals take(vertex_queue& queue) noexcept {
    totals sum;
    for (lane& one : lanes_) {
      one.flush(queue);
      sum.vertices += one.vertices();
      sum.edges += one.edges();
      one.clear_counts();
    }
    return sum;
  }

 private:
  std::vector<lane> lanes_;
};

}  // namespace tendril::detail
