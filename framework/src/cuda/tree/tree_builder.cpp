#include "cuda/tree/tree_builder.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "cuda/tree/steps.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/workspace.hpp"

namespace tendril::cuda {

namespace {

/// Working memory of a build.
template <coordinate Real, class Key>
struct tree_layout {
  tree_layout(point_id count, std::size_t scratch_bytes)
      : state(all.add(sizeof(tree_state))),
        scratch(all.add(scratch_bytes)),
        keys{all.add(count * sizeof(Key)), all.add(count * sizeof(Key))},
        rows{all.add(count * sizeof(point_id)), all.add(count * sizeof(point_id))},
        begins(all.add(std::size_t{count} + sizeof(std::uint64_t))),
        leaf_first(all.add((std::size_t{count} + 1) * sizeof(point_id))),
        leaf_node(all.add((std::size_t{count} + 1) * sizeof(node_id))),
        tiles(all.add(tree_tiles(count) * sizeof(begun_before))),
        spanning(all.add(std::size_t{tree_tiles(count)} * spanning_per_tile * sizeof(node_id))),
        tile_boxes(all.add(tree_tiles(count) * sizeof(box<Real>))),
        part_boxes(all.add(std::size_t{tree_tiles(count)} * box_parts * sizeof(box<Real>))) {}

  layout all;
  std::size_t state;
  std::size_t scratch;  ///< behind the state: what is zero at first, and copied, is one piece
  std::size_t keys[2];
  std::size_t rows[2];
  std::size_t begins;
  std::size_t leaf_first;
  std::size_t leaf_node;
  std::size_t tiles;
  std::size_t spanning;
  std::size_t tile_boxes;
  std::size_t part_boxes;
};

/// One build.
template <coordinate Real, class Key>
class tree_build {
 public:
  tree_build(cuda_engine& engine, const points_view<Real>& from, const quadtree_options& options,
             key_sorter& sorter)
      : engine_(engine),
        context_(engine.context()),
        stream_(engine.stream()),
        from_(from),
        options_(options),
        sorter_(sorter),
        at_(from.num_points(),
            std::max(sorter.scratch_bytes(context_, from.num_points(), options.max_depth),
                     clips() ? radix_sorter().scratch_bytes(context_, from.num_points(), 1) : 0)),
        work_{context_.workspace(at_.all.size())},
        state_(work_.template at<tree_state>(at_.state)),
        count_(from.num_points()) {}

  [[nodiscard]] cuda_quadtree<Real> run() {
    const std::size_t cleared_bytes = at_.scratch - at_.state + sorter_.zeroed_bytes();
    if (count_ <= few_points && !clips() && context_.device().clusters) {
      write_few_keys(from_, options_, state_, cleared_bytes, buffer(0), stream_);
      return grow(sort_keys());
    }
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(state_, 0, cleared_bytes, stream_));
    survey_points(from_, options_.bounds, state_, stream_);
    const point_id* rows_inside = clips() ? list_rows_inside() : nullptr;
    if (count_ == 0) {
      return {nullptr, cell_grid{}, options_};
    }
    write_keys(from_, rows_inside, count_, options_, state_, buffer(clips() ? 1 : 0), stream_);
    return grow(sort_keys());
  }

 private:
  [[nodiscard]] bool clips() const {
    return options_.bounds && options_.outside == quadtree_options::outside_points::clip;
  }

  [[nodiscard]] keyed_rows<Key> buffer(int i) const {
    return {work_.template at<Key>(at_.keys[i]), work_.template at<point_id>(at_.rows[i])};
  }
  [[nodiscard]] std::byte* scratch() const { return work_.template at<std::byte>(at_.scratch); }

  /// What the device has told. @throws input_error for rows that cannot be in the tree
  tree_state read_state() const {
    const tree_state state = *reinterpret_cast<const tree_state*>(context_.status());
    build::require_usable(survey_of<Real>(state), options_, [this](point_id row) {
      point<Real> p;
      TENDRIL_CUDA_CHECK(cudaMemcpy(&p, from_.positions + row, sizeof p, cudaMemcpyDeviceToHost));
      return p;
    });
    return state;
  }

