// In place of gpu_engine.cpp, where the program is built without CUDA.

#include "support/engine.hpp"

namespace tendril::app {

cuda_devices find_gpus() {
  return {{}, "this tendril was built without the GPU engine"};
}

}  // namespace tendril::app
