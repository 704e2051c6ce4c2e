#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/cuda/detail/tree_queries.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/traverse_tree.hpp"

// Queries and aggregates of trees on a GPU: what the calls in tree/ and algorithms/ come down to
// for a cuda_engine, one query or leaf a thread. For nvcc.

namespace tendril {

namespace cuda {

struct walk_shape {
  static constexpr unsigned threads = 128;

  [[nodiscard]] static unsigned blocks(std::uint64_t size) {
    return static_cast<unsigned>((size + threads - 1) / threads);
  }
};

// The user's code is called from __device__ functions only, so that nvcc refuses what lacks
// TENDRIL_HD.

template <coordinate Real, class Visitor>
__device__ void walk_query(const quadtree_view<Real>& tree, std::uint32_t query,
                           const Visitor& visitor) {
  auto walker = visitor.begin(query);
  walk_tree(tree, walker);
  visitor.end(query, walker);
}

/// @param order  [num_queries], or null: as given
template <coordinate Real, class Visitor>
__global__ void __launch_bounds__(walk_shape::threads)
    walk_kernel(quadtree_view<Real> tree, const std::uint32_t* order, std::uint32_t num_queries,
                Visitor visitor) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < num_queries) {
    walk_query(tree, order != nullptr ? order[i] : static_cast<std::uint32_t>(i), visitor);
  }
}

template <class Body>
__device__ void call_body(const Body& body, std::size_t i) {
  body(i);
}
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

/// Computes a leaf's value, then goes up as long as it brings the last of a node's children.
template <coordinate Real, class Aggregate>
__device__ void climb(const quadtree_view<Real>& tree, node_id leaf, const node_id* parents,
                      std::uint32_t* pending, typename Aggregate::value_type* values,
                      const Aggregate& aggregate) {
  values[leaf] = ::tendril::detail::leaf_value(tree, tree.node(leaf), aggregate);
  for (node_id n = leaf; n != 0;) {
    n = parents[n];
    __threadfence();  // this child's value before the count, the others' after it
    if (atomicSub(pending + n, 1U) != 1) {
      return;
    }
    __threadfence();
    values[n] = ::tendril::detail::inner_value(tree, n, values, aggregate);
  }
}

template <coordinate Real, class Aggregate>
__global__ void __launch_bounds__(walk_shape::threads)
    aggregate_kernel(quadtree_view<Real> tree, const node_id* parents, std::uint32_t* pending,
                     typename Aggregate::value_type* values, Aggregate aggregate) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < tree.num_nodes() && tree.is_leaf(static_cast<node_id>(i))) {
    climb(tree, static_cast<node_id>(i), parents, pending, values, aggregate);
  }
}

}  // namespace cuda

/// What tendril::traverse_tree calls for a GPU. @sync none: the answers are there when the engine's
/// stream has done what this enqueues
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

/// What tendril::aggregate_nodes calls for a GPU. The same order of operations as on the host, so
/// the same bits.
template <coordinate Real, class Aggregate>
[[nodiscard]] auto run_aggregate(cuda_engine& engine, const cuda_quadtree<Real>& tree,
                                 const Aggregate& aggregate) {
  const quadtree_view<Real> view = tree.view();
  auto values = engine.uninitialised_array<typename Aggregate::value_type>(view.num_nodes());
  if (view.num_nodes() == 0) {
    return values;
  }
  auto parents = engine.uninitialised_array<node_id>(view.num_nodes());
  auto pending = engine.uninitialised_array<std::uint32_t>(view.num_nodes());
  const unsigned blocks = cuda::walk_shape::blocks(view.num_nodes());
  cuda::link_kernel<<<blocks, cuda::walk_shape::threads, 0, engine.stream()>>>(view, parents.data(),
                                                                               pending.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  cuda::aggregate_kernel<<<blocks, cuda::walk_shape::threads, 0, engine.stream()>>>(
      view, parents.data(), pending.data(), values.data(), aggregate);
  TENDRIL_CUDA_CHECK_LAUNCH();
  return values;
}

/// Offsets of lists of the given lengths, one after the other: [num_lists + 1], the last their sum.
[[nodiscard]] inline cuda_array<std::uint64_t> run_offsets(
    cuda_engine& engine, const cuda_array<std::uint64_t>& lengths) {
  auto offsets = engine.uninitialised_array<std::uint64_t>(lengths.size() + 1);
  cuda::write_offsets(engine.context(), lengths.data(), lengths.size(), offsets.data());
  return offsets;
}

/// Sorts each list, ascending.
inline void run_sort_lists(cuda_engine& engine, const cuda_array<std::uint64_t>& offsets,
                           cuda_array<point_id>& values) {
  cuda::sort_lists(engine.context(), offsets.data(), offsets.size() - 1, values.data(),
                   values.size());
}

/// Calls body(i) for each i in 0 .. size - 1.
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

/// The last of an engine's numbers. @sync waits for the engine's stream
[[nodiscard]] inline std::uint64_t run_last(cuda_engine& engine,
                                            const cuda_array<std::uint64_t>& values) {
  std::uint64_t last = 0;
  TENDRIL_CUDA_CHECK(cudaMemcpyAsync(&last, values.data() + values.size() - 1, sizeof last,
                                     cudaMemcpyDeviceToHost, engine.stream()));
  engine.context().synchronize();
  return last;
}

}  // namespace tendril
