#include <algorithm>
#include <chrono>
#include <vector>

#include "study_work.hpp"
#include "tendril/schedule/launch.cuh"
#include "tendril/schedule/study.hpp"

namespace tendril::schedule {

namespace {

/// A little work, as many blocks as multiprocessors.
__global__ void urgent_kernel(std::uint32_t* out, std::uint32_t steps) {
  if (detail::spin(threadIdx.x + 1, steps) == 0) {
    *out = 1;  // never, but the compiler cannot know
  }
}

int least_priority() {
  int least = 0;
  int greatest = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  return least;
}

int greatest_priority() {
  int least = 0;
  int greatest = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  return greatest;
}

unsigned num_processors() {
  int device = 0;
  int count = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&device));
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(count);
}

using host_clock = std::chrono::steady_clock;

double us_since(host_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(host_clock::now() - start).count();
}

bool yields(const any_way& way) {
  const auto* control = std::get_if<launch_control>(&way);
  return control != nullptr && control->yields;
}

}  // namespace

struct gpu_study::state {
  explicit state(const study_load& of)
      : load(of),
        stream(least_priority()),
        urgent_stream(greatest_priority()),
        space(stream.get()),
        costs(load.costs.draw(load.num_tiles, load.seed)),
        device_costs(cuda::to_device<std::uint32_t>(costs, stream.get())),
        results(static_cast<std::size_t>(load.num_tiles) * load.threads, stream.get()),
        times_run(load.num_tiles, stream.get()) {}

  [[nodiscard]] detail::spin_body body() const {
    return {device_costs.data(), results.data(), times_run.data(), load.threads, scale};
  }
  [[nodiscard]] detail::spin_prologue prologue() const { return {load.prologue_steps}; }
  [[nodiscard]] blocks place() { return {space, load.threads, load.shared_bytes}; }

  void forget_last_run() {
    if (load.num_tiles != 0) {
      TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_run.data(), 0,
                                         load.num_tiles * sizeof(std::uint32_t), stream.get()));
    }
  }
  void start(const any_way& way, std::uint32_t times_as_long = 1) {
    scale = times_as_long;
    launch(way, {load.num_tiles}, prologue(), body(), place());
  }
  double send_urgent(bool raises_flag);
  [[nodiscard]] bool results_are_right() const;

  study_load load;
  cuda::stream stream;
  cuda::stream urgent_stream;
  workspace space;
  std::vector<std::uint32_t> costs;
  cuda::device_buffer<std::uint32_t> device_costs;
  cuda::device_buffer<std::uint32_t> results;
  cuda::device_buffer<std::uint32_t> times_run;
  cuda::event before;
  cuda::event after;
  std::uint32_t scale = 1;  // of the last launch
};

/// Microseconds from the launch of the urgent kernel to its end, by the host's clock.
double gpu_study::state::send_urgent(bool raises_flag) {
  const auto sent = host_clock::now();
  if (raises_flag) {
    space.raise_yield(urgent_stream.get());
  }
  urgent_kernel<<<num_processors(), load.threads, load.shared_bytes, urgent_stream.get()>>>(
      results.data(), 10);
  TENDRIL_CUDA_CHECK_LAUNCH();
  if (raises_flag) {
    space.lower_yield(urgent_stream.get());
  }
  urgent_stream.synchronize();
  return us_since(sent);
}

bool gpu_study::state::results_are_right() const {
  constexpr std::uint32_t stride = 997;  // tiles sampled
  const std::uint32_t factor = prologue()();
  const std::vector<std::uint32_t> all = cuda::to_host(results, stream.get());
  for (std::uint32_t tile = 0; tile < load.num_tiles; tile += stride) {
    for (const std::uint32_t thread : {0u, load.threads / 2, load.threads - 1}) {
      const std::size_t position = static_cast<std::size_t>(tile) * load.threads + thread;
      if (all[position] != detail::spin_body::result(factor, tile, thread, costs[tile] * scale)) {
        return false;
      }
    }
  }
  return true;
}

gpu_study::gpu_study(const study_load& load) : state_(std::make_unique<state>(load)) {
  state_->space.facts_of(reinterpret_cast<const void*>(urgent_kernel), load.threads,
                         load.shared_bytes, 1);
}
gpu_study::gpu_study(gpu_study&&) noexcept = default;
gpu_study& gpu_study::operator=(gpu_study&&) noexcept = default;
gpu_study::~gpu_study() = default;

double gpu_study::run_ms(const any_way& way) {
  state_->forget_last_run();
  state_->before.record(state_->stream.get());
  state_->start(way);
  state_->after.record(state_->stream.get());
  return static_cast<double>(cuda::elapsed_ms(state_->before, state_->after));
}

bool gpu_study::is_correct() const {
  const std::vector<std::uint32_t> times = cuda::to_host(state_->times_run, state_->stream.get());
  return std::all_of(times.begin(), times.end(), [](std::uint32_t t) { return t == 1; }) &&
         state_->results_are_right();
}

launch_record gpu_study::record(const any_way& way) {
  state_->forget_last_run();
  state_->scale = 1;
  return schedule::record(way, {state_->load.num_tiles}, state_->prologue(), state_->body(),
                          state_->place());
}

int gpu_study::registers(const any_way& way) {
  return facts(way, state_->prologue(), state_->body(), state_->place()).registers;
}

urgent_wait gpu_study::wait_behind(const any_way& way, int times) {
  constexpr std::uint32_t times_as_long = 8;
  double alone_us = 0;
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    const auto launched = host_clock::now();
    state_->start(way, times_as_long);
    state_->stream.synchronize();
    alone_us = us_since(launched);
  }
  std::vector<double> waits;
  for (int i = 0; i < times; ++i) {
    state_->forget_last_run();
    state_->stream.synchronize();
    const auto launched = host_clock::now();
    state_->start(way, times_as_long);
    while (us_since(launched) < 0.3 * alone_us) {
    }
    waits.push_back(state_->send_urgent(yields(way)));
    state_->stream.synchronize();
  }
  std::sort(waits.begin(), waits.end());
  return waits.empty() ? urgent_wait{} : urgent_wait{waits[waits.size() / 2], waits.back()};
}

namespace {

study_row make_row(gpu_study& study, const any_way& way, const study_options& options) {
  study_row row{.way = way};
  std::vector<double> ms;
  study.run_ms(way);  // warm-up
  for (int run = 0; run < options.runs; ++run) {
    ms.push_back(study.run_ms(way));
  }
  row.correct = study.is_correct();
  std::sort(ms.begin(), ms.end());
  row.median_ms = ms.empty() ? 0 : ms[ms.size() / 2];
  row.min_ms = ms.empty() ? 0 : ms.front();
  row.registers = study.registers(way);
  row.record = study.record(way);
  row.correct = row.correct && study.is_correct() && adds_up(row.record.counts);
  if (options.urgent) {
    row.urgent = study.wait_behind(way, options.runs);
  }
  return row;
}

}  // namespace

std::vector<study_row> study_on_gpu(const study_options& options) {
  gpu_study study(options.load);
  int device = 0;
  int has_clusters = 0;
  TENDRIL_CUDA_CHECK(cudaGetDevice(&device));
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, device));
  const std::vector<any_way> ways =
      options.ways.empty() ? gpu_ways(has_clusters != 0) : options.ways;
  std::vector<study_row> rows;
  for (const any_way& way : ways) {
    rows.push_back(make_row(study, way, options));
  }
  return rows;
}

}  // namespace tendril::schedule
