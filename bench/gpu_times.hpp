#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "tendril/cuda/engine.hpp"

namespace tendril::bench {

/// Times a call by the device's events before and after it, with whatever the host does meanwhile;
/// once unmeasured first. Counters: median_ms, least_ms.
template <class Call>
void time_on_device(benchmark::State& state, const cuda_engine& engine, const Call& call) {
  const cuda::event begun;
  const cuda::event ended;
  call();
  std::vector<double> times;
  for (auto iteration : state) {
    static_cast<void>(iteration);
    engine.context().synchronize();
    begun.record(engine.stream());
    call();
    ended.record(engine.stream());
    times.push_back(double{cuda::elapsed_ms(begun, ended)});
    state.SetIterationTime(times.back() / 1000);
  }
  std::sort(times.begin(), times.end());
  state.counters["median_ms"] = times[times.size() / 2];
  state.counters["least_ms"] = times.front();
}

}  // namespace tendril::bench