  /// The state and what the sorter is shown, as one piece.
  [[nodiscard]] std::size_t shown_bytes() const {
    return at_.scratch - at_.state + sorter_.shown_bytes();
  }
  [[nodiscard]] told_words told_state() {
    return {work_.template at<std::uint32_t>(at_.state),
            reinterpret_cast<std::uint32_t*>(context_.status()),
            static_cast<unsigned>(shown_bytes() / sizeof(std::uint32_t)), context_.told_number(),
            context_.next_look()};
  }

  /// The rows inside the bounds, in order: they come first in a stable sort by one bit.
  const point_id* list_rows_inside() {
    TENDRIL_CUDA_CHECK(
        cudaMemcpyAsync(context_.status(), state_, shown_bytes(), cudaMemcpyDeviceToHost, stream_));
    context_.synchronize();
    count_ -= read_state().num_outside;
    const auto narrow = [this](int i) {
      return keyed_rows<std::uint32_t>{work_.template at<std::uint32_t>(at_.keys[i]),
                                       work_.template at<point_id>(at_.rows[i])};
    };
    mark_outside(from_, *options_.bounds, narrow(0), stream_);
    const auto sorted =
        radix_sorter().sort(context_, narrow(0), narrow(1), from_.num_points(), 1, scratch());
    if (sorted.rows != narrow(0).rows) {
      TENDRIL_CUDA_CHECK(cudaMemcpyAsync(narrow(0).rows, sorted.rows, count_ * sizeof(point_id),
                                         cudaMemcpyDeviceToDevice, stream_));
    }
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(scratch(), 0, sorter_.zeroed_bytes(), stream_));
    return narrow(0).rows;
  }

  sorted_points<Key> sort_keys() {
    const int unsorted = clips() ? 1 : 0;
    const keyed_rows<Key> sorted = sorter_.sort(context_, buffer(unsorted), buffer(1 - unsorted),
                                                count_, options_.max_depth, scratch());
    return {sorted,
            count_,
            options_.leaf_size,
            options_.max_depth,
            work_.template at<std::uint8_t>(at_.begins),
            work_.template at<begun_before>(at_.tiles),
            work_.template at<point_id>(at_.leaf_first),
            work_.template at<node_id>(at_.leaf_node),
            work_.template at<node_id>(at_.spanning),
            state_,
            sorter_.stopped()};
  }

  /// Room for the nodes of a small tree, so that they are written before the host knows how many
  /// there are; 0 where they take too long for that wait to matter.
  [[nodiscard]] node_id guessed_room() const {
    constexpr point_id small = point_id{1} << 20;
    constexpr node_id most = node_id{1} << 18;
    constexpr node_id per_full_leaf = 8;  // uniform points make 2 to 4
    return count_ > small ? 0 : std::min(most, count_ / options_.leaf_size * per_full_leaf + 1024);
  }

  [[nodiscard]] cuda_quadtree<Real> grow(const sorted_points<Key>& points) {
    using arrays = typename cuda_quadtree<Real>::arrays;
    tree_state state;
    const node_id room = guessed_room();
    auto content =
        std::make_shared<arrays>(arrays{engine_.uninitialised_array<quadtree_node<Real>>(room), 0,
                                        engine_.uninitialised_array<point<Real>>(count_),
                                        engine_.uninitialised_array<point_id>(count_)});
    do {
      count_nodes(points, told_state(), stream_);
      if (room != 0) {
        write(points, *content);
      }
      context_.wait_for_look(*context_.told_number());
      state = read_state();
    } while (sorter_.resume(context_.status() + (at_.scratch - at_.state)));
    if (state.num_nodes > std::numeric_limits<node_id>::max()) {
      throw resource_error("quadtree: at most " +
                           std::to_string(std::numeric_limits<node_id>::max()) + " nodes, needed " +
                           std::to_string(state.num_nodes));
    }
    if (state.num_nodes > room) {
      content->nodes = engine_.uninitialised_array<quadtree_node<Real>>(state.num_nodes);
      write(points, *content);
    }
    content->num_nodes = static_cast<node_id>(state.num_nodes);
    return {std::move(content), grid_of<Real>(state, options_), options_};
  }

