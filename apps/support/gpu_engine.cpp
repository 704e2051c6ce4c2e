#include "support/gpu_engine.hpp"

#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

cuda_driver driver_of(driver_option option) {
  switch (option) {
    case driver_option::resident:
      return cuda_driver::resident;
    case driver_option::stepped:
      return cuda_driver::stepped;
    case driver_option::chained:
      return cuda_driver::chained;
    case driver_option::automatic:
      break;
  }
  return cuda_driver::automatic;
}

}  // namespace

cuda_devices find_gpus() {
  return find_cuda_devices();
}

opened_gpu open_gpu(const engine_options& options) {
  cuda_options wanted;
  wanted.device = options.device;
  wanted.driver = driver_of(options.driver);
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
