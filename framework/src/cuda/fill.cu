#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tendril/cuda/detail/context.hpp"

namespace tendril::cuda {

namespace {

constexpr int fill_threads = 256;
constexpr std::size_t fill_blocks = 2048;

struct alignas(16) quad {
  std::uint64_t low;
  std::uint64_t high;
};

template <class T>
__global__ void fill_kernel(T* destination, T value, std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    destination[i] = value;
  }
}

template <class T>
void fill_as(void* destination, const void* value, std::size_t count, cudaStream_t stream) {
  T typed;
  std::memcpy(&typed, value, sizeof(T));
  const std::size_t blocks = std::min(fill_blocks, (count + fill_threads - 1) / fill_threads);
  fill_kernel<<<static_cast<unsigned>(blocks), fill_threads, 0, stream>>>(
      static_cast<T*>(destination), typed, count);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

/// A value of any number of words.
struct pattern {
  static constexpr std::size_t most_words = 16;
  std::uint32_t words[most_words];
};

__global__ void pattern_kernel(std::uint32_t* destination, pattern value, unsigned num_words,
                               std::size_t count) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    destination[i] = value.words[i % num_words];
  }
}

void fill_pattern(void* destination, const void* value, std::size_t value_bytes, std::size_t count,
                  cudaStream_t stream) {
  pattern words;
  std::memcpy(words.words, value, value_bytes);
  const auto num_words = static_cast<unsigned>(value_bytes / sizeof(std::uint32_t));
  const std::size_t all = count * num_words;
  const std::size_t blocks = std::min(fill_blocks, (all + fill_threads - 1) / fill_threads);
  pattern_kernel<<<static_cast<unsigned>(blocks), fill_threads, 0, stream>>>(
      static_cast<std::uint32_t*>(destination), words, num_words, all);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

}  // namespace

void fill_device(void* destination, const void* value, std::size_t value_bytes, std::size_t count,
                 cudaStream_t stream) {
  if (count == 0) {
    return;
  }
  switch (value_bytes) {
    case 1:
      return fill_as<std::uint8_t>(destination, value, count, stream);
    case 2:
      return fill_as<std::uint16_t>(destination, value, count, stream);
    case 4:
      if (count % 4 == 0) {  // whole 16-byte stores; the allocation is aligned to 256
        std::uint32_t word;
        std::memcpy(&word, value, sizeof word);
        const std::uint64_t pair = word | static_cast<std::uint64_t>(word) << 32U;
        const quad four{pair, pair};
        return fill_as<quad>(destination, &four, count / 4, stream);
      }
      return fill_as<std::uint32_t>(destination, value, count, stream);
    case 8:
      return fill_as<std::uint64_t>(destination, value, count, stream);
    case 16:
      return fill_as<quad>(destination, value, count, stream);
    default:
      return fill_pattern(destination, value, value_bytes, count, stream);
  }
}

}  // namespace tendril::cuda
