#include "tendril/cuda/grow_tree.hpp"

#include <algorithm>
#include <string>

#include "cuda/grow/root.cuh"
#include "cuda/tree/kernels.cuh"
#include "cuda/tree/tree_builder.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/kernel_setup.hpp"
#include "tendril/cuda/detail/workspace.hpp"

namespace tendril {

std::string_view to_string(tree_growth way) noexcept {
  switch (way) {
    case tree_growth::child_grid:
      return "child-grid";
    case tree_growth::level:
      return "level";
  }
  return "";
}

namespace cuda {

namespace {

/// Scratch memory of a growth.
struct growth_layout {
  growth_layout(point_id count, int max_depth, int levels_per_round, point_id merged_points) {
    constexpr std::size_t tile = growth_shape::tile;
    const std::size_t large_cells = count / tile + 1;  // of one round
    const std::size_t tiles = large_cells + count / tile;
    const auto rounds = static_cast<std::size_t>(max_depth / levels_per_round + 1);
    state = all.add(sizeof(growth_state));
    cells[0] = all.add(large_cells * sizeof(large_cell));
    cells[1] = all.add(large_cells * sizeof(large_cell));
    tile_cells[0] = all.add(tiles * sizeof(std::uint32_t));
    tile_cells[1] = all.add(tiles * sizeof(std::uint32_t));
    passed = all.add(tiles * growth_shape::bins * sizeof(std::uint64_t));
    // Jobs: two in a row hold more than merged_points, unless a large cell, or the end of one, is
    // between them. Points that nothing tells apart take as many as they have tiles.
    jobs = all.add((2 * (count / merged_points + 1) + 2 * rounds * large_cells + tiles) *
                   sizeof(finish_job));
  }

  layout all;
  std::size_t state;
  std::size_t cells[2];
  std::size_t tile_cells[2];
  std::size_t passed;
  std::size_t jobs;
};

/// Lets the kernels have the shared memory they need.
/// @return the device can run root_kernel
/// @throws resource_error where a block of the others cannot have so much
template <class Key>
bool prepare_kernels(const cuda_device& device) {
  constexpr std::size_t needed = std::max(part_bytes<Key>, finish_bytes<Key>);
  constexpr std::size_t needed_by_root = root_bytes<Key>;
  if (needed > device.shared_bytes) {
    throw resource_error("shared memory of a block: needed " + std::to_string(needed) +
                         " bytes, the device has " + std::to_string(device.shared_bytes));
  }
  allow_shared_memory(part_kernel<Key>, part_bytes<Key>);
  allow_shared_memory(finish_kernel<Key>, finish_bytes<Key>);
  if (!device.clusters || needed_by_root > device.shared_bytes) {
    return false;
  }
  allow_shared_memory(root_kernel<Key>, root_bytes<Key>);
  return takes_cluster(root_kernel<Key>, growth_shape::root_blocks, growth_shape::threads,
                       root_bytes<Key>);
}

class growth_sorter final : public key_sorter {
 public:
  explicit growth_sorter(const growth_options& options) : options_(options) {}

  [[nodiscard]] const growth_report& report() const noexcept { return report_; }

  std::size_t scratch_bytes(const engine_context& context, point_id count, int max_depth) override {
    return layout_for(context, count, max_depth).all.size();
  }
  keyed_rows<std::uint32_t> sort(engine_context& context, keyed_rows<std::uint32_t> from,
                                 keyed_rows<std::uint32_t> other, point_id count, int max_depth,
                                 std::byte* scratch) override {
    return start(narrow_, context, from, other, count, max_depth, scratch);
  }
  keyed_rows<std::uint64_t> sort(engine_context& context, keyed_rows<std::uint64_t> from,
                                 keyed_rows<std::uint64_t> other, point_id count, int max_depth,
                                 std::byte* scratch) override {
    is_wide_ = true;
    return start(wide_, context, from, other, count, max_depth, scratch);
  }
  /// The state, and the root: the first cell of round 0, zero but for its count, which every kernel
  /// knows.
  [[nodiscard]] std::size_t zeroed_bytes() const override {
    const growth_layout any{0, 0, 1, growth_shape::least_job};  // both lie first in all of them
    return any.cells[0] + sizeof(large_cell);
  }
  [[nodiscard]] std::size_t shown_bytes() const override { return sizeof(growth_state); }
  [[nodiscard]] const std::uint32_t* stopped() const override {
    const growth_state* state = is_wide_ ? wide_.state : narrow_.state;
    return reinterpret_cast<const std::uint32_t*>(&state->stopped);
  }
  bool resume(const std::byte* shown) override {
    const auto& state = *reinterpret_cast<const growth_state*>(shown);
    return is_wide_ ? go_on(wide_, state) : go_on(narrow_, state);
  }

 private:
  [[nodiscard]] int levels_per_round() const {
    return options_.way == tree_growth::child_grid ? 3 : 1;
  }
  /// Few points are spread over all multiprocessors.
  [[nodiscard]] static point_id merged_points(const engine_context& context, point_id count) {
    const auto share = count / static_cast<point_id>(context.device().num_multiprocessors);
    return std::clamp(share, point_id{growth_shape::least_job}, point_id{growth_shape::tile});
  }
  [[nodiscard]] growth_layout layout_for(const engine_context& context, point_id count,
                                         int max_depth) const {
    return {count, max_depth, levels_per_round(), merged_points(context, count)};
  }

