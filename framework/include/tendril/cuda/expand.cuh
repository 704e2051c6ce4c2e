#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tendril/cuda/detail/context.hpp"
#include "tendril/cuda/detail/expand_levels.cuh"
#include "tendril/cuda/detail/expand_subtrees.cuh"
#include "tendril/cuda/detail/kernel_setup.hpp"
#include "tendril/cuda/detail/workspace.hpp"
#include "tendril/cuda/engine.hpp"
#include "tendril/cuda/expand_options.hpp"
#include "tendril/expand/expand.hpp"

// expand on a GPU, for nvcc: include this where an expander of your own runs there, and link
// tendril::cuda_dynamic (CMake: CUDA_SEPARABLE_COMPILATION ON, for the device link). The expander
// is the one that the host engine takes; pointers in it and in its nodes are to device memory.

namespace tendril {

namespace cuda {

/// Puts the roots into the storage and sets the state. Whole grid: a thread per root.
template <class Node>
__global__ void begin_expansion(const __grid_constant__ expansion_tree<Node> tree,
                                const Node* roots, std::uint32_t num_roots,
                                const __grid_constant__ expansion_state initial, node_run run) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < num_roots) {
    put(&tree.nodes[i], roots[i]);
    tree.links[i] = {no_node, 0, 0, 0};
  }
  if (i == 0) {
    *tree.state = initial;
    if (tree.queue != nullptr) {
      tree.queue[0] = run;
    } else {
      tree.level_begin[0] = 0;
      tree.level_begin[1] = num_roots;
    }
  }
}

/// One call of expand on a GPU.
template <class Expander>
class expansion {
 public:
  /// What a node is.
  using node_type = typename Expander::node_type;

  /// Sizes the blocks and takes working memory. Borrows all it is given. @throws resource_error
  expansion(engine_context& context, std::span<node_type> roots, const Expander& expander,
            const cuda_expand_options& options)
      : context_(context), roots_(roots), expander_(expander), options_(options) {
    choose_shape();
    place_storage();
  }

