#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "cuda/lanes/kernels.cuh"
#include "tendril/cuda/detail/driver.cuh"
#include "tendril/cuda/detail/jobs.cuh"

// Host side of passes: memory, launches, counts.

namespace tendril::cuda {

/// Where things lie in the engine's working memory. What lies between `zeroed` and `kept` is zero
/// when a pass begins.
struct lane_layout {
  static constexpr std::int32_t counted_levels = 256;

  /// @param own_masks  masks lie here; else they are the caller's
  lane_layout(vertex_id n, std::size_t words, std::size_t num_sources, bool own_masks)
      : masks{all.add(own_masks ? n * words * 8 : 0), all.add(own_masks ? n * words * 8 : 0)},
        fresh{all.add(bitmap_bytes(n)), all.add(bitmap_bytes(n)), all.add(bitmap_bytes(n))},
        finished(all.add(n)),
        state(all.add(sizeof(lane_state))),
        level_counts(all.add(counted_levels * 64 * words * sizeof(vertex_id))),
        kept(all.size()),
        queues{all.add(n * sizeof(vertex_id)), all.add(n * sizeof(vertex_id))},
        befores{all.add(n * sizeof(std::uint64_t)), all.add(n * sizeof(std::uint64_t))},
        order(all.add(n * sizeof(vertex_id))),
        order_starts(all.add(3 * num_degree_buckets * sizeof(std::uint32_t))),
        sources(all.add(num_sources * sizeof(vertex_id))) {}

  layout all;
  std::size_t masks[2];
  std::size_t fresh[3];
  std::size_t finished;
  std::size_t state;
  std::size_t level_counts;
  std::size_t kept;
  std::size_t queues[2];
  std::size_t befores[2];
  std::size_t order;
  std::size_t order_starts;  ///< then sizes, then places, of the buckets
  std::size_t sources;
};

/// Launches of one width.
struct lane_kernels {
  void (*launch)(const lane_job& job, lane_entry entry, unsigned blocks, cudaStream_t stream);
  unsigned (*blocks)(const engine_context& context);
};

template <unsigned Words>
void launch_lanes(const lane_job& job, lane_entry entry, unsigned blocks, cudaStream_t stream) {
  auto* const kernel = lane_kernel<Words>;
  if (entry.is_resident) {
    void* arguments[] = {const_cast<lane_job*>(&job), &entry};
    TENDRIL_CUDA_CHECK(cudaLaunchCooperativeKernel(
        kernel, dim3(blocks), dim3(lane_shape<Words>::threads), arguments, 0, stream));
  } else {
    kernel<<<blocks, lane_shape<Words>::threads, 0, stream>>>(job, entry);
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
}

template <unsigned Words>
unsigned lane_blocks(const engine_context& context) {
  return blocks_together(lane_kernel<Words>, lane_shape<Words>::threads, context.device());
}

[[nodiscard]] inline lane_kernels kernels_for(std::size_t words) {
  switch (words) {
    case 1:
      return {launch_lanes<1>, lane_blocks<1>};
    case 2:
      return {launch_lanes<2>, lane_blocks<2>};
    case 4:
      return {launch_lanes<4>, lane_blocks<4>};
    default:
      return {launch_lanes<8>, lane_blocks<8>};
  }
}

/// Passes over one graph, one after another.
class lane_passes {
 public:
  /// @param num_sources  of all passes
  lane_passes(engine_context& context, const lane_graph& graph, std::size_t words,
              std::size_t num_sources, bool own_masks)
      : context_(context),
        layout_(graph.num_vertices, words, num_sources, own_masks),
        carve_{context.workspace(layout_.all.size())},
        words_(words),
        kernels_(kernels_for(words)),
        blocks_(kernels_.blocks(context)),
        is_resident_(context.device().cooperative && context.driver() != cuda_driver::stepped) {
    static_cast<lane_graph::rows&>(job_.out) = graph.out;
    static_cast<lane_graph::rows&>(job_.in) = graph.in;
    job_.num_edges = graph.num_edges;
    job_.num_vertices = graph.num_vertices;
    job_.counts = graph.out.narrow != nullptr
                      ? counts_for<std::uint32_t>(graph.num_vertices, graph.num_edges)
                      : counts_for<edge_offset>(graph.num_vertices, graph.num_edges);
    for (int i = 0; i < 2; ++i) {
      job_.masks[i] = carve_.at<std::uint64_t>(layout_.masks[i]);
      job_.queues[i] = carve_.at<vertex_id>(layout_.queues[i]);
      job_.befores[i] = carve_.at<std::uint64_t>(layout_.befores[i]);
    }
    for (int i = 0; i < 3; ++i) {
      job_.fresh[i] = carve_.at<bit_word>(layout_.fresh[i]);
    }
    job_.finished = carve_.at<std::uint8_t>(layout_.finished);
    job_.state = carve_.at<lane_state>(layout_.state);
    job_.level_counts = carve_.at<vertex_id>(layout_.level_counts);
    job_.order = carve_.at<vertex_id>(layout_.order);
    job_.order_starts = carve_.at<std::uint32_t>(layout_.order_starts);
    job_.sources = carve_.at<vertex_id>(layout_.sources);
    if (graph.in.targets != nullptr) {
      sort_by_degree();
    }
  }

  /// Copies the sources of all passes. @pre they stay until the stream was waited for
  void load(std::span<const vertex_id> sources) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(carve_.at<vertex_id>(layout_.sources), sources.data(),
                                       sources.size_bytes(), cudaMemcpyHostToDevice,
                                       context_.stream()));
  }

