#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>

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

/// What one thread found, on its way into the queue: one reservation for many vertices.
class queue_writer {
 public:
  explicit queue_writer(vertex_queue& queue) : queue_(queue) {}
  queue_writer(const queue_writer&) = delete;
  queue_writer& operator=(const queue_writer&) = delete;
  ~queue_writer() { flush(); }

  void push(vertex_id v) noexcept {
    if (count_ == held_.size()) {
      flush();
    }
    held_[count_++] = v;
  }

 private:
  void flush() noexcept {
    if (count_ != 0) {
      queue_.append(held_.data(), count_);
      count_ = 0;
    }
  }

  vertex_queue& queue_;
  std::size_t count_ = 0;
  std::array<vertex_id, 1024> held_;
};

/// What a level found, summed over threads.
struct level_totals {
  std::atomic<std::size_t> vertices{0};
  std::atomic<edge_offset> edges{0};  ///< stored edges that leave those vertices
  void add(std::size_t more_vertices, edge_offset more_edges) noexcept {
    vertices.fetch_add(more_vertices, std::memory_order_relaxed);
    edges.fetch_add(more_edges, std::memory_order_relaxed);
  }
  void clear() noexcept {
    vertices.store(0, std::memory_order_relaxed);
    edges.store(0, std::memory_order_relaxed);
  }
};

}  // namespace tendril::detail
