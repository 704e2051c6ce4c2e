#pragma once

#include <type_traits>
#include <vector>

#include "tendril/core/shared_array.hpp"
#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"

// A graph as compressed sparse rows: `csr` owns host memory, `csr_view` is what kernels, tasks and
// algorithms read, in either memory space.

namespace tendril {

/// A trivially copyable look at a graph. Pointers are in the memory space of whoever made it.
template <weight W = none>
struct csr_view {
  const edge_offset* offsets = nullptr;  ///< [num_vertices + 1], edges, non-decreasing, starts at 0
  const vertex_id* targets = nullptr;    ///< [num_edges], each < num_vertices
  const W* weights = nullptr;            ///< [num_edges], null when W is none
  vertex_id vertex_count = 0;            ///< what num_vertices() says
  edge_offset edge_count = 0;            ///< what num_edges() says

  /// Ids are 0 .. this - 1.
  [[nodiscard]] TENDRIL_HD vertex_id num_vertices() const { return vertex_count; }
  /// Stored edges: an undirected graph counts each edge twice, a self-loop once.
  [[nodiscard]] TENDRIL_HD edge_offset num_edges() const { return edge_count; }
  /// Positions of v's edges are first_edge(v) .. last_edge(v) - 1.
  [[nodiscard]] TENDRIL_HD edge_offset first_edge(vertex_id v) const { return offsets[v]; }
  /// Position behind v's last edge.
  [[nodiscard]] TENDRIL_HD edge_offset last_edge(vertex_id v) const {
    return offsets[static_cast<edge_offset>(v) + 1];
  }
  /// Stored edges that leave v.
  [[nodiscard]] TENDRIL_HD edge_offset degree(vertex_id v) const {
    return last_edge(v) - first_edge(v);
  }
  /// Where the edge at a position leads.
  [[nodiscard]] TENDRIL_HD vertex_id target(edge_offset position) const {
    return targets[position];
  }
  /// The weight of the edge at a position.
  [[nodiscard]] TENDRIL_HD W weight(edge_offset position) const {
    if constexpr (std::is_same_v<W, none>) {
      return {};
    } else {
      return weights[position];
    }
  }
};

/// An immutable graph in host memory. Copies share the arrays. Rows built by tendril are sorted by
/// target, then weight.
template <weight W = none>
class csr {
 public:
  using weight_type = W;  ///< none for a graph without weights

  /// The empty graph: no vertices.
  csr() : offsets_(std::vector<edge_offset>{0}) {}

  /// Takes arrays over as they are.
  /// @param offsets  [num_vertices + 1], edges; non-decreasing, first 0, last targets.size()
  /// @param targets  [num_edges], each < num_vertices (not checked here; readers and builder do)
  /// @param weights  [num_edges], or empty when W is none
  /// @param kind     undirected: the arrays hold the reverse of each edge too (not checked)
  /// @throws usage_error if the sizes or the first or last offset disagree, or for 2^32 - 1
  ///         vertices and more
  csr(shared_array<edge_offset> offsets, shared_array<vertex_id> targets, shared_array<W> weights,
      orientation kind);

  /// Ids are 0 .. this - 1.
  [[nodiscard]] vertex_id num_vertices() const noexcept {
    return static_cast<vertex_id>(offsets_.size() - 1);
  }
  /// Stored edges; see csr_view::num_edges.
  [[nodiscard]] edge_offset num_edges() const noexcept { return targets_.size(); }
  /// Whether the reverse of each edge is stored too.
  [[nodiscard]] orientation kind() const noexcept { return kind_; }
  /// kind() == orientation::undirected.
  [[nodiscard]] bool is_undirected() const noexcept { return kind_ == orientation::undirected; }

  /// [num_vertices + 1], host memory.
  [[nodiscard]] const shared_array<edge_offset>& offsets() const noexcept { return offsets_; }
  /// [num_edges], host memory.
  [[nodiscard]] const shared_array<vertex_id>& targets() const noexcept { return targets_; }
  /// [num_edges], host memory; empty where W is none.
  [[nodiscard]] const shared_array<W>& weights() const noexcept { return weights_; }

  /// Host pointers; valid as long as this graph or a copy of it lives.
  [[nodiscard]] csr_view<W> view() const noexcept {
    return {offsets_.data(), targets_.data(), weights_.data(), num_vertices(), num_edges()};
  }

 private:
  shared_array<edge_offset> offsets_;
  shared_array<vertex_id> targets_;
  shared_array<W> weights_;
  orientation kind_ = orientation::directed;
};

/// The same structure without weights; shares the arrays, O(1).
template <weight W>
[[nodiscard]] csr<none> without_weights(const csr<W>& graph) {
  return {graph.offsets(), graph.targets(), {}, graph.kind()};
}

/// The same arrays under another name for their kind; shares them, O(1).
/// @pre for undirected: the reverse of each edge is stored too
template <weight W>
[[nodiscard]] csr<W> with_kind(const csr<W>& graph, orientation kind) {
  return {graph.offsets(), graph.targets(), graph.weights(), kind};
}

extern template class csr<none>;
extern template class csr<std::int32_t>;
extern template class csr<float>;
extern template class csr<double>;

}  // namespace tendril
