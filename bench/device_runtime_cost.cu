// What the device runtime costs kernels that do not use it. This source makes two programs, one
// with a kernel that launches and so the device runtime (TENDRIL_DEVICE_RUNTIME), one without; they
// time the same kernels: runtime:WITH/KERNEL. context_bytes is device memory in use before any is
// allocated, other programs' included.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tendril/cuda/memory.hpp"

namespace {

using tendril::cuda::device_buffer;

constexpr int num_runs = 51;
constexpr unsigned num_values = 1U << 26U;
constexpr unsigned threads = 256;

__global__ void scale_and_add(const float4* x, float4* y, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    const float4 a = x[i];
    float4 b = y[i];
    b.x += 2 * a.x;
    b.y += 2 * a.y;
    b.z += 2 * a.z;
    b.w += 2 * a.w;
    y[i] = b;
  }
}

__global__ void compute(float* y, int steps) {
  float value = static_cast<float>(threadIdx.x);
  for (int i = 0; i < steps; ++i) {
    value = value * 1.0001F + 0.5F;
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void tiny(const float* y, float* out) {
  if (y[0] == 12345) {
    *out = 1;
  }
}

#if defined(TENDRIL_DEVICE_RUNTIME)
constexpr const char* program = "runtime:linked/";
__global__ void child(float* out) {
  *out = 1;
}
__global__ void parent(float* out, int* error) {
  child<<<1, 1, 0, cudaStreamFireAndForget>>>(out);
  *error = cudaGetLastError();
}
void launch_from_device(float* out) {
  device_buffer<int> error(1, nullptr);
  parent<<<1, 1>>>(out, error.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  TENDRIL_CUDA_CHECK(static_cast<cudaError_t>(tendril::cuda::to_host(error, nullptr).front()));
}
#else
constexpr const char* program = "runtime:none/";
void launch_from_device(float* /*out*/) {}
#endif

template <class Launch>
void measure(const std::string& name, std::size_t context_bytes, const Launch& launch) {
  benchmark::RegisterBenchmark((program + name).c_str(),
                               [=](benchmark::State& state) {
                                 const tendril::cuda::event before;
                                 const tendril::cuda::event after;
                                 std::vector<float> us;
                                 for (auto iteration : state) {
                                   static_cast<void>(iteration);
                                   before.record(nullptr);
                                   launch();
                                   TENDRIL_CUDA_CHECK_LAUNCH();
                                   after.record(nullptr);
                                   us.push_back(tendril::cuda::elapsed_ms(before, after) * 1000);
                                   state.SetIterationTime(us.back() / 1e6);
                                 }
                                 std::nth_element(us.begin(), us.begin() + num_runs / 2, us.end());
                                 state.counters["median_us"] = us[num_runs / 2];
                                 state.counters["context_bytes"] =
                                     static_cast<double>(context_bytes);
                               })
      ->Iterations(num_runs)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  tiny<<<0, 1>>>(nullptr, nullptr);  // refused, and loads the module
  cudaGetLastError();
  TENDRIL_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const std::size_t used = total_bytes - free_bytes;
  const device_buffer<float4> x(num_values / 4, nullptr);
  const device_buffer<float4> y(num_values / 4, nullptr);
  TENDRIL_CUDA_CHECK(cudaMemset(x.data(), 0, x.size_bytes()));
  TENDRIL_CUDA_CHECK(cudaMemset(y.data(), 0, y.size_bytes()));
  auto* const out = reinterpret_cast<float*>(y.data());
  launch_from_device(out);
  measure("scale-and-add", used, [&x, &y] {
    scale_and_add<<<num_values / 4 / threads, threads>>>(x.data(), y.data(), num_values / 4);
  });
  measure("compute", used, [out] { compute<<<1056, threads>>>(out, 20000); });
  measure("million-tiny-blocks", used, [out] { tiny<<<1U << 20U, 64>>>(out, out); });
  measure("thousand-launches", used, [out] {
    for (int i = 0; i < 1000; ++i) {
      tiny<<<1, 32>>>(out, out);
    }
  });
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
