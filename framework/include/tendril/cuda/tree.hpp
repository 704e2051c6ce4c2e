#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "tendril/cuda/engine.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Quadtrees in a GPU's memory, and what the calls in tree/ and algorithms/ come down to there. This
// header is plain C++: with it those calls take a cuda_engine for what the library has compiled,
// which is counts and lists of rectangles and circles, nearest points, centre_of_mass,
// range_of_values, gravity and nbody_system. Shapes, visitors and aggregates of one's own, regions
// and pairs are compiled by nvcc and include tendril/cuda/tree.cuh instead.

namespace tendril {

/// An immutable tree in a GPU's memory. Copies share the arrays. Without points it has no node.
template <coordinate Real = double>
class cuda_quadtree {
 public:
  using coordinate_type = Real;  ///< float or double
  /// The arrays, as quadtree has them, on the device.
  struct arrays {
    cuda_array<quadtree_node<Real>> nodes;  ///< room for num_nodes at least
    node_id num_nodes;                      ///< nodes that are there
    cuda_array<point<Real>> positions;      ///< [num_points], Morton order
    cuda_array<point_id> rows;              ///< [num_points], the row of each position
  };

  /// What build_quadtree calls.
  /// @param content  null where there are no points
  /// @param cells    where the cells lie
  /// @param options  what the build was asked for
  cuda_quadtree(std::shared_ptr<const arrays> content, const cell_grid& cells,
                const quadtree_options& options)
      : content_(std::move(content)), cells_(cells), options_(options) {}

  /// Number of nodes; 0 without points.
  [[nodiscard]] node_id num_nodes() const noexcept {
    return content_ == nullptr ? 0 : content_->num_nodes;
  }
  /// Number of points in the tree: without those that were clipped.
  [[nodiscard]] point_id num_points() const noexcept {
    return content_ == nullptr ? 0 : static_cast<point_id>(content_->positions.size());
  }
  /// What the build was asked for.
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
/// @sync   waits for the number of nodes; first for the copy of points in host memory, and for the
///         number of rows inside bounds that clip; the tree is complete when the stream is
/// @cost   O(n) work. Device memory: the tree (12 or 20 bytes per point and the nodes; up to 2^20
///         points room for at least 1024 nodes and 8 for each leaf_size points), and meanwhile 26
///         bytes per point up to depth 16, 34 below, and the copy
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points<Real>& from,
                                                 const quadtree_options& options = {});

/// The same for points in device memory.
/// @param engine   whose stream and memory it uses
/// @param from     device pointer, aligned to the size of a point; written before this call on the
///                 engine's stream, and left alone until that stream has done what this enqueues
/// @param options  how the tree is built
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points_view<Real>& from,
                                                 const quadtree_options& options = {});

// What the calls of tree/ and algorithms/ come down to. None of these waits for the stream unless
// it says so: an array is complete when the stream has done what was enqueued.

/// What tendril::traverse_tree calls, one query a thread.
template <coordinate Real, class Visitor>
void run_traverse_tree(cuda_engine& engine, const cuda_quadtree<Real>& tree,
                       std::uint32_t num_queries, const point<Real>* positions,
                       const Visitor& visitor, query_order order);

/// What tendril::aggregate_nodes calls. The order of operations is the host engine's, and so are
/// the bits.
template <coordinate Real, class Aggregate>
[[nodiscard]] cuda_array<typename Aggregate::value_type> run_aggregate(
    cuda_engine& engine, const cuda_quadtree<Real>& tree, const Aggregate& aggregate);

/// Calls body(i) for each i in 0 .. size - 1, in parallel.
template <class Body>
void run_for_each(cuda_engine& engine, std::size_t size, const Body& body);

/// Offsets of lists of the given lengths, one after the other: [num_lists + 1], the last their sum.
[[nodiscard]] cuda_array<std::uint64_t> run_offsets(cuda_engine& engine,
                                                    const cuda_array<std::uint64_t>& lengths);

/// Sorts each list, ascending.
/// @throws resource_error for 2^32 values or more
/// @cost   a radix sort of all values together; 24 bytes of device memory per value meanwhile
void run_sort_lists(cuda_engine& engine, const cuda_array<std::uint64_t>& offsets,
                    cuda_array<point_id>& values);

/// The last of an engine's numbers. @sync waits for the engine's stream
[[nodiscard]] std::uint64_t run_last(cuda_engine& engine, const cuda_array<std::uint64_t>& values);

/// The tree of positions in the engine's memory. @sync see build_quadtree
template <coordinate Real>
[[nodiscard]] cuda_quadtree<Real> run_build_quadtree(cuda_engine& engine,
                                                     const cuda_array<point<Real>>& positions,
                                                     const quadtree_options& options) {
  return build_quadtree(
      engine, points_view<Real>{positions.data(), checked_point_count(positions.size())}, options);
}

/// A copy of host values in the engine's memory. @sync waits for the copy
template <class T>
[[nodiscard]] cuda_array<T> copy_to(cuda_engine& engine, std::span<const T> values) {
  auto copy = engine.uninitialised_array<T>(values.size());
  if (!values.empty()) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(copy.data(), values.data(), values.size_bytes(),
                                       cudaMemcpyHostToDevice, engine.stream()));
    TENDRIL_CUDA_CHECK(cudaStreamSynchronize(engine.stream()));
  }
  return copy;
}

}  // namespace tendril
