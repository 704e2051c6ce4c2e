#pragma once

#include <cstddef>
#include <cstdint>
#include <cub/util_ptx.cuh>

#include "tendril/cuda/detail/tree_queries.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Queries and aggregates of trees on a GPU, for nvcc: with this header the calls of tree/ and
// algorithms/ take a cuda_engine for shapes, visitors and aggregates of one's own too. A thread has
// a query, eight lanes a leaf.

namespace tendril {

namespace cuda {

/// Blocks of the kernels below.
struct walk_shape {
  static constexpr unsigned threads = 128;                              ///< of a block
  static constexpr unsigned leaf_lanes = ::tendril::detail::leaf_sums;  ///< threads of a leaf

  /// Blocks for so many threads.
  [[nodiscard]] static unsigned blocks(std::uint64_t size) {
    return static_cast<unsigned>((size + threads - 1) / threads);
  }
};

// The user's code is called from __device__ functions only, so that nvcc refuses what lacks
// TENDRIL_HD.

/// One query, from begin to end.
template <coordinate Real, class Visitor>
__device__ void walk_query(const quadtree_view<Real>& tree, std::uint32_t query,
                           const Visitor& visitor) {
  auto walker = visitor.begin(query);
  walk_tree(tree, walker);
  visitor.end(query, walker);
}

/// A thread per query, in that order; null: as given.
template <coordinate Real, class Visitor>
__global__ void __launch_bounds__(walk_shape::threads)
    walk_kernel(quadtree_view<Real> tree, const std::uint32_t* order, std::uint32_t num_queries,
                Visitor visitor) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < num_queries) {
    walk_query(tree, order != nullptr ? order[i] : static_cast<std::uint32_t>(i), visitor);
  }
}

/// Calls the user's code.
template <class Body>
__device__ void call_body(const Body& body, std::size_t i) {
  body(i);
}
/// A thread per i.
template <class Body>
__global__ void __launch_bounds__(walk_shape::threads)
    for_each_kernel(std::size_t size, Body body) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) {
    call_body(body, i);
  }
}

/// Tells each node's children who their parent is, and the node how many there are.
template <coordinate Real>
__global__ void __launch_bounds__(walk_shape::threads)
    link_kernel(quadtree_view<Real> tree, node_id* parents, std::uint32_t* pending) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= tree.num_nodes() || tree.is_leaf(static_cast<node_id>(i))) {
    return;
  }
  const auto n = static_cast<node_id>(i);
  std::uint32_t num_children = 0;
  for (node_id c = tree.first_child(n); c != tree.node(n).next; c = tree.node(c).next) {
    parents[c] = n;
    ++num_children;
  }
  pending[n] = num_children;
}

/// Eight lanes compute a leaf's value in the order of detail::leaf_value: each a partial sum, which
/// are then added pairwise.
/// @return the value, to the first of the lanes
template <coordinate Real, class Aggregate>
[[nodiscard]] __device__ typename Aggregate::value_type leaf_value_of_lanes(
    const quadtree_view<Real>& tree, const quadtree_node<Real>& leaf, const Aggregate& aggregate) {
  constexpr unsigned lanes = walk_shape::leaf_lanes;
  const unsigned lane = threadIdx.x % lanes;
  const unsigned all_lanes = ((1U << lanes) - 1) << (threadIdx.x % 32 - lane);
  auto sum = aggregate.zero();
  for (std::uint64_t i = std::uint64_t{leaf.first} + lane; i < leaf.end; i += lanes) {
    aggregate.add(sum, tree.positions[i], tree.rows[i]);
  }
#pragma unroll
  for (unsigned apart = lanes / 2; apart != 0; apart /= 2) {
    const auto other = cub::ShuffleDown<lanes>(sum, static_cast<int>(apart), lanes - 1, all_lanes);
    if (lane < apart) {
      aggregate.combine(sum, other);
    }
  }
  return sum;
}

