#include "support/engine.hpp"

#include <fstream>

#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

constexpr const char* no_gpu_engine = "this tendril was built without the GPU engine";

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
  if (engine == engine_choice::cuda) {
    throw resource_error(std::string("--engine cuda: ") + no_gpu_engine);
  }
  return {"host", processor_name(), engine == engine_choice::automatic ? no_gpu_engine : ""};
}

}  // namespace tendril::app
