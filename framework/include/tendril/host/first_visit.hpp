#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tendril/host/bitmap.hpp"
#include "tendril/host/frontier.hpp"
#include "tendril/host/graph.hpp"
#include "tendril/host/levels.hpp"
#include "tendril/host/push.hpp"
#include "tendril/host/team.hpp"
#include "tendril/host/workspace.hpp"
#include "tendril/traverse/call.hpp"
#include "tendril/traverse/direction.hpp"

// First-visit traversal on threads. A bitmap says which vertices were entered: n / 8 bytes that
// stay in the cache, where an array of depths or parents would not.
//   push  threads take chunks of the queue; a vertex belongs to the thread that sets its bit; new
//         vertices are appended to the same queue, so a level is a window of it
//   pull  threads take words of the bitmap; a thread looks at the in-edges of the word's unvisited
//         vertices until one comes from the frontier, and writes the word back whole: no atomics.
//         Frontier and next frontier are bitmaps.

namespace tendril::detail {

/// Edges over which a thread claimed vertices, told to the visitor some at a time: a claim is
/// a locked instruction, which waits for the writes of the arrival before it; arrivals in a row
/// overlap their cache misses.
template <weight W, class Visitor>
class arrivals {
 public:
  arrivals(const csr_view<W>& graph, const Visitor& visitor, std::int32_t level, vertex_queue& next,
           level_totals& totals)
      : graph_(graph), visitor_(visitor), level_(level), found_(next, totals) {}
  arrivals(const arrivals&) = delete;
  arrivals& operator=(const arrivals&) = delete;
  ~arrivals() { flush(); }

  void add(const edge<W>& e) {
    if (count_ == held_.size()) {
      flush();
    }
    __builtin_prefetch(&graph_.offsets[e.target]);
    held_[count_++] = e;
  }

 private:
  void flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      arrive(visitor_, held_[i], level_);
      found_.add(held_[i].target, graph_.degree(held_[i].target));
    }
    count_ = 0;
  }

  const csr_view<W>& graph_;
  const Visitor& visitor_;
  std::int32_t level_;
  found_vertices found_;
  std::size_t count_ = 0;
  std::array<edge<W>, 64> held_;
};

template <weight W, class Visitor>
class first_visit_stepper {
 public:
  first_visit_stepper(const host_graph<W>& graph, std::span<const vertex_id> sources,
                      const Visitor& visitor, direction wanted, team& threads, workspace& space)
      : graph_(graph),
        out_(graph.view()),
        visitor_(visitor),
        threads_(threads),
        num_words_(words_for(out_.num_vertices())),
        visited_(space.visited.data()),
        front_(space.frontier.data()),
        next_(space.next.data()),
        queue_(space.queue.data()),
        chooser_(wanted, graph.can_pull(), out_.num_vertices(), out_.num_edges()) {
    std::fill_n(space.visited.data(), num_words_, bitmap_word{0});
    for (const vertex_id source : sources) {
      static_cast<void>(visited_.claim<sharing::alone>(source));
      visitor_.arrive(source, 0);
      found_.add(1, out_.degree(source));
    }
    queue_.append(sources.data(), sources.size());
    take_found();
  }

  [[nodiscard]] std::size_t frontier() const noexcept { return frontier_; }
  [[nodiscard]] edge_offset frontier_edges() const noexcept { return frontier_edges_; }
  /// Vertices that arrived so far.
  [[nodiscard]] std::size_t entered() const noexcept { return entered_; }

  /// Expands the frontier. @return push or pull
  direction step(std::int32_t level) {
    const direction way = chooser_.next(static_cast<vertex_id>(frontier_), frontier_edges_);
    if (way == direction::pull) {
      if (!in_bitmap_) {
        begin_pulling();
      }
      pull(level + 1);
    } else {
      if (in_bitmap_) {
        end_pulling();
      }
      push(level + 1);
    }
    take_found();
    return way;
  }

 private:
  /// What a thread found in a chunk of a pull.
  struct tally {
    std::size_t vertices = 0;
    edge_offset edges = 0;
  };

