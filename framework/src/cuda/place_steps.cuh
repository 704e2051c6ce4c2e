#pragma once

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "tendril/cuda/check.hpp"
#include "tendril/cuda/detail/placed_graph.hpp"
#include "tendril/cuda/memory.hpp"

// Steps of place(): what runs on the device once per graph.

namespace tendril::cuda {

/// Where the steps run and take memory from.
struct workplace {
  cudaStream_t stream;
  std::shared_ptr<memory_resource> memory;

  template <class T>
  [[nodiscard]] device_buffer<T> buffer(std::size_t size) const {
    return device_buffer<T>(size, stream, memory);
  }
};

inline constexpr unsigned place_threads = 256;

/// Blocks of a grid-stride kernel over `size` things.
[[nodiscard]] inline unsigned place_blocks(std::uint64_t size) {
  constexpr std::uint64_t most = 8192;
  const std::uint64_t blocks = (size + place_threads - 1) / place_threads;
  return static_cast<unsigned>(blocks < 1 ? 1 : (blocks < most ? blocks : most));
}

[[nodiscard]] __device__ inline std::uint64_t global_thread() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
[[nodiscard]] __device__ inline std::uint64_t global_stride() {
  return static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
}

template <class Position>
__global__ void mark_row_starts(const Position* offsets, std::uint64_t first_row,
                                std::uint64_t num_rows, Position base, vertex_id* rows) {
  for (std::uint64_t i = global_thread(); i < num_rows; i += global_stride()) {
    const Position begin = offsets[first_row + i];
    if (begin != offsets[first_row + i + 1]) {
      rows[begin - base] = static_cast<vertex_id>(i);
    }
  }
}

/// The row of each edge, counted from first_row, of whole rows.
template <class Position>
[[nodiscard]] device_buffer<vertex_id> rows_of_edges(const workplace& at, const Position* offsets,
                                                     std::uint64_t first_row,
                                                     std::uint64_t num_rows, edge_offset base,
                                                     edge_offset num_edges) {
  auto rows = at.buffer<vertex_id>(num_edges);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(rows.data(), 0, rows.size_bytes(), at.stream));
  mark_row_starts<<<place_blocks(num_rows), place_threads, 0, at.stream>>>(
      offsets, first_row, num_rows, static_cast<Position>(base), rows.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  std::size_t bytes = 0;
  const auto size = static_cast<std::int64_t>(num_edges);
  TENDRIL_CUDA_CHECK(cub::DeviceScan::InclusiveScan(nullptr, bytes, rows.data(), rows.data(),
                                                    ::cuda::maximum<vertex_id>{}, size, at.stream));
  const auto temporary = at.buffer<std::byte>(bytes);
  TENDRIL_CUDA_CHECK(cub::DeviceScan::InclusiveScan(temporary.data(), bytes, rows.data(),
                                                    rows.data(), ::cuda::maximum<vertex_id>{}, size,
                                                    at.stream));
  return rows;
}

template <class T>
[[nodiscard]] T fetch(const device_buffer<T>& one, cudaStream_t stream) {
  return to_host(one, stream).front();
}

/// Keys with the positions they came from; sorts stably.
template <class Key, class Position>
class position_sort {
 public:
  position_sort(const workplace& at, std::size_t capacity)
      : at_(at),
        keys_{at.buffer<Key>(capacity), at.buffer<Key>(capacity)},
        positions_{at.buffer<Position>(capacity), at.buffer<Position>(capacity)},
        key_pair_(keys_[0].data(), keys_[1].data()),
        position_pair_(positions_[0].data(), positions_[1].data()) {}

  /// Most bytes that it holds, sorting as many keys. CUB's own scratch, digits counted per tile of
  /// some thousand keys, takes less than a quarter of a byte a key and 16 KiB.
  [[nodiscard]] static std::size_t bytes(std::size_t capacity) {
    return capacity * 2 * (sizeof(Key) + sizeof(Position)) + capacity / 4 + 16384;
  }

  /// To be written before sort().
  [[nodiscard]] Key* keys() { return key_pair_.Current(); }
  [[nodiscard]] Position* positions() { return position_pair_.Current(); }

  void sort(std::size_t size, int key_bits) {
    std::size_t bytes = 0;
    const auto count = static_cast<std::int64_t>(size);
    TENDRIL_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, key_pair_, position_pair_,
                                                       count, 0, key_bits, at_.stream));
    if (bytes > temporary_.size()) {
      temporary_ = at_.buffer<std::byte>(bytes);
    }
    TENDRIL_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
        temporary_.data(), bytes, key_pair_, position_pair_, count, 0, key_bits, at_.stream));
  }

 private:
  const workplace& at_;
  device_buffer<Key> keys_[2];
  device_buffer<Position> positions_[2];
  cub::DoubleBuffer<Key> key_pair_;
  cub::DoubleBuffer<Position> position_pair_;
  device_buffer<std::byte> temporary_;
};

}  // namespace tendril::cuda