  void write(const sorted_points<Key>& points, typename cuda_quadtree<Real>::arrays& content) {
    write_nodes(
        from_, points,
        tree_arrays<Real>{content.nodes.data(), content.nodes.size(), content.positions.data(),
                          content.rows.data(), work_.template at<box<Real>>(at_.tile_boxes),
                          work_.template at<box<Real>>(at_.part_boxes)},
        stream_);
  }

  cuda_engine& engine_;
  engine_context& context_;
  cudaStream_t stream_;
  points_view<Real> from_;
  quadtree_options options_;
  key_sorter& sorter_;
  tree_layout<Real, Key> at_;
  workspace_carver work_;
  tree_state* state_;
  point_id count_;  ///< in the tree
};

}  // namespace

template <coordinate Real>
cuda_quadtree<Real> build_tree(cuda_engine& engine, const points_view<Real>& from,
                               const quadtree_options& options, key_sorter& sorter) {
  build::check_options(options);
  engine.context().use();
  if (from.num_points() == 0) {
    return {nullptr, cell_grid{}, options};
  }
  if (options.max_depth <= narrow_depth) {
    return tree_build<Real, std::uint32_t>(engine, from, options, sorter).run();
  }
  return tree_build<Real, std::uint64_t>(engine, from, options, sorter).run();
}

template <coordinate Real>
cuda_quadtree<Real> build_tree(cuda_engine& engine, const points<Real>& from,
                               const quadtree_options& options, key_sorter& sorter) {
  build::check_options(options);
  engine.context().use();
  const device_buffer<point<Real>> copy =
      to_device(from.positions(), engine.stream(), engine.context().memory());
  return build_tree(engine, points_view<Real>{copy.data(), from.num_points()}, options, sorter);
}

template cuda_quadtree<float> build_tree(cuda_engine&, const points_view<float>&,
                                         const quadtree_options&, key_sorter&);
template cuda_quadtree<double> build_tree(cuda_engine&, const points_view<double>&,
                                          const quadtree_options&, key_sorter&);
template cuda_quadtree<float> build_tree(cuda_engine&, const points<float>&,
                                         const quadtree_options&, key_sorter&);
template cuda_quadtree<double> build_tree(cuda_engine&, const points<double>&,
                                          const quadtree_options&, key_sorter&);

}  // namespace tendril::cuda

namespace tendril {

template <coordinate Real>
quadtree_view<Real> cuda_quadtree<Real>::view() const noexcept {
  if (content_ == nullptr) {
    return {.cells = cells_, .leaf_size = options_.leaf_size, .max_depth = options_.max_depth};
  }
  return {content_->nodes.data(), content_->positions.data(),
          content_->rows.data(),  num_nodes(),
          num_points(),           cells_,
          options_.leaf_size,     options_.max_depth};
}

template <coordinate Real>
quadtree<Real> cuda_quadtree<Real>::to_host() const {
  if (content_ == nullptr) {
    return {{}, {}, {}, cells_, options_};
  }
  auto nodes = content_->nodes.to_host();
  nodes.resize(content_->num_nodes);
  return {std::move(nodes), content_->positions.to_host(), content_->rows.to_host(), cells_,
          options_};
}

template <coordinate Real>
cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points<Real>& from,
                                   const quadtree_options& options) {
  cuda::radix_sorter sorter;
  return cuda::build_tree(engine, from, options, sorter);
}

template <coordinate Real>
cuda_quadtree<Real> build_quadtree(cuda_engine& engine, const points_view<Real>& from,
                                   const quadtree_options& options) {
  cuda::radix_sorter sorter;
  return cuda::build_tree(engine, from, options, sorter);
}

#define TENDRIL_TREE_FOR(Real)                                                        \
  template class cuda_quadtree<Real>;                                                 \
  template cuda_quadtree<Real> build_quadtree(cuda_engine&, const points<Real>&,      \
                                              const quadtree_options&);               \
  template cuda_quadtree<Real> build_quadtree(cuda_engine&, const points_view<Real>&, \
                                              const quadtree_options&);
TENDRIL_TREE_FOR(float)
TENDRIL_TREE_FOR(double)
#undef TENDRIL_TREE_FOR

}  // namespace tendril
