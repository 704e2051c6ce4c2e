#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tendril/host/bitmap.hpp"
#include "tendril/host/claimed.hpp"
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
//         vertices are appended to the same queue, so a level is a window of it. A level with very
//         many edges (wide) only notes over which edge each vertex was entered; a sweep over the
//         bitmap tells the visitor in the order of ids, so that of all the arrays one is written
//         at random
//   pull  threads take words of the bitmap; a thread looks at the in-edges of the word's unvisited
//         vertices until one comes from the frontier, and writes the word back whole: no atomics.
//         Frontier and next frontier are bitmaps.

namespace tendril::detail {

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
        origin_(space.origin.data()),
        chooser_(wanted, graph.can_pull(), out_.num_vertices(), out_.num_edges()),
        lanes_(threads.num_threads()) {
    std::fill_n(space.visited.data(), num_words_, bitmap_word{0});
    for (const vertex_id source : sources) {
      static_cast<void>(visited_.claim<sharing::alone>(source));
      visitor_.arrive(source, 0);
      lanes_[0].push(queue_, source);
      lanes_[0].count(1, out_.degree(source));
    }
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
      begin_pulling();
      pull(level + 1);
    } else {
      end_pulling();
      is_wide() ? wide_push(level + 1) : push(level + 1);
    }
    take_found();
    return way;
  }

 private:
  /// What a thread found in a chunk of words.
  struct tally {
    std::size_t vertices = 0;
    edge_offset edges = 0;
  };

  void take_found() noexcept {
    const lanes::totals found = lanes_.take(queue_);
    frontier_ = found.vertices;
    frontier_edges_ = found.edges;
    entered_ += frontier_;
  }

  void push(std::int32_t level) {
    expand_queue<arrivals<W, Visitor>>(out_, visitor_, level, queue_);
  }

  /// Whether the edge need not be kept for the visitor, and keeping its source pays.
  [[nodiscard]] bool is_wide() const {
    constexpr bool source_is_enough = std::same_as<W, none> || !arrives_by_edge<Visitor, W>;
    return source_is_enough && frontier_edges_ > out_.num_vertices() / host_tuning::wide_share;
  }

  /// Leaves the next frontier in the bitmap.
  void wide_push(std::int32_t level) {
    for (std::size_t w = 0; w < num_words_; ++w) {
      next_.set_word(w, visited_.word(w));
    }
    expand_queue<origins<W>>(origin_);
    for_each_word([&](std::size_t w, tally& found) {
      const bitmap_word entered = visited_.word(w) & ~next_.word(w);
      next_.set_word(w, entered);
      for_each_bit(w, entered, [&](vertex_id v) {
        arrive(visitor_, edge<W>{origin_[v], v, W{}}, level);
        ++found.vertices;
        found.edges += out_.degree(v);
      });
    });
    std::swap(front_, next_);
    in_bitmap_ = true;
  }

  /// Claims what the window of the queue leads to, and opens the next window.
  template <class Sink, class... Arguments>
  void expand_queue(Arguments&... arguments) {
    const std::span frontier(queue_.data() + window_begin_, queue_.size() - window_begin_);
    window_begin_ = queue_.size();
    using claimed = claimed_edges<W, Sink>;
    const auto expand = [&]<sharing Sharing>(vertex_id u, edge_offset first, edge_offset last,
                                             claimed& found) {
      for (edge_offset position = first; position < last; ++position) {
        const edge<W> e{u, out_.target(position), out_.weight(position)};
        if (!visited_.test(e.target) && admits(visitor_, e) &&
            visited_.template claim<Sharing>(e.target)) {
          found.add(e);
        }
      }
    };
    const auto open = [&](std::uint32_t thread) { return claimed(lanes_[thread], arguments...); };
    push_level(threads_, out_, frontier, open, expand).run(frontier_edges_);
  }

  /// Makes the frontier a bitmap. Once, marks vertices that nothing leads to as visited.
  void begin_pulling() {
    if (in_.offsets == nullptr) {
      in_ = graph_.incoming().transposed.view();
      const std::vector<bitmap_word>& without = graph_.incoming().without;
      for (std::size_t w = 0; w < num_words_; ++w) {
        visited_.set_word(w, visited_.word(w) | without[w]);
      }
    }
    if (in_bitmap_) {
      return;
    }
    for (std::size_t w = 0; w < num_words_; ++w) {
      front_.set_word(w, 0);
    }
    for (std::size_t i = window_begin_; i < queue_.size(); ++i) {
      static_cast<void>(front_.claim<sharing::alone>(queue_.data()[i]));
    }
    in_bitmap_ = true;
  }

  /// Makes the frontier a window of the queue.
  void end_pulling() {
    if (!in_bitmap_) {
      return;
    }
    window_begin_ = queue_.size();
    for (std::size_t w = 0; w < num_words_; ++w) {
      for_each_bit(w, front_.word(w), [&](vertex_id v) { lanes_[0].push(queue_, v); });
    }
    lanes_[0].flush(queue_);
    in_bitmap_ = false;
  }

  void pull(std::int32_t level) {
    for_each_word([&](std::size_t w, tally& found) { pull_word(w, level, found); });
    std::swap(front_, next_);
  }

  /// Calls visit(word, tally) for every word of the bitmaps, and adds the tallies to what was
  /// found.
  template <class Visit>
  void for_each_word(const Visit& visit) {
    const auto num_chunks = static_cast<std::uint32_t>(
        std::max<std::size_t>(1, num_words_ / host_tuning::pull_chunk_words));
    threads_.for_each_chunk(num_chunks, [&](std::uint32_t chunk, std::uint32_t thread) {
      const part_range part(num_words_, num_chunks, chunk);
      tally found;
      for (std::size_t w = part.begin; w < part.end; ++w) {
        visit(w, found);
      }
      lanes_[thread].count(found.vertices, found.edges);
    });
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
  vertex_id* origin_;  // [num_vertices], of the vertices of a wide push
  direction_chooser chooser_;
  lanes lanes_;
  bool in_bitmap_ = false;
  std::size_t window_begin_ = 0;
  std::size_t frontier_ = 0;
  edge_offset frontier_edges_ = 0;
  std::size_t entered_ = 0;
};

}  // namespace tendril::detail