  /// Uses masks of the caller's, all zero.
  void use_masks(std::uint64_t* one, std::uint64_t* other) {
    job_.masks[0] = one;
    job_.masks[1] = other;
  }
  /// Adds a plane for bits of depths, all zero.
  void add_plane(std::uint64_t* plane) { job_.planes[job_.num_planes++] = plane; }

  /// Zeroes what a pass begins with. @sync none
  void clear() { clear(0, layout_.kept); }

  /// Begins a pass from loaded sources. @pre clear() since the last one. @sync none
  void start(std::size_t first_source, std::size_t num_sources) {
    job_.sources = carve_.at<vertex_id>(layout_.sources) + first_source;
    job_.num_sources = static_cast<std::uint32_t>(num_sources);
    job_.first_level = 0;
    set_last_level();
    constexpr unsigned threads = 256;
    start_lanes<<<static_cast<unsigned>((num_sources + threads - 1) / threads), threads, 0,
                  context_.stream()>>>(job_, static_cast<unsigned>(words_));
    TENDRIL_CUDA_CHECK_LAUNCH();
    entry_ = {is_resident_, 0};
    launch();
  }

  /// Counts of levels that were read and not handed on yet.
  struct level_range {
    std::int32_t begin;
    std::int32_t end;
    std::uint32_t masks;  ///< which masks say in the end what was reached
  };

  /// Runs the pass to its end, and hands on counts as long as there is no room for those of deeper
  /// levels; calls more_planes() when depths need another bit.
  /// @return what is left for hand_on(). @sync waits
  template <class EachLevel, class MorePlanes>
  [[nodiscard]] level_range finish(const EachLevel& each_level, const MorePlanes& more_planes) {
    while (true) {
      const lane_cursor cursor = look();
      if (cursor.phase == lane_phase::done) {
        return read_counts({job_.first_level, cursor.level, cursor.now});
      }
      if (cursor.phase == lane_phase::pause) {
        hand_on(read_counts({job_.first_level, cursor.level + 1, cursor.now}), each_level);
        if (job_.num_planes != 0 && cursor.level + 1 > deepest(job_.num_planes)) {
          more_planes();
        }
        job_.first_level = cursor.level + 1;
        set_last_level();
        clear(layout_.level_counts, layout_.kept);
      }
      launch();
    }
  }

  /// Calls each_level(level, counts) for each level. May run beside the next pass, until that is
  /// finished.
  template <class EachLevel>
  void hand_on(const level_range& levels, const EachLevel& each_level) const {
    for (std::int32_t level = levels.begin; level < levels.end; ++level) {
      const auto* const counts = reinterpret_cast<const vertex_id*>(
          read_.data() + counts_begin() + counts_bytes(level - levels.begin));
      each_level(level, std::span<const vertex_id>(counts, 64 * words_));
    }
  }

