// In place of gpu_engine.cpp, where the program is built without CUDA.

#include "support/concurrency.hpp"
#include "support/engine.hpp"
#include "tendril/core/error.hpp"

namespace tendril::app {

cuda_devices find_gpus() {
  return {{}, "this tendril was built without the GPU engine"};
}

concurrency_report measure_concurrency(const concurrency_options& /*options*/) {
  throw resource_error(find_gpus().reason);
}

}  // namespace tendril::app
