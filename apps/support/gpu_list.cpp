#include "support/gpu_list.hpp"

#include "support/engine.hpp"
#include "support/report.hpp"
#include "support/report_json.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

/// 90 -> "9.0"
std::string capability_text(int capability) {
  return std::to_string(capability / 10) + '.' + std::to_string(capability % 10);
}

std::string abilities_text(const cuda_device& gpu) {
  const auto word = [](bool can) { return can ? "yes" : "no"; };
  return std::string("cooperative launch: ") + word(gpu.cooperative) +
         "; clusters: " + word(gpu.clusters) +
         "; launch control: " + (gpu.launch_control ? "yes" : "in software") +
         "; child grids: " + word(gpu.child_grids);
}

}  // namespace

std::string to_text(const cuda_devices& gpus) {
  if (gpus.usable.empty()) {
    return gpus.reason + '\n';
  }
  std::string text;
  for (const cuda_device& gpu : gpus.usable) {
    text += report_line("GPU " + std::to_string(gpu.id),
                        gpu.name + ", compute capability " +
                            capability_text(gpu.compute_capability) + ", " +
                            counted(static_cast<std::uint64_t>(gpu.num_multiprocessors),
                                    "multiprocessor", "multiprocessors")) +
            report_line("memory", binary_bytes(gpu.memory_bytes) + ", " +
                                      binary_bytes(gpu.free_bytes) + " of it free; " +
                                      binary_bytes(gpu.shared_bytes) + " shared in a block") +
            report_line("can do", abilities_text(gpu));
  }
  for (const unusable_cuda_device& gpu : gpus.unusable) {
    text += report_line("GPU " + std::to_string(gpu.id), "not usable: " + gpu.reason);
  }
  return text;
}

std::string to_json(const cuda_devices& gpus) {
  auto devices = nlohmann::ordered_json::array();
  for (const cuda_device& gpu : gpus.usable) {
    devices.push_back({{"id", gpu.id},
                       {"name", gpu.name},
                       {"compute_capability", capability_text(gpu.compute_capability)},
                       {"num_multiprocessors", gpu.num_multiprocessors},
                       {"memory_bytes", gpu.memory_bytes},
                       {"free_bytes", gpu.free_bytes},
                       {"shared_bytes", gpu.shared_bytes},
                       {"cooperative", gpu.cooperative},
                       {"clusters", gpu.clusters},
                       {"launch_control", gpu.launch_control},
                       {"child_grids", gpu.child_grids}});
  }
  auto unusable = nlohmann::ordered_json::array();
  for (const unusable_cuda_device& gpu : gpus.unusable) {
    unusable.push_back({{"id", gpu.id}, {"reason", gpu.reason}});
  }
  const nlohmann::ordered_json fields = {
      {"command", "devices"}, {"version", TENDRIL_VERSION}, {"gpu_engine", has_gpu_engine},
      {"devices", devices},   {"unusable", unusable},       {"reason", gpus.reason}};
  return json_text(fields);
}

}  // namespace tendril::app
