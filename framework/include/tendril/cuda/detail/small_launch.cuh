#pragma once

#include "tendril/cuda/detail/jobs.cuh"
#include "tendril/cuda/detail/kernel_setup.hpp"
#include "tendril/cuda/detail/small_frontier.cuh"

// Whether and how the small kernel runs a job.

namespace tendril::cuda {

/// Frontier with which the small kernel may be entered: one segment holds it, whoever owns it.
inline constexpr std::uint32_t small_entry_limit = small_shape::segment;

/// Blocks of the largest cluster that the device takes for the kernel; 0: none.
/// @post the kernel may use the shared memory
/// @pre  it has no static shared memory
template <class Kernel>
[[nodiscard]] unsigned small_cluster(Kernel kernel, std::uint32_t num_words,
                                     std::size_t (*shared_bytes)(std::uint32_t, std::uint32_t),
                                     std::size_t most_shared_bytes) {
  allow_shared_memory(kernel, most_shared_bytes);
  for (unsigned blocks = small_shape::max_blocks; blocks >= 8; blocks /= 2) {
    const std::size_t bytes = shared_bytes(num_words, blocks);
    if (bytes > most_shared_bytes) {
      return 0;
    }
    if (takes_cluster(kernel, blocks, small_shape::threads, bytes)) {
      return blocks;
    }
  }
  return 0;
}

/// Launches the small kernel for a job.
template <weight W, class Position, class Visitor>
class small_launcher {
 public:
  small_launcher(engine_context& context, const placed_graph<W>& graph,
                 const traverse_options& options, std::size_t num_sources)
      : stream_(context.stream()) {
    if constexpr (runs_small<Visitor, W>) {
      const bool wanted = context.tuning().use_small && context.device().clusters &&
                          context.driver() != cuda_driver::stepped &&
                          graph.short_rows.size() != 0 && !options.each_level &&
                          options.way != direction::pull && num_sources <= small_entry_limit;
      if (wanted) {
        const auto num_words = static_cast<std::uint32_t>(graph.isolated.size());
        kernel_ = small_kernel<Position, W, Visitor>;
        blocks_ = small_cluster(kernel_, num_words, small_block<W, Position, Visitor>::shared_bytes,
                                context.device().shared_bytes);
        if (blocks_ != 0) {
          shared_bytes_ = small_block<W, Position, Visitor>::shared_bytes(num_words, blocks_);
        }
      }
    }
  }

  [[nodiscard]] bool is_possible() const noexcept { return blocks_ != 0; }

  void launch(const first_visit_job<W, Position, host_shape>& job, const Visitor& visitor,
              const kernel_entry& entry) const {
    if constexpr (runs_small<Visitor, W>) {
      cudaLaunchAttribute cluster{};
      cluster.id = cudaLaunchAttributeClusterDimension;
      cluster.val.clusterDim = {blocks_, 1, 1};
      cudaLaunchConfig_t shape{};
      shape.gridDim = dim3(blocks_);
      shape.blockDim = dim3(small_shape::threads);
      shape.dynamicSmemBytes = shared_bytes_;
      shape.stream = stream_;
      shape.attrs = &cluster;
      shape.numAttrs = 1;
      TENDRIL_CUDA_CHECK(cudaLaunchKernelEx(&shape, kernel_, job, visitor, entry));
    }
  }

 private:
  using kernel = void (*)(first_visit_job<W, Position, host_shape>, Visitor, kernel_entry);

  cudaStream_t stream_;
  kernel kernel_ = nullptr;
  unsigned blocks_ = 0;
  std::size_t shared_bytes_ = 0;
};

/// For jobs that have no small kernel.
struct no_small_launcher {
  [[nodiscard]] static bool is_possible() noexcept { return false; }
  template <class Job, class Visitor>
  static void launch(const Job& /*job*/, const Visitor& /*visitor*/,
                     const kernel_entry& /*entry*/) {}
};

}  // namespace tendril::cuda
