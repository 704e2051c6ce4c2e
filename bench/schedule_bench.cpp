#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu_main.hpp"
#include "tendril/core/error.hpp"
#include "tendril/schedule/study.hpp"
#include "tendril/schedule/workspace.hpp"

// schedule/WAY/LOAD/prologue:STEPS: 20 launches timed by CUDA events, median_us and least_us beside
// the mean; every tile is verified, outside the timing. schedule/urgent/WAY: the median wait of 20
// urgent kernels.

namespace {

namespace schedule = tendril::schedule;

constexpr int num_runs = 20;

void run_tiles(benchmark::State& state, const schedule::any_way& way,
               const schedule::study_load& load) {
  schedule::gpu_study study(load);
  study.run_ms(way);
  const schedule::launch_record made = study.record(way);
  if (!study.is_correct() || !adds_up(made.counts)) {
    state.SkipWithError("a tile did not run exactly once");
    return;
  }
  std::vector<double> ms;
  for (auto _ : state) {
    ms.push_back(study.run_ms(way));
    state.SetIterationTime(ms.back() / 1000);
  }
  if (!study.is_correct()) {
    state.SkipWithError("a tile did not run exactly once");
    return;
  }
  std::sort(ms.begin(), ms.end());
  state.counters["median_us"] = ms[ms.size() / 2] * 1000;
  state.counters["least_us"] = ms.front() * 1000;
  state.counters["prologues"] = static_cast<double>(made.counts.prologues);
  state.counters["stolen"] = static_cast<double>(made.counts.stolen);
  state.counters["cancelled"] = static_cast<double>(made.counts.cancelled);
  state.counters["refusals"] = static_cast<double>(made.counts.refusals());
  state.counters["tail_us"] = made.mean_tail_ns() / 1000;
  state.counters["registers"] = study.registers(way);
}

void run_urgent(benchmark::State& state, const schedule::any_way& way,
                const schedule::study_load& load) {
  schedule::gpu_study study(load);
  for (auto _ : state) {
    const schedule::urgent_wait wait = study.wait_behind(way, num_runs);
    state.SetIterationTime(wait.median_us / 1e6);
    state.counters["most_us"] = wait.most_us;
  }
  if (!study.is_correct()) {
    state.SkipWithError("a tile did not run exactly once");
  }
}

void add(const std::string& name, const schedule::any_way& way, const schedule::study_load& load,
         int iterations,
         void (*body)(benchmark::State&, const schedule::any_way&, const schedule::study_load&)) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 try {
                                   body(state, way, load);
                                 } catch (const tendril::error& e) {
                                   state.SkipWithError(e.what());
                                 }
                               })
      ->Iterations(iterations)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void register_all() {
  for (const schedule::any_way& way : schedule::gpu_ways(true)) {
    const std::string name = describe(way);
    for (const char* costs : {"pareto:1.1:100:4000", "pareto-sorted:1.1:100:4000", "uniform:20"}) {
      for (const std::uint32_t prologue : {0u, 400u}) {
        schedule::study_load load;
        load.costs = schedule::tile_costs::parse(costs);
        load.prologue_steps = prologue;
        add("schedule/" + name + "/" + costs + "/prologue:" + std::to_string(prologue), way, load,
            num_runs, run_tiles);
      }
    }
    add("schedule/urgent/" + name, way, {}, 1, run_urgent);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return tendril::bench::run_on_gpu(argc, argv, [] {
    benchmark::AddCustomContext("launch_control", schedule::control_form(1));
    if (schedule::control_form(1) != "hardware") {
      benchmark::AddCustomContext("hardware_launch_control", "not run (no device)");
    }
    register_all();
  });
}
