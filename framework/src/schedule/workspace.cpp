#include "tendril/schedule/workspace.hpp"

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/kernel_setup.hpp"

namespace tendril::schedule {

namespace {

/// A cluster launch as the runtime wants it. Not copyable: the configuration points into it.
struct configuration {
  configuration(const block_launch& shape, cudaStream_t stream) {
    launch.gridDim = dim3(static_cast<unsigned>(shape.blocks));
    launch.blockDim = dim3(shape.threads);
    launch.dynamicSmemBytes = shape.shared_bytes;
    launch.stream = stream;
    if (shape.cluster > 1) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim = {shape.cluster, 1, 1};
      launch.attrs = &attribute;
      launch.numAttrs = 1;
    }
  }
  configuration(const configuration&) = delete;
  configuration& operator=(const configuration&) = delete;

  cudaLaunchConfig_t launch{};
  cudaLaunchAttribute attribute{};
};

int device_attribute(cudaDeviceAttr which) {
  int device = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&device));
  int value = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

void check_threads(const cudaFuncAttributes& attributes, unsigned threads) {
  if (threads == 0) {
    throw usage_error("a block needs at least one thread");
  }
  if (threads > static_cast<unsigned>(attributes.maxThreadsPerBlock)) {
    throw resource_error("a block of " + std::to_string(threads) + " threads: this kernel takes " +
                         std::to_string(attributes.maxThreadsPerBlock) + " at most, with " +
                         std::to_string(attributes.numRegs) + " registers each");
  }
}

void check_shared_memory(const void* kernel, const cudaFuncAttributes& attributes,
                         std::size_t shared_bytes) {
  const auto most =
      static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const std::size_t needed = shared_bytes + attributes.sharedSizeBytes;
  if (needed > most) {
    throw resource_error("shared memory of a block: needed " + std::to_string(needed) +
                         " bytes, the device has " + std::to_string(most));
  }
  if (shared_bytes > static_cast<std::size_t>(attributes.maxDynamicSharedSizeBytes)) {
    cuda::allow_shared_memory(kernel, most - attributes.sharedSizeBytes);
  }
}

int resident_clusters(block_launch shape, std::uint32_t cluster) {
  shape.cluster = cluster;
  shape.blocks = cluster;
  const configuration config(shape, nullptr);
  int clusters = 0;
  TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, shape.kernel, &config.launch));
  return clusters;
}

std::uint32_t resident_units(const block_launch& shape) {
  if (shape.cluster == 1) {
    int per_processor = 0;
    TENDRIL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &per_processor, shape.kernel, static_cast<int>(shape.threads), shape.shared_bytes));
    return static_cast<std::uint32_t>(per_processor) *
           static_cast<std::uint32_t>(device_attribute(cudaDevAttrMultiProcessorCount));
  }
  std::uint32_t most = 1;
  if (device_attribute(cudaDevAttrClusterLaunch) != 0) {
    if (const int clusters = resident_clusters(shape, shape.cluster); clusters > 0) {
      return static_cast<std::uint32_t>(clusters);
    }
    while (most * 2 < shape.cluster && resident_clusters(shape, most * 2) > 0) {
      most *= 2;
    }
  }
  throw resource_error("a cluster of " + std::to_string(shape.cluster) + " blocks of " +
                       std::to_string(shape.threads) + " threads and " +
                       std::to_string(shape.shared_bytes) +
                       " bytes of shared memory: the device holds clusters of " +
                       std::to_string(most) + " such blocks at most");
}

}  // namespace

struct workspace::state {
  cudaStream_t stream = nullptr;
  std::shared_ptr<cuda::memory_resource> memory;
  std::uint32_t epoch = 0;
  bool has_failed_launch = false;                 // the last
  cuda::device_buffer<launch_counters> counters;  // of even and odd epochs
  cuda::device_buffer<std::uint32_t> yield;       // one
  cuda::device_buffer<std::uint32_t> claims;
  /// The two values of the yield flag, where an asynchronous copy can read them: no, yes.
  cuda::pinned_buffer<std::uint32_t> flags = cuda::pinned_buffer<std::uint32_t>(2);
  std::map<std::tuple<const void*, unsigned, std::size_t, std::uint32_t>, kernel_facts> facts;

