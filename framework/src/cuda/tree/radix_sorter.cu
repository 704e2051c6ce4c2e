#include <cub/device/device_radix_sort.cuh>

#include "cuda/tree/key_sorter.hpp"
#include "tendril/cuda/check.hpp"

namespace tendril::cuda {

namespace {

template <class Key>
keyed_rows<Key> radix_sort(cudaStream_t stream, keyed_rows<Key> from, keyed_rows<Key> other,
                           point_id count, int max_depth, void* scratch, std::size_t& bytes) {
  cub::DoubleBuffer<Key> keys(from.keys, other.keys);
  cub::DoubleBuffer<point_id> rows(from.rows, other.rows);
  TENDRIL_CUDA_CHECK(
      cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, rows, count, 0, 2 * max_depth, stream));
  return {keys.Current(), rows.Current()};
}

}  // namespace

std::size_t radix_sorter::scratch_bytes(const engine_context& context, point_id count,
                                        int max_depth) {
  std::size_t bytes = 0;
  if (max_depth <= 16) {
    radix_sort<std::uint32_t>(context.stream(), {}, {}, count, max_depth, nullptr, bytes);
  } else {
    radix_sort<std::uint64_t>(context.stream(), {}, {}, count, max_depth, nullptr, bytes);
  }
  return bytes;
}

keyed_rows<std::uint32_t> radix_sorter::sort(engine_context& context,
                                             keyed_rows<std::uint32_t> from,
                                             keyed_rows<std::uint32_t> other, point_id count,
                                             int max_depth, std::byte* scratch) {
  std::size_t bytes = scratch_bytes(context, count, max_depth);
  return radix_sort(context.stream(), from, other, count, max_depth, scratch, bytes);
}

keyed_rows<std::uint64_t> radix_sorter::sort(engine_context& context,
                                             keyed_rows<std::uint64_t> from,
                                             keyed_rows<std::uint64_t> other, point_id count,
                                             int max_depth, std::byte* scratch) {
  std::size_t bytes = scratch_bytes(context, count, max_depth);
  return radix_sort(context.stream(), from, other, count, max_depth, scratch, bytes);
}

}  // namespace tendril::cuda
