#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>

#include "tendril/cuda/device.hpp"

// The main of the benchmarks that need a GPU.

namespace tendril::bench {

/// Registers the benchmarks and runs them. The report names the device, and the commit that
/// TENDRIL_COMMIT says. @return 4, with the reason on the error output, where there is no GPU
template <class Register>
int run_on_gpu(int argc, char** argv, const Register& register_all) {
  const cuda_devices found = find_cuda_devices();
  if (found.usable.empty()) {
    std::cerr << found.reason << '\n';
    return 4;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::AddCustomContext("device", choose_cuda_device().name);
  if (const char* commit = std::getenv("TENDRIL_COMMIT")) {
    benchmark::AddCustomContext("commit", commit);
  }
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace tendril::bench
