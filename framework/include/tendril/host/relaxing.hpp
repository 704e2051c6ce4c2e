#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tendril/host/bitmap.hpp"
#include "tendril/host/frontier.hpp"
#include "tendril/host/graph.hpp"
#include "tendril/host/push.hpp"
#include "tendril/host/team.hpp"
#include "tendril/host/workspace.hpp"
#include "tendril/traverse/call.hpp"

// Relaxing traversal on threads: two queues, and a bitmap for each that keeps a vertex from
// entering it twice. A level takes its own bits back as it expands them, a word at a time, so
// nothing is cleared between levels.

namespace tendril::detail {

template <weight W, class Visitor>
class relaxing_stepper {
 public:
  relaxing_stepper(const host_graph<W>& graph, std::span<const vertex_id> sources,
                   const Visitor& visitor, team& threads, workspace& space)
      : graph_(graph.view()),
        visitor_(visitor),
        threads_(threads),
        queues_{vertex_queue(space.queue.data()), vertex_queue(space.second_queue.data())},
        queued_{bitmap_view(space.visited.data()), bitmap_view(space.frontier.data())},
        lanes_(threads.num_threads()) {
    const std::size_t num_words = words_for(graph_.num_vertices());
    std::fill_n(space.visited.data(), num_words, bitmap_word{0});
    std::fill_n(space.frontier.data(), num_words, bitmap_word{0});
    for (const vertex_id source : sources) {
      visitor_.start(source);
      frontier_edges_ += graph_.degree(source);
    }
    queues_[now_].append(sources.data(), sources.size());
    entered_ = sources.size();
  }

  [[nodiscard]] std::size_t frontier() const noexcept { return queues_[now_].size(); }
  [[nodiscard]] edge_offset frontier_edges() const noexcept { return frontier_edges_; }
  /// Sum of the frontier sizes so far.
  [[nodiscard]] std::size_t entered() const noexcept { return entered_; }

  /// Expands the frontier. @return push
  direction step(std::int32_t /*level*/) {
    vertex_queue& queue = queues_[now_];
    const bitmap_view leaving = queued_[now_];
    const bitmap_view entering = queued_[1 - now_];
    const auto expand = [&]<sharing Sharing>(vertex_id u, edge_offset first, edge_offset last,
                                             found_vertices& found) {
      leaving.set_word(u / bits_per_word, 0);
      for (edge_offset position = first; position < last; ++position) {
        const edge<W> e{u, graph_.target(position), graph_.weight(position)};
        if (!admits(visitor_, e) || !visitor_.visit(e) || entering.test(e.target) ||
            !entering.template claim<Sharing>(e.target)) {
          continue;
        }
        found.add(e.target, graph_.degree(e.target));
      }
    };
    const auto open = [&](std::uint32_t thread) {
      return found_vertices(lanes_[thread], queues_[1 - now_]);
    };
    push_level(threads_, graph_, std::span(queue.data(), queue.size()), open, expand)
        .run(frontier_edges_);
    queue.clear();
    now_ = 1 - now_;
    const lanes::totals found = lanes_.take(queues_[now_]);
    frontier_edges_ = found.edges;
    entered_ += found.vertices;
    return direction::push;
  }

 private:
  csr_view<W> graph_;
  Visitor visitor_;
  team& threads_;
  std::array<vertex_queue, 2> queues_;
  std::array<bitmap_view, 2> queued_;
  std::size_t now_ = 0;
  lanes lanes_;
  edge_offset frontier_edges_ = 0;
  std::size_t entered_ = 0;
};

}  // namespace tendril::detail