  template <class Key>
  keyed_rows<Key> start(growth<Key>& g, engine_context& context, keyed_rows<Key> from,
                        keyed_rows<Key> other, point_id count, int max_depth, std::byte* scratch) {
    const growth_layout at = layout_for(context, count, max_depth);
    const workspace_carver work{scratch};
    g = {{from, other},
         {work.at<large_cell>(at.cells[0]), work.at<large_cell>(at.cells[1])},
         {work.at<std::uint32_t>(at.tile_cells[0]), work.at<std::uint32_t>(at.tile_cells[1])},
         work.at<std::uint64_t>(at.passed),
         work.at<finish_job>(at.jobs),
         work.at<growth_state>(at.state),
         count,
         max_depth,
         levels_per_round(),
         merged_points(context, count),
         options_.way == tree_growth::level,
         context.device().child_grids ? options_.refuse_every : 1};
    context_ = &context;
    const bool has_root_kernel =
        context.asked_once(reinterpret_cast<const void*>(root_kernel<Key>),
                           [&] { return prepare_kernels<Key>(context.device()); });
    if (count <= growth_shape::tile) {
      launch_finish(g, 1);
    } else if (has_root_kernel && count <= growth_shape::most_root_points &&
               options_.way == tree_growth::child_grid) {
      launch_early(root_kernel<Key>, growth_shape::root_blocks, growth_shape::threads,
                   root_bytes<Key>, context.stream(), g);
    } else {
      launch_count(g, 0, (count - 1) / growth_shape::tile + 1);
    }
    return g.buffers[0];
  }

  /// Makes the launch that the device was refused, and those after it. The stream is idle.
  template <class Key>
  bool go_on(const growth<Key>& g, const growth_state& state) {
    if (state.stopped == growth_stop::none) {
      report_ = {state.child_grids, state.tail_launches, state.refused, state.round + 1,
                 std::max(state.num_jobs, 1U)};
      if (g.count <= growth_shape::tile) {
        report_.levels_parted = 0;
      }
      return false;
    }
    const std::uint32_t next = state.round + 1;
    TENDRIL_CUDA_CHECK(
        cudaMemsetAsync(&g.state->stopped, 0, sizeof(growth_stop), context_->stream()));
    if (state.stopped == growth_stop::part) {
      part_kernel<<<state.round == 0 ? (g.count - 1) / growth_shape::tile + 1
                                     : state.num_tiles[state.round % 2],
                    growth_shape::threads, part_bytes<Key>, context_->stream()>>>(g, state.round);
      TENDRIL_CUDA_CHECK_LAUNCH();
    }
    if (state.num_tiles[next % 2] != 0) {
      launch_count(g, next, state.num_tiles[next % 2]);
    } else {
      launch_finish(g, state.num_jobs);
    }
    return true;
  }

  template <class Key>
  void launch_count(const growth<Key>& g, std::uint32_t round, std::uint32_t num_tiles) {
    count_kernel<<<num_tiles, growth_shape::threads, 0, context_->stream()>>>(g, round);
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  template <class Key>
  void launch_finish(const growth<Key>& g, std::uint32_t num_jobs) {
    finish_kernel<<<num_jobs, growth_shape::threads, finish_bytes<Key>, context_->stream()>>>(g);
    TENDRIL_CUDA_CHECK_LAUNCH();
  }

  growth_options options_;
  growth_report report_;
  engine_context* context_ = nullptr;
  growth<std::uint32_t> narrow_{};
  growth<std::uint64_t> wide_{};
  bool is_wide_ = false;
};

template <class Points>
[[nodiscard]] auto grow_tree(cuda_engine& engine, const Points& from,
                             const quadtree_options& options, const growth_options& growth) {
  growth_sorter sorter(growth);
  auto tree = build_tree(engine, from, options, sorter);
  return grown_quadtree<typename decltype(tree)::coordinate_type>{std::move(tree), sorter.report()};
}

}  // namespace

}  // namespace cuda

template <coordinate Real>
grown_quadtree<Real> grow_quadtree(cuda_engine& engine, const points<Real>& from,
                                   const quadtree_options& options, const growth_options& growth) {
  return cuda::grow_tree(engine, from, options, growth);
}

template <coordinate Real>
grown_quadtree<Real> grow_quadtree(cuda_engine& engine, const points_view<Real>& from,
                                   const quadtree_options& options, const growth_options& growth) {
  return cuda::grow_tree(engine, from, options, growth);
}

#define TENDRIL_GROWTH_FOR(Real)                                                               \
  template grown_quadtree<Real> grow_quadtree(cuda_engine&, const points<Real>&,               \
                                              const quadtree_options&, const growth_options&); \
  template grown_quadtree<Real> grow_quadtree(cuda_engine&, const points_view<Real>&,          \
                                              const quadtree_options&, const growth_options&);
TENDRIL_GROWTH_FOR(float)
TENDRIL_GROWTH_FOR(double)
#undef TENDRIL_GROWTH_FOR

}  // namespace tendril
