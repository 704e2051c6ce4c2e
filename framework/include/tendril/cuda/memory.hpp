#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tendril/cuda/check.hpp"

// Where device memory comes from, and owners of memory, streams and events. Owners are move only;
// destructors ignore errors, as they must.

namespace tendril::cuda {

/// A source of device memory, stream-ordered. The caller of cuda_engine may bring its own; a
/// query_pool calls it from several threads.
class memory_resource {
 public:
  memory_resource() = default;
  memory_resource(const memory_resource&) = delete;
  memory_resource& operator=(const memory_resource&) = delete;
  virtual ~memory_resource() = default;

  /// Memory for `bytes` > 0, aligned to 256, usable on `stream`.
  /// @throws resource_error with needed and free bytes
  [[nodiscard]] virtual void* allocate(std::size_t bytes, cudaStream_t stream) = 0;
  /// Takes memory back as soon as `stream` has done what was enqueued before. @sync none
  virtual void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept = 0;
  /// Bytes that it could still give.
  [[nodiscard]] virtual std::size_t available_bytes() = 0;
};

/// A pool of one device that keeps what was freed for the next allocation.
class pool_memory final : public memory_resource {
 public:
  /// A new pool on that device. @throws cuda_error
  explicit pool_memory(int device);
  ~pool_memory() override;
  [[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream) override;
  /// See memory_resource.
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override;
  [[nodiscard]] std::size_t available_bytes() override;

 private:
  int device_;
  cudaMemPool_t pool_ = nullptr;
};

/// Gives out at most `budget_bytes` of another resource's memory at a time.
class limited_memory final : public memory_resource {
 public:
  /// Shares the other resource.
  limited_memory(std::shared_ptr<memory_resource> upstream, std::size_t budget_bytes);
  [[nodiscard]] void* allocate(std::size_t bytes, cudaStream_t stream) override;
  /// See memory_resource.
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override;
  [[nodiscard]] std::size_t available_bytes() override;

 private:
  std::shared_ptr<memory_resource> upstream_;
  std::size_t budget_bytes_;
  std::atomic<std::size_t> used_bytes_ = 0;
};

/// The pool that buffers use when they are given no resource: one for each device, kept to the end
/// of the program. @return that of the calling thread's current device
[[nodiscard]] std::shared_ptr<memory_resource> default_memory();

/// Refuses what does not fit, before anything is allocated.
/// @param memory        where it is to come from
/// @param needed_bytes  all that is to be allocated
/// @param what          for the message: "GPU memory for a traversal"
/// @throws resource_error with both numbers unless as much is available
void require_memory(memory_resource& memory, std::size_t needed_bytes, const char* what);

/// Uninitialised device memory, stream-ordered on the stream it was made with.
template <class T>
class device_buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  device_buffer() = default;
  /// Allocates.
  /// @param size    elements; 0 allocates nothing
  /// @param stream  the memory is given back in its order, too
  /// @param memory  null: default_memory()
  /// @throws resource_error with needed and free bytes
  /// @sync  none; usable on `stream`, and elsewhere once that has been waited for
  device_buffer(std::size_t size, cudaStream_t stream,
                std::shared_ptr<memory_resource> memory = nullptr)
      : size_(size), stream_(stream), memory_(std::move(memory)) {
    if (size_ == 0) {
      return;
    }
    if (memory_ == nullptr) {
      memory_ = default_memory();
    }
    data_ = static_cast<T*>(memory_->allocate(size_ * sizeof(T), stream_));
  }
  /// The other is left empty.
  device_buffer(device_buffer&& other) noexcept { swap(other); }
  /// The other is left empty; what was here is given back.
  device_buffer& operator=(device_buffer&& other) noexcept {
    device_buffer(std::move(other)).swap(*this);
    return *this;
  }
  device_buffer(const device_buffer&) = delete;
  device_buffer& operator=(const device_buffer&) = delete;
  ~device_buffer() {
    if (data_ != nullptr) {
      memory_->deallocate(data_, size_ * sizeof(T), stream_);
    }
  }

