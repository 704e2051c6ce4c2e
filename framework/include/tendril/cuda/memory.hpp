#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tendril/cuda/check.hpp"

// Owners of device memory, streams and events. Move only; destructors ignore errors, as they must.

namespace tendril::cuda {

/// Uninitialised device memory, stream-ordered on the stream it was made with.
template <class T>
class device_buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  device_buffer() = default;
  /// @param size  elements; 0 allocates nothing
  /// @throws resource_error with needed and free bytes
  /// @sync  none; usable on `stream`, and elsewhere once that has been waited for
  device_buffer(std::size_t size, cudaStream_t stream);
  device_buffer(device_buffer&& other) noexcept { swap(other); }
  device_buffer& operator=(device_buffer&& other) noexcept {
    device_buffer(std::move(other)).swap(*this);
    return *this;
  }
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;
  ~device_buffer() {
    if (data_ != nullptr) {
      cudaFreeAsync(data_, stream_);
    }
  }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  void swap(device_buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Allocates bytes on the stream, or throws resource_error with needed and free bytes.
[[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream);

template <class T>
device_buffer<T>::device_buffer(std::size_t size, cudaStream_t stream)
    : data_(size == 0 ? nullptr : static_cast<T*>(allocate(size * sizeof(T), stream))),
      size_(size),
      stream_(stream) {}

/// Copies host memory into a new device buffer. @sync waits for the copy
template <class T>
[[nodiscard]] device_buffer<T> to_device(std::span<const T> values, cudaStream_t stream) {
  device_buffer<T> buffer(values.size(), stream);
  if (!values.empty()) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(buffer.data(), values.data(), values.size_bytes(),
                                       cudaMemcpyHostToDevice, stream));
    TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  return buffer;
}

/// Copies a device buffer to the host. @sync waits for the stream
template <class T>
[[nodiscard]] std::vector<T> to_host(const device_buffer<T>& buffer, cudaStream_t stream) {
  std::vector<T> values(buffer.size());
  if (!values.empty()) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(values.data(), buffer.data(), values.size() * sizeof(T),
                                       cudaMemcpyDeviceToHost, stream));
  }
  TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream));
  return values;
}

/// A non-blocking stream.
class stream {
 public:
  /// @param priority  see cudaDeviceGetStreamPriorityRange; lower numbers are more urgent
  explicit stream(int priority = 0) {
    TENDRIL_CUDA_CHECK(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking, priority));
  }
  stream(stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  stream& operator=(stream&&) = delete;
  ~stream() {
    if (handle_ != nullptr) {
      cudaStreamDestroy(handle_);
    }
  }
  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }
  void synchronize() const { TENDRIL_CUDA_CHECK(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// A timing event.
class event {
 public:
  event() { TENDRIL_CUDA_CHECK(cudaEventCreate(&handle_)); }
  event(event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  event& operator=(event&&) = delete;
  ~event() {
    if (handle_ != nullptr) {
      cudaEventDestroy(handle_);
    }
  }
  [[nodiscard]] cudaEvent_t get() const noexcept { return handle_; }
  void record(cudaStream_t on) const { TENDRIL_CUDA_CHECK(cudaEventRecord(handle_, on)); }
  void synchronize() const { TENDRIL_CUDA_CHECK(cudaEventSynchronize(handle_)); }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Milliseconds between two recorded events. @sync waits for the later one
[[nodiscard]] float elapsed_ms(const event& from, const event& to);

}  // namespace tendril::cuda
