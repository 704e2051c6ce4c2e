#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "tendril/cuda/engine.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

// Quadtrees in a GPU's memory. This header is plain C++; queries and aggregates of a tree are
// compiled by nvcc and include tendril/cuda/tree.cuh instead.

namespace tendril {

/// An immutable tree in a GPU's memory. Copies share the arrays. Without points it has no node.
template <coordinate Real = double>
class cuda_quadtree {
 public:
  using coordinate_type = Real;
  /// The arrays, as quadtree has them, on the device.
  struct arrays {
    cuda_array<quadtree_node<Real>> nodes;
    cuda_array<point<Real>> positions;
    cuda_array<point_id> rows;
  };

  /// @param content  null where there are no points
  cuda_quadtree(std::shared_ptr<const arrays> content, const cell_grid& cells,
                const quadtree_options& options)
      : content_(std::move(content)), cells_(cells), options_(options) {}

  [[nodiscard]] node_id num_nodes() const noexcept {
    return content_ == nullptr ? 0 : static_cast<node_id>(content_->nodes.size());
  }
  [[nodiscard]] point_id num_points() const noexcept {
    return content_ == nullptr ? 0 : static_cast<point_id>(content_->positions.size());
  }
  [[nodiscard]] const quadtree_options& options() const noexcept { return options_; }

  /// Device pointers; valid as long as this tree or a copy lives.
  [[nodiscard]] quadtree_view<Real> view() const noexcept;

  /// A copy in host memory. @sync waits for the engine's stream
  [[nodiscard]] quadtree<Real> to_host() const;

 private:
  std::shared_ptr<const arrays> content_;
  cell_grid cells_;
  quadtree_options options_;
};

/// Builds a quadtree on the GPU: Morton keys, a radix sort, then all nodes at once.
/// @return the arrays that the host engine builds, bit for bit
/// @throws as build_quadtree of a host engine does; resource_error with needed and free bytes
/// @sync   waits once, for the number of nodes; the tree is complete when the engine's stream is
/// @cost   O(n) work. Device memory: the tree (12 or 20 bytes per point and the nodes), and
///         meanwhile 26 bytes per point up to depth 16, 34 below
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points<Real>& from,
                                                 const quadtree_options& options = {});

/// The same for points in device memory.
/// @param from  device pointer, aligned to the size of a point; written before this call on the
///              engine's stream, and left alone until that stream has done what this call enqueues
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points_view<Real>& from,
                                                 const quadtree_options& options = {});

}  // namespace tendril