/// Goes up from a node whose value is there as long as it brings the last of a node's children.
template <coordinate Real, class Aggregate>
__device__ void climb(const quadtree_view<Real>& tree, node_id n, const node_id* parents,
                      std::uint32_t* pending, typename Aggregate::value_type* values,
                      const Aggregate& aggregate) {
  while (n != 0) {
    n = parents[n];
    __threadfence();  // this child's value before the count, the others' after it
    if (atomicSub(pending + n, 1U) != 1) {
      return;
    }
    __threadfence();
    values[n] = ::tendril::detail::inner_value(tree, n, values, aggregate);
  }
}

/// Eight lanes a node; inner nodes' are idle. Measured, join counters beat a tail launch per node.
template <coordinate Real, class Aggregate>
__global__ void __launch_bounds__(walk_shape::threads)
    aggregate_kernel(quadtree_view<Real> tree, const node_id* parents, std::uint32_t* pending,
                     typename Aggregate::value_type* values, Aggregate aggregate) {
  const std::uint64_t i =
      (static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / walk_shape::leaf_lanes;
  if (i >= tree.num_nodes() || !tree.is_leaf(static_cast<node_id>(i))) {
    return;
  }
  const auto leaf = static_cast<node_id>(i);
  const auto value = leaf_value_of_lanes(tree, tree.node(leaf), aggregate);
  if (threadIdx.x % walk_shape::leaf_lanes == 0) {
    values[leaf] = value;
    climb(tree, leaf, parents, pending, values, aggregate);
  }
}

}  // namespace cuda

template <coordinate Real, class Visitor>
void run_traverse_tree(cuda_engine& engine, const cuda_quadtree<Real>& tree,
                       std::uint32_t num_queries, const point<Real>* positions,
                       const Visitor& visitor, query_order order) {
  if (num_queries == 0) {
    return;
  }
  cuda::engine_context& context = engine.context();
  context.use();
  cuda::device_buffer<std::uint32_t> sorted;
  if (order == query_order::morton && tree.num_nodes() > 0) {
    sorted = cuda::queries_in_morton_order(context, tree.view().cells, positions, num_queries);
  }
  cuda::walk_kernel<<<cuda::walk_shape::blocks(num_queries), cuda::walk_shape::threads, 0,
                      context.stream()>>>(tree.view(), sorted.data(), num_queries, visitor);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

template <coordinate Real, class Aggregate>
cuda_array<typename Aggregate::value_type> run_aggregate(cuda_engine& engine,
                                                         const cuda_quadtree<Real>& tree,
                                                         const Aggregate& aggregate) {
  const quadtree_view<Real> view = tree.view();
  auto values = engine.uninitialised_array<typename Aggregate::value_type>(view.num_nodes());
  if (view.num_nodes() == 0) {
    return values;
  }
  auto parents = engine.uninitialised_array<node_id>(view.num_nodes());
  auto pending = engine.uninitialised_array<std::uint32_t>(view.num_nodes());
  using shape = cuda::walk_shape;
  cuda::link_kernel<<<shape::blocks(view.num_nodes()), shape::threads, 0, engine.stream()>>>(
      view, parents.data(), pending.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  const std::uint64_t lanes = std::uint64_t{view.num_nodes()} * shape::leaf_lanes;
  cuda::aggregate_kernel<<<shape::blocks(lanes), shape::threads, 0, engine.stream()>>>(
      view, parents.data(), pending.data(), values.data(), aggregate);
  TENDRIL_CUDA_CHECK_LAUNCH();
  return values;
}

template <class Body>
void run_for_each(cuda_engine& engine, std::size_t size, const Body& body) {
  if (size == 0) {
    return;
  }
  engine.context().use();
  cuda::for_each_kernel<<<cuda::walk_shape::blocks(size), cuda::walk_shape::threads, 0,
                          engine.stream()>>>(size, body);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

}  // namespace tendril
