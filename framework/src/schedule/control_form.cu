#include <map>
#include <mutex>

#include "tendril/cuda/memory.hpp"
#include "tendril/schedule/device/hardware_control.cuh"
#include "tendril/schedule/workspace.hpp"

namespace tendril::schedule {

namespace {

struct forms {
  bool of_blocks;
  bool of_clusters;
};

/// One thread: only the code that the driver chose knows what it was compiled for.
__global__ void forms_kernel(forms* out) {
  *out = {device::has_hardware_control<device::block_unit>(),
          device::has_hardware_control<device::cluster_unit>()};
}

forms ask_device() {
  const cuda::stream stream;
  const cuda::device_buffer<forms> out(1, stream.get());
  forms_kernel<<<1, 1, 0, stream.get()>>>(out.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  return cuda::to_host(out, stream.get()).front();
}

}  // namespace

std::string control_form(std::uint32_t cluster) {
  static std::mutex guard;
  static std::map<int, forms> known;
  int device = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard lock(guard);
  auto found = known.find(device);
  if (found == known.end()) {
    found = known.emplace(device, ask_device()).first;
  }
  return (cluster == 1 ? found->second.of_blocks : found->second.of_clusters) ? "hardware"
                                                                              : "software";
}

}  // namespace tendril::schedule
