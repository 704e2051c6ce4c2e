#include "tendril/cuda/overlap.hpp"

#include <chrono>
#include <limits>

#include "tendril/cuda/detail/kernel_types.cuh"
#include "tendril/cuda/device.hpp"
#include "tendril/cuda/memory.hpp"

namespace tendril {

namespace {

/// What a kernel noted of itself.
struct spin_note {
  std::uint64_t clocks;
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

/// One thread that watches its multiprocessor's clock: takes next to nothing of the GPU.
__global__ void spin_clocks(std::uint64_t clocks, spin_note* note) {
  const std::uint64_t begin_ns = cuda::nanoseconds();
  const auto begin = static_cast<std::uint64_t>(clock64());
  std::uint64_t passed = 0;
  while (passed < clocks) {
    passed = static_cast<std::uint64_t>(clock64()) - begin;
  }
  *note = {passed, begin_ns, cuda::nanoseconds()};
}

constexpr std::size_t copy_bytes = std::size_t{16} << 20U;
constexpr int runs_alone = 5;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Makes a device current, and names the clocks of a kernel of that length.
std::uint64_t clocks_of(const cuda_device& device, double kernel_ms) {
  int clock_khz = 0;
  TENDRIL_CUDA_CHECK(cudaSetDevice(device.id));
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device.id));
  return static_cast<std::uint64_t>(kernel_ms * clock_khz);
}

}  // namespace

struct overlap_yardstick::state {
  state(std::optional<int> id, std::size_t most_streams, double wanted_ms)
      : device(choose_cuda_device(id)),
        clocks(clocks_of(device, wanted_ms)),
        streams(most_streams),
        notes(2 * most_streams, streams.front().get()),
        copied(copy_bytes, streams.front().get()),
        source(copy_bytes) {
    std::fill_n(source.data(), copy_bytes, std::byte{1});
    std::vector<double> kernels;
    std::vector<double> copies;
    const cudaStream_t stream = streams.front().get();
    for (int run = 0; run <= runs_alone; ++run) {  // the first one loads the kernel
      const cuda::event begun;
      const cuda::event between;
      const cuda::event ended;
      begun.record(stream);
      start_kernel(0, 0);
      between.record(stream);
      start_copy(0);
      ended.record(stream);
      if (const double copy = cuda::elapsed_ms(between, ended); run > 0) {
        kernels.push_back(cuda::elapsed_ms(begun, between));
        copies.push_back(copy);
      }
    }
    kernel_ms = median(kernels);
    copy_ms = median(copies);
  }

  /// @param piece  of the stream's work: 0 or 1
  void start_kernel(std::size_t stream, std::size_t piece) {
    spin_clocks<<<1, 1, 0, streams[stream].get()>>>(clocks, notes.data() + 2 * stream + piece);
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  void start_copy(std::size_t stream) {
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(copied.data(), source.data(), copy_bytes,
                                       cudaMemcpyHostToDevice, streams[stream].get()));
  }
  void start(std::size_t stream, std::size_t piece, stream_work work) {
    if (piece == 0 && work == stream_work::copy_then_kernel) {
      start_copy(stream);
    } else {
      start_kernel(stream, piece);
    }
  }

  /// @return milliseconds until all is done
  double run(std::size_t num_streams, stream_work work, submission order) {
    TENDRIL_CUDA_CHECK(cudaSetDevice(device.id));
    TENDRIL_CUDA_CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < 2 * num_streams; ++i) {
      if (order == submission::depth_first) {
        start(i / 2, i % 2, work);
      } else {
        start(i % num_streams, i / num_streams, work);
      }
    }
    TENDRIL_CUDA_CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  }

  /// Adds what the kernels of the last run noted.
  void note(std::size_t num_streams, stream_work work, measured_overlap& found) const {
    stretches times;
    const std::vector<spin_note> all = cuda::to_host(notes, streams.front().get());
    for (std::size_t i = 0; i < 2 * num_streams; ++i) {
      if (i % 2 == 1 || work == stream_work::two_kernels) {
        times.emplace_back(all[i].begin_ns, all[i].end_ns);
        found.least_clocks = std::min(found.least_clocks, all[i].clocks);
      }
    }
    found.at_once = std::max(found.at_once, most_at_once(times));
  }

  cuda_device device;
  std::uint64_t clocks;
  std::vector<cuda::stream> streams;
  cuda::device_buffer<spin_note> notes;  ///< [most_streams][2]
  cuda::device_buffer<std::byte> copied;
  cuda::pinned_buffer<std::byte> source;
  double kernel_ms = 0;
  double copy_ms = 0;
};

overlap_yardstick::overlap_yardstick(std::optional<int> device, std::size_t most_streams,
                                     double kernel_ms)
    : state_(std::make_unique<state>(device, most_streams, kernel_ms)) {}
overlap_yardstick::overlap_yardstick(overlap_yardstick&&) noexcept = default;
overlap_yardstick::~overlap_yardstick() = default;

const std::string& overlap_yardstick::device_name() const noexcept {
  return state_->device.name;
}
std::uint64_t overlap_yardstick::asked_clocks() const noexcept {
  return state_->clocks;
}
double overlap_yardstick::kernel_ms() const noexcept {
  return state_->kernel_ms;
}
double overlap_yardstick::copy_ms() const noexcept {
  return state_->copy_ms;
}

measured_overlap overlap_yardstick::measure(std::size_t num_streams, stream_work work,
                                            submission order, int runs) {
  measured_overlap found;
  found.least_clocks = std::numeric_limits<std::uint64_t>::max();
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    times.push_back(state_->run(num_streams, work, order));
    state_->note(num_streams, work, found);
  }
  found.ms = median(times);
  return found;
}

}  // namespace tendril
