#include <cub/device/device_scan.cuh>

#include <bit>
#include <limits>
#include <string>

#include "cuda/tree/key_sorter.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/tree_queries.hpp"
#include "tendril/cuda/tree.hpp"

namespace tendril::cuda {

namespace {

constexpr unsigned query_threads = 256;
constexpr int order_levels = 16;

[[nodiscard]] unsigned blocks_for(std::uint64_t size) {
  return static_cast<unsigned>((size + query_threads - 1) / query_threads);
}

template <coordinate Real>
__global__ void order_kernel(cell_grid cells, const point<Real>* positions,
                             std::uint32_t num_queries, keyed_rows<std::uint32_t> out) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < num_queries) {
    const morton_key key = key_at(cells.nearest_key(positions[query]), order_levels);
    out.keys[query] = static_cast<std::uint32_t>(key);
    out.rows[query] = query;
  }
}

/// A warp marks the values of a list with its number.
__global__ void mark_kernel(const std::uint64_t* offsets, std::uint64_t num_lists,
                            const std::uint32_t* values, std::uint64_t* keys) {
  const std::uint64_t list =
      (static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (list < num_lists) {
    for (std::uint64_t i = offsets[list] + threadIdx.x % 32; i < offsets[list + 1]; i += 32) {
      keys[i] = list << 32 | values[i];
    }
  }
}

__global__ void unmark_kernel(const std::uint64_t* keys, std::uint64_t size,
                              std::uint32_t* values) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) {
    values[i] = static_cast<std::uint32_t>(keys[i]);
  }
}

/// Two buffers and scratch memory for a sort.
template <class Key>
struct sort_memory {
  sort_memory(engine_context& context, std::uint32_t count, int levels)
      : keys{{count, context.stream(), context.memory()},
             {count, context.stream(), context.memory()}},
        rows{{count, context.stream(), context.memory()},
             {count, context.stream(), context.memory()}},
        scratch(radix_sorter().scratch_bytes(context, count, levels), context.stream(),
                context.memory()) {}

  [[nodiscard]] keyed_rows<Key> buffer(int i) const { return {keys[i].data(), rows[i].data()}; }

  device_buffer<Key> keys[2];
  device_buffer<std::uint32_t> rows[2];
  device_buffer<std::byte> scratch;
};

}  // namespace

template <coordinate Real>
device_buffer<std::uint32_t> queries_in_morton_order(engine_context& context,
                                                     const cell_grid& cells,
                                                     const point<Real>* positions,
                                                     std::uint32_t num_queries) {
  sort_memory<std::uint32_t> memory(context, num_queries, order_levels);
  order_kernel<<<blocks_for(num_queries), query_threads, 0, context.stream()>>>(
      cells, positions, num_queries, memory.buffer(0));
  TENDRIL_CUDA_CHECK_LAUNCH();
  const auto sorted = radix_sorter().sort(context, memory.buffer(0), memory.buffer(1), num_queries,
                                          order_levels, memory.scratch.data());
  return std::move(memory.rows[sorted.rows == memory.rows[0].data() ? 0 : 1]);
}

template device_buffer<std::uint32_t> queries_in_morton_order(engine_context&, const cell_grid&,
                                                              const point<float>*, std::uint32_t);
template device_buffer<std::uint32_t> queries_in_morton_order(engine_context&, const cell_grid&,
                                                              const point<double>*, std::uint32_t);

}  // namespace tendril::cuda

namespace tendril {

cuda_array<std::uint64_t> run_offsets(cuda_engine& engine,
                                      const cuda_array<std::uint64_t>& lengths) {
  auto offsets = engine.uninitialised_array<std::uint64_t>(lengths.size() + 1);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(offsets.data(), 0, sizeof(std::uint64_t), engine.stream()));
  if (lengths.size() == 0) {
    return offsets;
  }
  const auto scan = [&](void* scratch, std::size_t& bytes) {
    TENDRIL_CUDA_CHECK(cub::DeviceScan::InclusiveSum(
        scratch, bytes, lengths.data(), offsets.data() + 1, lengths.size(), engine.stream()));
  };
  std::size_t bytes = 0;
  scan(nullptr, bytes);
  scan(engine.uninitialised_array<std::byte>(bytes).data(), bytes);
  return offsets;
}

void run_sort_lists(cuda_engine& engine, const cuda_array<std::uint64_t>& offsets,
                    cuda_array<point_id>& values) {
  if (values.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw resource_error("lists of queries: at most 2^32 - 1 values, found " +
                         std::to_string(values.size()));
  }
  if (values.size() == 0) {
    return;
  }
  cuda::engine_context& context = engine.context();
  context.use();
  const auto count = static_cast<std::uint32_t>(values.size());
  const std::size_t num_lists = offsets.size() - 1;
  const int levels = 16 + (std::bit_width(num_lists - 1) + 1) / 2;
  // Above the sorter's narrow keys in any case: a value takes 32 bits.
  const int wide_levels = levels > 16 ? levels : 17;
  const cuda::sort_memory<std::uint64_t> memory(context, count, wide_levels);
  cuda::mark_kernel<<<cuda::blocks_for(num_lists * 32), cuda::query_threads, 0, context.stream()>>>(
      offsets.data(), num_lists, values.data(), memory.keys[0].data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  const auto sorted = cuda::radix_sorter().sort(context, memory.buffer(0), memory.buffer(1), count,
                                                wide_levels, memory.scratch.data());
  cuda::unmark_kernel<<<cuda::blocks_for(count), cuda::query_threads, 0, context.stream()>>>(
      sorted.keys, count, values.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
}

std::uint64_t run_last(cuda_engine& engine, const cuda_array<std::uint64_t>& values) {
  std::uint64_t last = 0;
  TENDRIL_CUDA_CHECK(cudaMemcpyAsync(&last, values.data() + values.size() - 1, sizeof last,
                                     cudaMemcpyDeviceToHost, engine.stream()));
  engine.context().synchronize();
  return last;
}

}  // namespace tendril
