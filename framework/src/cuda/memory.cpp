#include "tendril/cuda/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "tendril/core/error.hpp"

namespace tendril::cuda {

namespace {

[[noreturn]] void refuse(const std::string& what, std::size_t needed, std::size_t available) {
  throw resource_error(what + ": needed " + std::to_string(needed) + " bytes, free " +
                       std::to_string(available));
}

}  // namespace

pool_memory::pool_memory(int device) : device_(device) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  TENDRIL_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
  std::uint64_t keep_all = std::numeric_limits<std::uint64_t>::max();
  TENDRIL_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all));
}

pool_memory::~pool_memory() {
  cudaMemPoolDestroy(pool_);
}

void* pool_memory::allocate(std::size_t bytes, cudaStream_t stream) {
  void* pointer = nullptr;
  const cudaError_t code = cudaMallocFromPoolAsync(&pointer, bytes, pool_, stream);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    refuse("GPU memory", bytes, available_bytes());
  }
  TENDRIL_CUDA_CHECK(code);
  return pointer;
}

void pool_memory::deallocate(void* pointer, std::size_t /*bytes*/, cudaStream_t stream) noexcept {
  cudaFreeAsync(pointer, stream);
}

std::size_t pool_memory::available_bytes() {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  int current = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&current));
  TENDRIL_CUDA_CHECK(cudaSetDevice(device_));
  const cudaError_t code = cudaMemGetInfo(&free_bytes, &total_bytes);
  TENDRIL_CUDA_CHECK(cudaSetDevice(current));
  TENDRIL_CUDA_CHECK(code);
  std::uint64_t reserved = 0;
  std::uint64_t used = 0;
  TENDRIL_CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved));
  TENDRIL_CUDA_CHECK(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used));
  return free_bytes + static_cast<std::size_t>(reserved - used);
}

limited_memory::limited_memory(std::shared_ptr<memory_resource> upstream, std::size_t budget_bytes)
    : upstream_(std::move(upstream)), budget_bytes_(budget_bytes) {}

void* limited_memory::allocate(std::size_t bytes, cudaStream_t stream) {
  std::size_t used = used_bytes_;
  do {  // what does not fit is never counted: another thread might be refused for it
    if (bytes > budget_bytes_ - used) {
      refuse("GPU memory within the budget of " + std::to_string(budget_bytes_) + " bytes", bytes,
             budget_bytes_ - used);
    }
  } while (!used_bytes_.compare_exchange_weak(used, used + bytes));
  try {
    return upstream_->allocate(bytes, stream);
  } catch (...) {
    used_bytes_ -= bytes;
    throw;
  }
}

void limited_memory::deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept {
  used_bytes_ -= bytes;
  upstream_->deallocate(pointer, bytes, stream);
}

std::size_t limited_memory::available_bytes() {
  return std::min(budget_bytes_ - used_bytes_, upstream_->available_bytes());
}

std::shared_ptr<memory_resource> default_memory() {
  int device = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&device));
  static std::mutex one_at_a_time;
  static std::map<int, std::shared_ptr<pool_memory>> pools;
  const std::lock_guard lock(one_at_a_time);
  auto& pool = pools[device];
  if (pool == nullptr) {
    pool = std::make_shared<pool_memory>(device);
  }
  return pool;
}

void require_memory(memory_resource& memory, std::size_t needed_bytes, const char* what) {
  const std::size_t available = memory.available_bytes();
  if (needed_bytes > available) {
    refuse(what, needed_bytes, available);
  }
}

}  // namespace tendril::cuda
