#include "tendril/host/graph.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "tendril/graph/builder.hpp"

namespace tendril {

namespace {

/// Bit v set where row v is empty, and past the last vertex.
template <weight W>
std::vector<detail::bitmap_word> empty_rows(const csr_view<W>& graph) {
  std::vector<detail::bitmap_word> words(detail::words_for(graph.num_vertices()));
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, words.size(), 256), [&](const auto& range) {
    for (std::size_t w = range.begin(); w < range.end(); ++w) {
      detail::bitmap_word empty = 0;
      for (vertex_id bit = 0; bit < detail::bits_per_word; ++bit) {
        const std::size_t v = w * detail::bits_per_word + bit;
        const bool is_empty =
            v >= graph.num_vertices() || graph.degree(static_cast<vertex_id>(v)) == 0;
        empty |= detail::bitmap_word{is_empty} << bit;
      }
      words[w] = empty;
    }
  });
  return words;
}

}  // namespace

template <weight W>
struct host_graph<W>::state {
  csr<W> graph;
  std::once_flag once;
  detail::in_edges<W> incoming;
  std::atomic<bool> ready{false};
};

template <weight W>
host_graph<W>::host_graph(csr<W> graph) : state_(std::make_shared<state>()) {
  state_->graph = std::move(graph);
}

template <weight W>
vertex_id host_graph<W>::num_vertices() const noexcept {
  return state_->graph.num_vertices();
}

template <weight W>
edge_offset host_graph<W>::num_edges() const noexcept {
  return state_->graph.num_edges();
}

template <weight W>
csr_view<W> host_graph<W>::view() const noexcept {
  return state_->graph.view();
}

template <weight W>
const csr<W>& host_graph<W>::host() const noexcept {
  return state_->graph;
}

template <weight W>
bool host_graph<W>::can_pull() const noexcept {
  return state_->graph.is_undirected() || state_->ready.load(std::memory_order_acquire);
}

template <weight W>
double host_graph<W>::prepare_pull() const {
  using clock = std::chrono::steady_clock;
  double ms = 0;
  std::call_once(state_->once, [&] {
    const auto start = clock::now();
    detail::in_edges<W>& incoming = state_->incoming;
    // Isolated: a thread that waits in here must not pick up a task that asks for the same thing.
    tbb::this_task_arena::isolate([&] {
      incoming.transposed = transpose(state_->graph);
      incoming.without = empty_rows(incoming.transposed.view());
    });
    state_->ready.store(true, std::memory_order_release);
    ms = std::chrono::duration<double, std::milli>(clock::now() - start).count();
  });
  return ms;
}

template <weight W>
const detail::in_edges<W>& host_graph<W>::incoming() const {
  prepare_pull();
  return state_->incoming;
}

template class host_graph<none>;
template class host_graph<std::int32_t>;
template class host_graph<float>;
template class host_graph<double>;

}  // namespace tendril