  template <class T>
  void clear(const cuda::device_buffer<T>& buffer) const {
    if (buffer.size() != 0) {
      TENDRIL_CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream));
    }
  }
  void set_yield(std::size_t value, cudaStream_t on) const {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(yield.data(), flags.data() + value, sizeof(std::uint32_t),
                                       cudaMemcpyHostToDevice, on));
  }
};

workspace::workspace(cudaStream_t stream, std::uint32_t first_epoch,
                     std::shared_ptr<cuda::memory_resource> memory)
    : state_(std::make_unique<state>()) {
  state_->stream = stream;
  state_->memory = std::move(memory);
  state_->epoch = first_epoch;
  state_->counters = cuda::device_buffer<launch_counters>(2, stream, state_->memory);
  state_->yield = cuda::device_buffer<std::uint32_t>(1, stream, state_->memory);
  state_->flags.data()[0] = 0;
  state_->flags.data()[1] = 1;
  state_->clear(state_->counters);
  state_->clear(state_->yield);
  TENDRIL_CUDA_CHECK(cudaStreamSynchronize(stream));
}

workspace::workspace(workspace&&) noexcept = default;
workspace& workspace::operator=(workspace&&) noexcept = default;
workspace::~workspace() = default;

cudaStream_t workspace::stream() const noexcept {
  return state_->stream;
}
void workspace::raise_yield(cudaStream_t on) {
  state_->set_yield(1, on);
}
void workspace::lower_yield(cudaStream_t on) {
  state_->set_yield(0, on);
}

launch_memory workspace::begin_launch(std::uint32_t units) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  TENDRIL_CUDA_CHECK(cudaStreamIsCapturing(state_->stream, &capture));
  if (capture != cudaStreamCaptureStatusNone) {
    throw usage_error(
        "a launch with tickets or launch control cannot be captured into a graph: each run needs "
        "an epoch of its own");
  }
  if (units > state_->claims.size()) {
    state_->claims = cuda::device_buffer<std::uint32_t>(units, state_->stream, state_->memory);
    state_->clear(state_->claims);
  }
  if (std::exchange(state_->has_failed_launch, false)) {
    state_->clear(state_->counters);
  }
  if (++state_->epoch > last_epoch) {  // they start over: no word may remember the last round
    state_->clear(state_->claims);
    state_->clear(state_->counters);
    state_->epoch = 1;
  }
  launch_counters* counters = state_->counters.data();
  const std::uint32_t odd = state_->epoch % 2;
  return {state_->claims.data(), counters + odd, counters + (1 - odd), state_->yield.data(),
          state_->epoch};
}

void workspace::note_failed_launch() noexcept {
  state_->has_failed_launch = true;
}

const kernel_facts& workspace::facts_of(const void* kernel, unsigned threads,
                                        std::size_t shared_bytes, std::uint32_t cluster) {
  const auto key = std::make_tuple(kernel, threads, shared_bytes, cluster);
  if (const auto known = state_->facts.find(key); known != state_->facts.end()) {
    return known->second;
  }
  cudaFuncAttributes attributes{};
  TENDRIL_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  check_threads(attributes, threads);
  check_shared_memory(kernel, attributes, shared_bytes);
  const kernel_facts facts{attributes.numRegs,
                           resident_units({kernel, 0, threads, shared_bytes, cluster})};
  return state_->facts.emplace(key, facts).first->second;
}

void launch_blocks(const block_launch& shape, void** arguments, cudaStream_t stream) {
  constexpr std::uint64_t most = 0x7fffffffu;
  if (shape.blocks > most) {
    throw resource_error("a launch has at most " + std::to_string(most) + " blocks, not " +
                         std::to_string(shape.blocks));
  }
  const configuration config(shape, stream);
  TENDRIL_CUDA_CHECK(cudaLaunchKernelExC(&config.launch, shape.kernel, arguments));
}

}  // namespace tendril::schedule
