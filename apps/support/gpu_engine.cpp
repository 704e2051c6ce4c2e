#include "support/gpu_engine.hpp"

#include "tendril/core/error.hpp"

namespace tendril::app {

cuda_devices find_gpus() {
  return find_cuda_devices();
}

opened_gpu open_gpu(const engine_options& options) {
  cuda_options wanted;
  wanted.device = options.device;
  wanted.driver = options.driver;
  wanted.schedule = options.schedule;
  try {
    return {dynamic_cuda_engine(wanted), ""};
  } catch (const resource_error& e) {
    return {std::nullopt, e.what()};
  } catch (const cuda_error& e) {
    return {std::nullopt, e.what()};
  }
}

}  // namespace tendril::app