  /// Expands. @throws resource_error, cuda_error @sync waits for each launch from the host
  cuda_expand_report run() {
    const auto stream = context_.stream();
    auto& state = *reinterpret_cast<expansion_state*>(context_.status());
    context_.begun().record(stream);
    begin(state);
    std::uint64_t num_host_launches = 0;
    do {
      launch(state);
      ++num_host_launches;
      context_.ended().record(stream);
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(roots_.data(), tree_.nodes, roots_.size_bytes(),
                                         cudaMemcpyDeviceToDevice, stream));
      TENDRIL_CUDA_CHECK(
          cudaMemcpyAsync(&state, tree_.state, sizeof state, cudaMemcpyDeviceToHost, stream));
      TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream));
      check_expansion(state, options_.max_nodes);
    } while (!is_finished(state));
    cuda_expand_report report = to_report(state);
    report.num_host_launches = num_host_launches;
    return report;
  }

 private:
  [[nodiscard]] bool is_by_level() const { return options_.way == expand_way::level; }
  [[nodiscard]] std::uint32_t num_roots() const {
    return static_cast<std::uint32_t>(roots_.size());
  }

  /// Sizes of a block that grows subtrees.
  void choose_shape() {
    constexpr std::size_t slot_bytes = sizeof(node_type) + sizeof(node_link);
    static_assert(alignof(node_type) <= 16 && sizeof(node_type) <= 8192,
                  "nodes on a GPU lie in shared memory: 8 KiB at most, aligned to 16 bytes");
    const auto fitting = static_cast<std::uint32_t>(
        (context_.device().shared_bytes - subtree_shape::static_bytes) / slot_bytes);
    const auto limited = [](std::uint32_t limit, std::uint32_t most) {
      return limit == 0 ? most : std::min(limit, most);
    };
    tree_.block_nodes = limited(options_.tuning.block_nodes, fitting);
    tree_.block_seeds =
        limited(options_.tuning.block_seeds,
                std::clamp<std::uint32_t>(tree_.block_nodes / 4, 1, subtree_shape::threads));
    tree_.shared_bytes = static_cast<std::uint32_t>(tree_.block_nodes * slot_bytes);
    tree_.enough_blocks = subtree_shape::blocks_per_multiprocessor *
                          static_cast<std::uint32_t>(context_.device().num_multiprocessors);
    tree_.refuse_every = context_.device().child_grids ? options_.tuning.refuse_every : 1;
  }

  void place_storage() {
    const std::size_t capacity = options_.max_nodes;
    // A block that hands over brings a level worth it, or more nodes than it could hold beside its
    // seeds.
    const std::size_t fewest =
        std::min(tree_.block_nodes - tree_.block_seeds + 1, subtree_shape::worth_sharing);
    const std::size_t most_queued = capacity / fewest + 2;
    layout all;
    const std::size_t state = all.add(sizeof(expansion_state));
    const std::size_t links = all.add(capacity * sizeof(node_link));
    const std::size_t nodes = all.add(capacity * sizeof(node_type));
    const std::size_t lists = all.add(is_by_level() ? (capacity + 2) * sizeof(std::uint32_t)
                                                    : most_queued * sizeof(node_run));
    const workspace_carver carve{context_.workspace(all.size())};
    tree_.state = carve.at<expansion_state>(state);
    tree_.links = carve.at<node_link>(links);
    tree_.nodes = carve.at<node_type>(nodes);
    tree_.capacity = static_cast<std::uint32_t>(capacity);
    if (is_by_level()) {
      tree_.level_begin = carve.at<std::uint32_t>(lists);
    } else {
      tree_.queue = carve.at<node_run>(lists);
      tree_.queue_capacity = static_cast<std::uint32_t>(most_queued);
    }
  }

  /// The roots are a run in the queue, or level 0.
  void begin(expansion_state& state) {
    const node_run run{
        0, num_roots(), 0, 0, seeds_per_block(num_roots(), tree_.enough_blocks, tree_.block_seeds),
        0};
    state = {};
    state.storage = num_roots();
    state.depth = -1;
    state.level_nodes = num_roots();
    state.queued = std::uint64_t{1} << 32U | run.num_blocks();
    constexpr unsigned threads = 256;
    begin_expansion<<<(num_roots() + threads - 1) / threads, threads, 0, context_.stream()>>>(
        tree_, static_cast<const node_type*>(roots_.data()), num_roots(), state, run);
    TENDRIL_CUDA_CHECK_LAUNCH();
    allow_shared_memory(grow_subtrees<Expander>,
                        context_.device().shared_bytes - subtree_shape::static_bytes);
  }

  /// Launches the first grid, or the one that the device could not launch.
  void launch(const expansion_state& state) {
    if (is_by_level()) {
      launch_level(state);
    } else {
      grow_subtrees<<<queued_blocks(state.begun, state.queued), subtree_shape::threads,
                      tree_.shared_bytes, context_.stream()>>>(
          tree_, expander_, queued_work(state.begun, state.queued, true));
    }
    TENDRIL_CUDA_CHECK_LAUNCH();
  }

  void launch_level(const expansion_state& state) {
    const unsigned blocks = level_shape::blocks(state.level_nodes);
    if (state.is_reducing != 0) {
      reduce_level<<<blocks, level_shape::threads, 0, context_.stream()>>>(tree_, expander_,
                                                                           state.level);
    } else {
      split_level<<<blocks, level_shape::threads, 0, context_.stream()>>>(tree_, expander_,
                                                                          state.level);
    }
  }

  [[nodiscard]] bool is_finished(const expansion_state& state) const {
    return is_by_level() ? state.is_finished != 0 : state.num_reduced == num_roots();
  }

  engine_context& context_;
  std::span<node_type> roots_;
  const Expander& expander_;
  const cuda_expand_options& options_;
  expansion_tree<node_type> tree_{};
};

}  // namespace cuda

/// What tendril::expand calls for a GPU engine.
/// @param engine    a cuda_engine or a dynamic_cuda_engine
/// @param roots     [num_roots], device memory
/// @param expander  pointers in it are to device memory
/// @param options   way, room and tuning
/// @throws resource_error with both numbers when more than options.max_nodes nodes have to lie in
///         device memory, or memory for as many is not there; usage_error for roots in host memory,
///         or max_nodes out of range; cuda_error
/// @sync   waits for the device; allocates working memory once
template <class Expander>
cuda_expand_report run_expand(cuda_engine& engine, std::span<typename Expander::node_type> roots,
                              const Expander& expander, const cuda_expand_options& options = {}) {
  check_expander<Expander, cuda::staged_children>();
  cuda::check_expansion(roots.data(), roots.size(), options);
  if (roots.empty()) {
    return {};
  }
  engine.context().use();
  return cuda::expansion<Expander>(engine.context(), roots, expander, options).run();
}

}  // namespace tendril
