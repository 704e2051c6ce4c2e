#pragma once

#include "tendril/cuda/check.hpp"
#include "tendril/cuda/detail/block_query.cuh"
#include "tendril/cuda/detail/context.hpp"
#include "tendril/cuda/detail/kernel_setup.hpp"

namespace tendril::cuda {

/// @tparam InShared  the bitmap lies behind the queues in dynamic shared memory
template <bool InShared, class Position, weight W, class Visitor>
__global__ void __launch_bounds__(block_query_shape::threads, 1)
    block_query_kernel(const __grid_constant__ block_query_job<W, Position> job,
                       const Visitor* visitors) {
  extern __shared__ __align__(16) vertex_id block_query_memory[];
  __shared__ block_query_control control;
  bit_word* const visited =
      InShared
          ? reinterpret_cast<bit_word*>(block_query_memory + 2 * block_query_shape::queue_entries)
          : job.bitmaps + std::size_t{blockIdx.x} * job.graph.num_words;
  for (std::uint32_t query = blockIdx.x; query < job.num_queries;) {
    if (job.times != nullptr && threadIdx.x == 0) {
      job.times[query].begin_ns = nanoseconds();
    }
    const Visitor visitor = visitors[query];
    block_query<W, Position, Visitor>(job, visitor, control, block_query_memory, visited)
        .run(query);
    if (job.times != nullptr && threadIdx.x == 0) {
      job.times[query].end_ns = nanoseconds();
      job.times[query].block = blockIdx.x;
    }
    if (gridDim.x >= job.num_queries) {
      return;  // a block for each: there is no ticket
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      control.query = gridDim.x + atomicAdd(job.ticket, 1U);
    }
    __syncthreads();
    query = control.query;
  }
}

/// A launch of queries of one graph, a block each: the job as far as the graph says it.
template <weight W, class Position, class Visitor>
class block_launch {
 public:
  block_launch(engine_context& context, const kernel_graph<W, Position>& graph) {
    job.graph = graph;
    const std::size_t most_bytes = context.device().shared_bytes - block_query_shape::control_bytes;
    const std::size_t bitmap = bitmap_bytes(graph.num_vertices);
    in_shared_ = block_query_shape::queue_bytes + bitmap <= most_bytes;
    shared_bytes_ = block_query_shape::queue_bytes + (in_shared_ ? bitmap : 0);
    kernel_ = in_shared_ ? block_query_kernel<true, Position, W, Visitor>
                         : block_query_kernel<false, Position, W, Visitor>;
    // Always the same, so that launches of other graphs may come between this and the launch.
    static_cast<void>(context.asked_once(reinterpret_cast<const void*>(kernel_), [&] {
      allow_shared_memory(kernel_, most_bytes);
      return true;
    }));
  }

  /// Blocks that run at a time on a multiprocessor.
  [[nodiscard]] int blocks_per_multiprocessor() const {
    int blocks = 0;
    TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel_, static_cast<int>(block_query_shape::threads), shared_bytes_));
    return blocks;
  }

  /// Of job.bitmaps and job.spilled, for so many blocks.
  [[nodiscard]] std::size_t bitmap_memory(std::uint32_t blocks) const {
    return in_shared_ ? 0 : blocks * std::size_t{job.graph.num_words} * sizeof(bit_word);
  }
  [[nodiscard]] std::size_t spill_memory(std::uint32_t blocks) const {
    return blocks * std::size_t{job.graph.num_vertices} * sizeof(vertex_id);
  }

  /// @param visitors  [job.num_queries], readable by the device. @sync none
  void launch(std::uint32_t blocks, const Visitor* visitors, cudaStream_t stream) const {
    kernel_<<<blocks, block_query_shape::threads, shared_bytes_, stream>>>(job, visitors);
    TENDRIL_CUDA_CHECK_LAUNCH();
  }

  block_query_job<W, Position> job{};

 private:
  using kernel = void (*)(block_query_job<W, Position>, const Visitor*);

  std::size_t shared_bytes_ = 0;
  bool in_shared_ = false;
  kernel kernel_ = nullptr;
};

}  // namespace tendril::cuda
