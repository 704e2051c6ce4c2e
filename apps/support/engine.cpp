#include "support/engine.hpp"

#include <fstream>
#include <iostream>

#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "CPU";
}

}  // namespace

engine_facts decide_engine(engine_choice engine) {
  if (engine == engine_choice::host) {
    return fall_back_to_host(engine, "");
  }
  const cuda_devices found = find_gpus();
  if (found.usable.empty()) {
    return fall_back_to_host(engine, found.reason);
  }
  return {"cuda", found.usable.front().name, ""};
}

engine_facts fall_back_to_host(engine_choice engine, const std::string& reason) {
  if (engine == engine_choice::cuda) {
    throw resource_error("--engine cuda: " + reason);
  }
  return {"host", processor_name(), engine == engine_choice::automatic ? reason : ""};
}

void announce_fallback(const engine_facts& facts, bool quiet) {
  if (has_gpu_engine && !facts.reason.empty() && !quiet) {
    std::cerr << "tendril: --engine auto takes the CPU: " << facts.reason << '\n';
  }
}

void refuse_impossible(const engine_options& options) {
  if (options.driver == cuda_driver::resident && options.schedule) {
    throw usage_error("--schedule " + std::string(name_of(*options.schedule)) +
                      " does not apply to --driver resident: all blocks of a resident grid have "
                      "started, so there is nothing to schedule");
  }
  if (options.engine != engine_choice::host) {
    return;
  }
  if (options.device) {
    throw usage_error("--device applies to a GPU, and --engine host was given");
  }
  if (options.driver != cuda_driver::automatic) {
    throw usage_error("--driver applies to a GPU, and --engine host was given");
  }
  if (options.schedule) {
    throw usage_error("--schedule applies to a GPU, and --engine host was given");
  }
}

}  // namespace tendril::app
