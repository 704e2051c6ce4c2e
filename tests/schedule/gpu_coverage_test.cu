#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "schedule/battery.hpp"
#include "schedule/gpu.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/schedule/launch.cuh"
#include "tendril/schedule/study.hpp"

// Every way and policy on every size and refusal rate: each tile exactly once, and counts that add
// up. For runs under a checker, TENDRIL_SCHEDULE_REPEATS sets the launches per case (200) and
// TENDRIL_SCHEDULE_MOST_TILES leaves out larger sizes.

namespace tendril::schedule {
namespace {

using testing::coverage_sizes;
using testing::gpu_test;

constexpr unsigned threads = 64;
/// Few blocks at once, so that most have to be stolen: 528 on an H200.
constexpr std::size_t crowding_bytes = 52 * 1024;

std::uint32_t setting(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::atoi(text));
}

std::vector<std::uint32_t> sizes_up_to(std::uint32_t most) {
  most = std::min(most, setting("TENDRIL_SCHEDULE_MOST_TILES", most));
  std::vector<std::uint32_t> sizes;
  std::copy_if(coverage_sizes.begin(), coverage_sizes.end(), std::back_inserter(sizes),
               [most](std::uint32_t size) { return size <= most; });
  return sizes;
}

struct count_tile {
  std::uint32_t* times_run;  // [num_tiles]
  __device__ void operator()(tile t, none) const {
    if (threadIdx.x == 0) {
      add(times_run[t.index], 1);
    }
  }
};

__global__ void count_different(const std::uint32_t* times_run, std::uint32_t size,
                                std::uint32_t expected, std::uint32_t* different) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += gridDim.x * blockDim.x) {
    if (times_run[i] != expected) {
      atomicAdd(different, 1u);
    }
  }
}

/// Launch control in every form that is launched differently.
std::vector<launch_control> policies(bool clusters) {
  std::vector<launch_control> all = {
      {.how = {true, 1}},  {.how = {true, 2}},
      {.how = {true, 3}},  {.how = {false, 1}},
      {.how = {false, 3}}, {.how = {true, 2}, .order = steal_order::next_in_line},
      {.yields = true}};
  if (clusters) {
    all.push_back({.how = {true, 1}, .cluster = 2});
    all.push_back({.how = {true, 3}, .cluster = 2});
    all.push_back({.how = {false, 1}, .cluster = 4});
    all.push_back({.how = {true, 2}, .order = steal_order::next_in_line, .cluster = 8});
  }
  return all;
}

std::vector<any_way> every_case(bool clusters) {
  std::vector<any_way> all = {per_block{}, fixed_grid{}, ticket{}, canceled_blocks{}};
  for (launch_control way : policies(clusters)) {
    for (const std::uint32_t rate : {0u, 655u, 32768u, 65536u}) {
      way.refused_of_65536 = rate;
      all.push_back(way);
    }
  }
  return all;
}

class schedule_coverage : public gpu_test {};

TEST_F(schedule_coverage, each_tile_runs_once_in_every_launch) {
  const cuda::stream stream;
  workspace space(stream.get());
  const std::uint32_t most = coverage_sizes.back();
  const cuda::device_buffer<std::uint32_t> times_run(most, stream.get());
  const cuda::device_buffer<std::uint32_t> different(1, stream.get());
  const std::uint32_t repeats = setting("TENDRIL_SCHEDULE_REPEATS", 200);
  for (const std::uint32_t size : sizes_up_to(most)) {
    const blocks on{space, threads, size == most ? 0 : crowding_bytes};
    for (const any_way& way : every_case(has_clusters())) {
      TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_run.data(), 0, size * 4ull, stream.get()));
      TENDRIL_CUDA_CHECK(cudaMemsetAsync(different.data(), 0, 4, stream.get()));
      for (std::uint32_t repeat = 1; repeat <= repeats; ++repeat) {
        launch(way, {size}, no_prologue{}, count_tile{times_run.data()}, on);
        count_different<<<size / 4096 + 1, 256, 0, stream.get()>>>(times_run.data(), size, repeat,
                                                                   different.data());
        TENDRIL_CUDA_CHECK_LAUNCH();
      }
      ASSERT_EQ(cuda::to_host(different, stream.get()).front(), 0u)
          << describe(way) << ", " << size << " tiles";
    }
  }
}

