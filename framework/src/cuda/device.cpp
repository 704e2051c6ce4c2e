#include "tendril/cuda/device.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>

#include "tendril/core/error.hpp"
#include "tendril/cuda/check.hpp"
#include "tendril/cuda/connections.hpp"

namespace tendril {

namespace {

constexpr int oldest_capability = 90;
constexpr int launch_control_capability = 100;

std::string describe(cudaError_t code) {
  return std::string(cudaGetErrorName(code)) + " (" + std::to_string(static_cast<int>(code)) +
         "): " + cudaGetErrorString(code);
}

/// What CUDA says of a device. Creates its context: a device that fails at that is not usable.
cudaError_t inspect(int id, cuda_device& device) {
  cudaDeviceProp properties{};
  cudaError_t code = cudaGetDeviceProperties(&properties, id);
  if (code != cudaSuccess) {
    return code;
  }
  device.id = id;
  device.name = properties.name;
  device.compute_capability = 10 * properties.major + properties.minor;
  device.num_multiprocessors = properties.multiProcessorCount;
  device.shared_bytes = properties.sharedMemPerBlockOptin;
  device.cooperative = properties.cooperativeLaunch != 0;
  device.clusters = properties.clusterLaunch != 0;
  device.launch_control = device.compute_capability >= launch_control_capability;
  device.child_grids = true;
  int before = 0;
  if ((code = cudaGetDevice(&before)) != cudaSuccess || (code = cudaSetDevice(id)) != cudaSuccess) {
    return code;
  }
  code = cudaMemGetInfo(&device.free_bytes, &device.memory_bytes);
  const cudaError_t restored = cudaSetDevice(before);
  return code != cudaSuccess ? code : restored;
}

}  // namespace

cuda_devices find_cuda_devices() {
  connect_cuda();
  cuda_devices found;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) {
    cudaGetLastError();
    found.reason = "no GPU: " + describe(code);
    return found;
  }
  for (int id = 0; id < count; ++id) {
    cuda_device device;
    const cudaError_t inspected = inspect(id, device);
    if (inspected != cudaSuccess) {
      cudaGetLastError();
      found.unusable.push_back({id, describe(inspected)});
    } else if (device.compute_capability < oldest_capability) {
      found.unusable.push_back({id, device.name + " has compute capability " +
                                        std::to_string(device.compute_capability) + ", needed " +
                                        std::to_string(oldest_capability)});
    } else {
      found.usable.push_back(device);
    }
  }
  if (found.usable.empty()) {
    found.reason = "no usable GPU";
    for (const unusable_cuda_device& each : found.unusable) {
      found.reason += "; device " + std::to_string(each.id) + ": " + each.reason;
    }
    found.reason += count == 0 ? "; CUDA sees no device" : "";
  }
  return found;
}

cuda_device choose_cuda_device(std::optional<int> id) {
  const cuda_devices found = find_cuda_devices();
  if (found.usable.empty()) {
    throw resource_error(found.reason);
  }
  if (!id) {
    return *std::max_element(found.usable.begin(), found.usable.end(),
                             [](const cuda_device& a, const cuda_device& b) {
                               return a.num_multiprocessors < b.num_multiprocessors;
                             });
  }
  const auto device = std::find_if(found.usable.begin(), found.usable.end(),
                                   [&](const cuda_device& d) { return d.id == *id; });
  if (device == found.usable.end()) {
    std::string usable;
    for (const cuda_device& d : found.usable) {
      usable += (usable.empty() ? "" : ", ") + std::to_string(d.id);
    }
    for (const unusable_cuda_device& each : found.unusable) {
      if (each.id == *id) {
        throw resource_error("GPU " + std::to_string(*id) + " is not usable: " + each.reason);
      }
    }
    throw resource_error("GPU " + std::to_string(*id) + " is not usable here; usable: " + usable);
  }
  return *device;
}

}  // namespace tendril
