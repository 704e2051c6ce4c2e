#pragma once

#include <memory>

#include "tendril/graph/csr.hpp"
#include "tendril/host/bitmap.hpp"

namespace tendril {

namespace detail {

/// What a pull reads: the edges turned round, and which vertices have none.
template <weight W>
struct in_edges {
  csr<W> transposed;
  std::vector<bitmap_word> without;  ///< bit v set: no edge leads to v; bits past the end set too
};

}  // namespace detail

/// A graph as the host engine uses it. Made by host_engine::place; copies share everything, and may
/// be used from several threads.
///
/// A pull needs the edges turned round. An undirected graph is its own transpose; that of a
/// directed graph is made by the first traversal that is told to pull, or by prepare_pull(), costs
/// about as much as several searches, and doubles the memory. direction::automatic therefore never
/// makes it: on a directed graph it pushes unless the transpose is already there.
template <weight W = none>
class host_graph {
 public:
  using weight_type = W;  ///< none for a graph without weights

  /// Shares the graph's arrays; O(1).
  explicit host_graph(csr<W> graph);

  [[nodiscard]] vertex_id num_vertices() const noexcept;  ///< of the graph that was placed
  [[nodiscard]] edge_offset num_edges() const noexcept;   ///< stored edges of that graph
  /// Host pointers; valid as long as this graph or a copy of it lives.
  [[nodiscard]] csr_view<W> view() const noexcept;
  /// The graph that was placed.
  [[nodiscard]] const csr<W>& host() const noexcept;

  /// True if a pull can start without making a transpose.
  [[nodiscard]] bool can_pull() const noexcept;
  /// Makes what a pull needs, unless it is there. Thread-safe: the first caller does the work.
  /// @return milliseconds it took; 0 if it was there
  double prepare_pull() const;
  /// What a pull reads; made now if need be.
  [[nodiscard]] const detail::in_edges<W>& incoming() const;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

extern template class host_graph<none>;
extern template class host_graph<std::int32_t>;
extern template class host_graph<float>;
extern template class host_graph<double>;

}  // namespace tendril