TEST_F(schedule_coverage, what_is_stolen_is_cancelled_and_nothing_is_lost) {
  const cuda::stream stream;
  workspace space(stream.get());
  for (const std::uint32_t size : sizes_up_to(65536)) {
    const cuda::device_buffer<std::uint32_t> times_run(size, stream.get());
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_run.data(), 0, size * 4ull, stream.get()));
    for (const any_way& way : every_case(has_clusters())) {
      SCOPED_TRACE(describe(way) + ", " + std::to_string(size) + " tiles");
      const launch_record made = record(way, {size}, no_prologue{}, count_tile{times_run.data()},
                                        blocks{space, threads, crowding_bytes});
      const launch_counts& counts = made.counts;
      EXPECT_EQ(counts.started + counts.stolen, counts.units);
      EXPECT_EQ(counts.cancelled, counts.stolen);
      EXPECT_EQ(counts.asked_after_refusal, 0u);
      EXPECT_EQ(made.timeline.size(), size + counts.prologues);
      if (const auto* control = std::get_if<launch_control>(&way)) {
        EXPECT_EQ(counts.prologues, control->cluster * (counts.units - counts.stolen));
        EXPECT_GE(counts.refusals(), counts.started) << "every unit ends with a refusal";
        if (control->refused_of_65536 == 65536 && made.form == "software") {
          EXPECT_EQ(counts.stolen, 0u);
        }
        if (control->refused_of_65536 == 0 && size == 65536 && !control->yields) {
          EXPECT_GT(counts.stolen, counts.units / 2) << "hardly anything is stolen";
        }
      }
    }
  }
}

TEST_F(schedule_coverage, launches_go_on_when_epochs_start_over) {
  const cuda::stream stream;
  workspace space(stream.get(), last_epoch - 3);
  const cuda::device_buffer<std::uint32_t> times_run(1000, stream.get());
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_run.data(), 0, 4000, stream.get()));
  for (int i = 0; i < 4; ++i) {
    launch(launch_control{}, {1000}, no_prologue{}, count_tile{times_run.data()},
           blocks{space, threads, crowding_bytes});
    launch(ticket{}, {1000}, no_prologue{}, count_tile{times_run.data()}, blocks{space, threads});
  }
  EXPECT_EQ(cuda::to_host(times_run, stream.get()), std::vector<std::uint32_t>(1000, 8));
}

TEST_F(schedule_coverage, streams_with_their_own_workspaces_do_not_meet) {
  const cuda::stream one;
  const cuda::stream two;
  workspace space_one(one.get());
  workspace space_two(two.get());
  const cuda::device_buffer<std::uint32_t> times_one(5000, one.get());
  const cuda::device_buffer<std::uint32_t> times_two(5000, two.get());
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_one.data(), 0, 20000, one.get()));
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(times_two.data(), 0, 20000, two.get()));
  for (int i = 0; i < 50; ++i) {
    launch(launch_control{}, {5000}, no_prologue{}, count_tile{times_one.data()},
           blocks{space_one, threads});
    launch(launch_control{.how = {false, 1}}, {5000}, no_prologue{}, count_tile{times_two.data()},
           blocks{space_two, threads});
  }
  EXPECT_EQ(cuda::to_host(times_one, one.get()), std::vector<std::uint32_t>(5000, 50));
  EXPECT_EQ(cuda::to_host(times_two, two.get()), std::vector<std::uint32_t>(5000, 50));
}

}  // namespace
}  // namespace tendril::schedule