 private:
  static constexpr std::int32_t rows_at_once = 16;

  /// The deepest level whose number fits into so many planes.
  [[nodiscard]] static std::int32_t deepest(std::uint32_t num_planes) {
    return num_planes > 30 ? std::numeric_limits<std::int32_t>::max() : (1 << num_planes) - 1;
  }

  void set_last_level() {
    job_.last_level = job_.first_level + lane_layout::counted_levels - 1;
    if (job_.num_planes != 0) {
      job_.last_level = std::min(job_.last_level, deepest(job_.num_planes));
    }
  }

  void clear(std::size_t begin, std::size_t end) {
    TENDRIL_CUDA_CHECK(
        cudaMemsetAsync(carve_.at<std::byte>(begin), 0, end - begin, context_.stream()));
  }

  void sort_by_degree() {
    auto* const starts = carve_.at<std::uint32_t>(layout_.order_starts);
    std::uint32_t* const sizes = starts + num_degree_buckets;
    std::uint32_t* const places = sizes + num_degree_buckets;
    const unsigned blocks =
        std::min<unsigned>((job_.num_vertices + num_degree_buckets - 1) / num_degree_buckets,
                           8U * static_cast<unsigned>(context_.device().num_multiprocessors));
    const cudaStream_t stream = context_.stream();
    TENDRIL_CUDA_CHECK(
        cudaMemsetAsync(sizes, 0, num_degree_buckets * sizeof(std::uint32_t), stream));
    count_degrees<<<blocks, num_degree_buckets, 0, stream>>>(job_.in, job_.num_vertices, sizes);
    TENDRIL_CUDA_CHECK_LAUNCH();
    place_buckets<<<1, num_degree_buckets, 0, stream>>>(sizes, starts, places);
    TENDRIL_CUDA_CHECK_LAUNCH();
    fill_buckets<<<blocks, num_degree_buckets, 0, stream>>>(job_.in, job_.num_vertices, places,
                                                            carve_.at<vertex_id>(layout_.order));
    TENDRIL_CUDA_CHECK_LAUNCH();
  }

  /// Launches what goes on from the entry.
  void launch() {
    constexpr int phases_per_look = 8;
    for (int i = 0; i < (entry_.is_resident ? 1 : phases_per_look); ++i) {
      kernels_.launch(job_, entry_, blocks_, context_.stream());
      entry_.parity ^= 1U;
    }
  }

  /// Waits. @return the place in the pass
  lane_cursor look() {
    read_.resize(counts_begin() + counts_bytes(rows_at_once));
    copy_state(read_.data(), 0, read_.size());
    return reinterpret_cast<const lane_state*>(read_.data())->cursors[entry_.parity];
  }

  /// Of the counts, from the state on.
  [[nodiscard]] std::size_t counts_begin() const { return layout_.level_counts - layout_.state; }
  [[nodiscard]] std::size_t counts_bytes(std::int32_t rows) const {
    return static_cast<std::size_t>(rows) * 64 * words_ * sizeof(vertex_id);
  }

  /// Copies from the state and the counts behind it. @sync waits
  void copy_state(std::byte* to, std::size_t offset, std::size_t bytes) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(to, carve_.at<std::byte>(layout_.state + offset), bytes,
                                       cudaMemcpyDeviceToHost, context_.stream()));
    context_.synchronize();
  }

  /// Reads what look() did not.
  level_range read_counts(const level_range& levels) {
    const std::int32_t rows = levels.end - levels.begin;
    if (rows > rows_at_once) {
      read_.resize(counts_begin() + counts_bytes(rows));
      copy_state(read_.data() + counts_begin(), counts_begin(), counts_bytes(rows));
    }
    return levels;
  }

  engine_context& context_;
  lane_layout layout_;
  workspace_carver carve_;
  std::size_t words_;
  lane_kernels kernels_;
  unsigned blocks_;
  bool is_resident_;
  lane_job job_{};
  lane_entry entry_{};
  std::vector<std::byte> read_;
};

}  // namespace tendril::cuda
