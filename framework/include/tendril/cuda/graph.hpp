#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "tendril/graph/csr.hpp"

namespace tendril {

namespace cuda {
class engine_context;
template <weight W>
struct placed_graph;
}  // namespace cuda

/// A graph as a GPU engine uses it. Made by cuda_engine::place; copies share everything.
///
/// A pull needs the edges turned round. An undirected graph is its own transpose; that of a
/// directed graph is made by the first traversal that is told to pull, or by prepare_pull().
/// direction::automatic therefore pushes on a directed graph unless the transpose is there.
template <weight W = none>
class cuda_graph {
 public:
  /// none for a graph without weights.
  using weight_type = W;

  /// What cuda_engine::place calls.
  explicit cuda_graph(std::shared_ptr<cuda::placed_graph<W>> placed) : placed_(std::move(placed)) {}

  /// Vertices of the graph that was placed.
  [[nodiscard]] vertex_id num_vertices() const noexcept;
  /// Stored edges of that graph.
  [[nodiscard]] edge_offset num_edges() const noexcept;
  /// True if a pull can start without making a transpose.
  [[nodiscard]] bool can_pull() const noexcept;
  /// Makes what a pull needs, unless it is there. Not thread-safe.
  /// @pre    no query_pool searches this graph: what its slots read is replaced
  /// @return milliseconds it took; 0 if it was there
  /// @throws resource_error with needed and free bytes
  /// @sync   waits for the engine's stream, if it has something to make
  double prepare_pull() const;

  /// Milliseconds that place() took to copy to the device.
  [[nodiscard]] double copy_ms() const noexcept;
  /// Milliseconds that place() took after that.
  [[nodiscard]] double prepare_ms() const noexcept;
  /// Device memory of the rows that place() copied; 0 where they are borrowed.
  [[nodiscard]] std::size_t row_bytes() const noexcept;
  /// Device memory of what place() and prepare_pull() added.
  [[nodiscard]] std::size_t added_bytes() const noexcept;
  /// True if edge positions take 32 bits: fewer than 2^32 edges, copied by place().
  [[nodiscard]] bool has_narrow_positions() const noexcept;

  /// The graph that was placed. @throws usage_error for one that lay on the device already
  [[nodiscard]] const csr<W>& host() const;

  /// For the engine: device pointers and what goes with them.
  [[nodiscard]] const cuda::placed_graph<W>& placed() const noexcept { return *placed_; }

 private:
  std::shared_ptr<cuda::placed_graph<W>> placed_;
};

}  // namespace tendril
