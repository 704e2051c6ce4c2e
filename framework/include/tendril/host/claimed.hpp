#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tendril/graph/csr.hpp"
#include "tendril/host/frontier.hpp"
#include "tendril/host/levels.hpp"
#include "tendril/host/push.hpp"
#include "tendril/traverse/call.hpp"

// What a push does with the vertices it claims.

namespace tendril::detail {

/// Edges over which a thread claimed vertices, handed on some at a time: a claim is a locked
/// instruction, which waits for all writes before it; writes in a row overlap their cache misses.
/// @tparam Sink  made from the thread's lane and more; take(edge) does what there is to do,
///               prepare(v) comes some time before
template <weight W, class Sink>
class claimed_edges {
 public:
  template <class... Arguments>
  explicit claimed_edges(lane& into, Arguments&... arguments) : sink_(into, arguments...) {}
  claimed_edges(const claimed_edges&) = delete;
  claimed_edges& operator=(const claimed_edges&) = delete;
  ~claimed_edges() { flush(); }

  void add(const edge<W>& e) {
    if (count_ == held_.size()) {
      flush();
    }
    sink_.prepare(e.target);
    held_[count_++] = e;
  }

 private:
  void flush() {
    for (std::size_t i = 0; i < count_; ++i) {
      sink_.take(held_[i]);
    }
    count_ = 0;
  }

  Sink sink_;
  std::size_t count_ = 0;
  std::array<edge<W>, 64> held_;
};

/// Tells the visitor, and appends to the queue.
template <weight W, class Visitor>
class arrivals {
 public:
  arrivals(lane& into, const csr_view<W>& graph, const Visitor& visitor, std::int32_t level,
           vertex_queue& next)
      : graph_(graph), visitor_(visitor), level_(level), found_(into, next) {}

  [[gnu::always_inline]] void prepare(vertex_id v) const { fetch(graph_.offsets[v]); }
  void take(const edge<W>& e) {
    arrive(visitor_, e, level_);
    found_.add(e.target, graph_.degree(e.target));
  }

 private:
  const csr_view<W>& graph_;
  const Visitor& visitor_;
  std::int32_t level_;
  found_vertices found_;
};

/// Notes where each vertex was entered from.
template <weight W>
class origins {
 public:
  origins(lane& /*into*/, vertex_id* origin) : origin_(origin) {}

  [[gnu::always_inline]] void prepare(vertex_id v) const { fetch(origin_[v]); }
  void take(const edge<W>& e) { origin_[e.target] = e.source; }

 private:
  vertex_id* origin_;
};

}  // namespace tendril::detail