  /// Device pointer; null where there are no elements.
  [[nodiscard]] T* data() const noexcept { return data_; }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Bytes of the elements.
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }

 private:
  void swap(device_buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
    std::swap(memory_, other.memory_);
  }
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
  std::shared_ptr<memory_resource> memory_;
};

/// Copies host memory into a new device buffer. @sync waits for the copy
template <class T>
[[nodiscard]] device_buffer<T> to_device(std::span<const T> values, cudaStream_t stream,
                                         std::shared_ptr<memory_resource> memory = nullptr) {
  device_buffer<T> buffer(values.size(), stream, std::move(memory));
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

/// Page-locked host memory, for results that are waited for.
template <class T>
class pinned_buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Room for `size` elements, uninitialised. @throws resource_error
  explicit pinned_buffer(std::size_t size) : size_(size) {
    void* pointer = nullptr;
    TENDRIL_CUDA_CHECK(cudaMallocHost(&pointer, size * sizeof(T)));
    data_ = static_cast<T*>(pointer);
  }
  /// The other is left empty.
  pinned_buffer(pinned_buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  pinned_buffer& operator=(pinned_buffer&&) = delete;
  ~pinned_buffer() {
    if (data_ != nullptr) {
      cudaFreeHost(data_);
    }
  }
  /// Host pointer; kernels may use it as well.
  [[nodiscard]] T* data() const noexcept { return data_; }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A non-blocking stream.
class stream {
 public:
  /// On the current device.
  /// @param priority  see cudaDeviceGetStreamPriorityRange; lower numbers are more urgent
  explicit stream(int priority = 0) {
    TENDRIL_CUDA_CHECK(cudaStreamCreateWithPriority(&handle_, cudaStreamNonBlocking, priority));
  }
  /// The other is left without a stream.
  stream(stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  stream& operator=(stream&&) = delete;
  ~stream() {
    if (handle_ != nullptr) {
      cudaStreamDestroy(handle_);
    }
  }
  /// The handle; valid as long as this lives.
  [[nodiscard]] cudaStream_t get() const noexcept { return handle_; }
  /// Waits for all that was enqueued. @throws cuda_error
  void synchronize() const { TENDRIL_CUDA_CHECK(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// A timing event.
class event {
 public:
  /// On the current device, not recorded yet.
  event() { TENDRIL_CUDA_CHECK(cudaEventCreate(&handle_)); }
  /// The other is left without an event.
  event(event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  event& operator=(event&&) = delete;
  ~event() {
    if (handle_ != nullptr) {
      cudaEventDestroy(handle_);
    }
  }
  /// The handle; valid as long as this lives.
  [[nodiscard]] cudaEvent_t get() const noexcept { return handle_; }
  /// Happens when the stream has done what was enqueued before. @sync none
  void record(cudaStream_t on) const { TENDRIL_CUDA_CHECK(cudaEventRecord(handle_, on)); }
  /// Waits until it has happened. @throws cuda_error
  void synchronize() const { TENDRIL_CUDA_CHECK(cudaEventSynchronize(handle_)); }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// An event that a thread waits for asleep, and that takes no time.
class waiting_event {
 public:
  waiting_event() {
    TENDRIL_CUDA_CHECK(
        cudaEventCreateWithFlags(&handle_, cudaEventBlockingSync | cudaEventDisableTiming));
  }
  waiting_event(const waiting_event&) = delete;
  waiting_event& operator=(const waiting_event&) = delete;
  ~waiting_event() { cudaEventDestroy(handle_); }
  /// See event.
  void record(cudaStream_t on) const { TENDRIL_CUDA_CHECK(cudaEventRecord(handle_, on)); }
  /// Waits until it has happened, without a processor. @throws cuda_error
  void synchronize() const { TENDRIL_CUDA_CHECK(cudaEventSynchronize(handle_)); }

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Milliseconds between two recorded events. @sync waits for the later one
[[nodiscard]] float elapsed_ms(const event& from, const event& to);

}  // namespace tendril::cuda