  void take_found() noexcept {
    frontier_ = found_.vertices.load(std::memory_order_relaxed);
    frontier_edges_ = found_.edges.load(std::memory_order_relaxed);
    entered_ += frontier_;
    found_.clear();
  }

  void push(std::int32_t level) {
    const std::span frontier(queue_.data() + window_begin_, queue_.size() - window_begin_);
    window_begin_ = queue_.size();
    const auto expand = [&]<sharing Sharing>(vertex_id u, edge_offset first, edge_offset last,
                                             arrivals<W, Visitor>& found) {
      for (edge_offset position = first; position < last; ++position) {
        const edge<W> e{u, out_.target(position), out_.weight(position)};
        if (!visited_.test(e.target) && admits(visitor_, e) &&
            visited_.template claim<Sharing>(e.target)) {
          found.add(e);
        }
      }
    };
    const auto open = [&] { return arrivals<W, Visitor>(out_, visitor_, level, queue_, found_); };
    push_level(threads_, out_, frontier, open, expand).run(frontier_edges_);
  }

  /// From queue to bitmap; vertices that nothing leads to are never looked at again.
  void begin_pulling() {
    in_ = graph_.incoming().transposed.view();
    const std::vector<bitmap_word>& without = graph_.incoming().without;
    for (std::size_t w = 0; w < num_words_; ++w) {
      visited_.set_word(w, visited_.word(w) | without[w]);
      front_.set_word(w, 0);
    }
    for (std::size_t i = window_begin_; i < queue_.size(); ++i) {
      static_cast<void>(front_.claim<sharing::alone>(queue_.data()[i]));
    }
    in_bitmap_ = true;
  }

  /// From bitmap to queue.
  void end_pulling() {
    window_begin_ = queue_.size();
    queue_writer writer(queue_);
    for (std::size_t w = 0; w < num_words_; ++w) {
      for_each_bit(w, front_.word(w), [&](vertex_id v) { writer.push(v); });
    }
    in_bitmap_ = false;
  }

  void pull(std::int32_t level) {
    const auto num_chunks = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, num_words_ / host_tuning::pull_chunk_words));
    threads_.for_each_chunk(num_chunks, [&](std::uint32_t chunk) {
      const part_range part(num_words_, num_chunks, chunk);
      tally found;
      for (std::size_t w = part.begin; w < part.end; ++w) {
        pull_word(w, level, found);
      }
      found_.add(found.vertices, found.edges);
    });
    std::swap(front_, next_);
  }

  void pull_word(std::size_t w, std::int32_t level, tally& found) {
    const bitmap_word visited = visited_.word(w);
    bitmap_word entered = 0;
    for_each_bit(w, ~visited, [&](vertex_id v) {
      if (pull_vertex(v, level)) {
        entered |= bitmap_word{1} << (v % bits_per_word);
        ++found.vertices;
        found.edges += out_.degree(v);
      }
    });
    next_.set_word(w, entered);
    if (entered != 0) {
      visited_.set_word(w, visited | entered);
    }
  }

  [[nodiscard]] bool pull_vertex(vertex_id v, std::int32_t level) {
    const edge_offset last = in_.last_edge(v);
    for (edge_offset position = in_.first_edge(v); position < last; ++position) {
      const edge<W> e{in_.target(position), v, in_.weight(position)};
      if (front_.test(e.source) && admits(visitor_, e)) {
        arrive(visitor_, e, level);
        return true;
      }
    }
    return false;
  }

  const host_graph<W>& graph_;
  csr_view<W> out_;
  csr_view<W> in_;
  Visitor visitor_;
  team& threads_;
  std::size_t num_words_;
  bitmap_view visited_;
  bitmap_view front_;
  bitmap_view next_;
  vertex_queue queue_;
  direction_chooser chooser_;
  level_totals found_;
  bool in_bitmap_ = false;
  std::size_t window_begin_ = 0;
  std::size_t frontier_ = 0;
  edge_offset frontier_edges_ = 0;
  std::size_t entered_ = 0;
};

}  // namespace tendril::detail
