#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "schedule/battery.hpp"
#include "schedule/gpu.hpp"
#include "tendril/core/error.hpp"
#include "tendril/schedule/launch.cuh"
#include "tendril/schedule/study.hpp"

namespace tendril::schedule {
namespace {

using testing::gpu_test;

constexpr std::uint32_t width = 128;  // elements per tile

struct compute_factor {
  TENDRIL_HD float operator()() const { return 1.5f; }
};
struct scale_tile {
  float* data;  // [num_tiles * width]
  tile_grid shape;
  __device__ void operator()(tile t, float factor) const {
    const std::uint32_t linear = (t.z * shape.y + t.y) * shape.x + t.x;
    for (std::uint32_t i = threadIdx.x; i < width; i += blockDim.x) {
      data[linear * width + i] *= factor;
    }
  }
};
struct do_nothing {
  TENDRIL_HD void operator()(tile, none) const {}
};

class schedule_gpu : public gpu_test {};

// The programming guide's example: each block scales its part of a vector by a factor that its
// prologue computes.
TEST_F(schedule_gpu, vectors_are_scaled_in_one_two_and_three_dimensions) {
  const cuda::stream stream;
  workspace space(stream.get());
  for (const any_way& way : gpu_ways(has_clusters())) {  // clusters of 2 on an odd number of tiles
    for (const tile_grid& shape : testing::shapes) {
      const std::vector<float> before(shape.size() * width, 2.0f);
      const auto data = cuda::to_device<float>(before, stream.get());
      launch(way, shape, compute_factor{}, scale_tile{data.data(), shape},
             blocks{space, 64, 52 * 1024});
      EXPECT_EQ(cuda::to_host(data, stream.get()), std::vector<float>(before.size(), 3.0f))
          << describe(way);
    }
  }
}

TEST_F(schedule_gpu, no_tiles_is_nothing_to_do) {
  const cuda::stream stream;
  workspace space(stream.get());
  for (const any_way& way : gpu_ways(has_clusters())) {
    for (const tile_grid& empty : {tile_grid{0}, tile_grid{5, 0}, tile_grid{5, 5, 0}}) {
      launch(way, empty, no_prologue{}, do_nothing{}, blocks{space});
      EXPECT_EQ(record(way, empty, no_prologue{}, do_nothing{}, blocks{space}).timeline.size(), 0u);
    }
  }
}

template <class Error>
std::string refusal_of(const any_way& way, const tile_grid& tiles, const blocks& on) {
  try {
    launch(way, tiles, no_prologue{}, do_nothing{}, on);
  } catch (const Error& e) {
    return e.what();
  }
  return "accepted";
}

TEST_F(schedule_gpu, bad_calls_are_refused_with_both_numbers) {
  const cuda::stream stream;
  workspace space(stream.get());
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  for (const any_way& way : basic_ways()) {
    const std::string tiles = refusal_of<resource_error>(way, {0x80000000u}, {space});
    EXPECT_TRUE(has(tiles, "2147483647") && has(tiles, "2147483648")) << tiles;
    const std::string threads = refusal_of<resource_error>(way, {1}, {space, 2048});
    EXPECT_TRUE(has(threads, "2048") && has(threads, "1024")) << threads;
    const std::string shared = refusal_of<resource_error>(way, {1}, {space, 32, 1 << 20});
    EXPECT_TRUE(has(shared, "1048") && has(shared, "the device has")) << shared;
    EXPECT_NE(refusal_of<usage_error>(way, {1}, {space, 0}), "accepted");
  }
  EXPECT_NE(refusal_of<usage_error>(launch_control{.cluster = 16}, {1}, {space}), "accepted");
  EXPECT_NE(refusal_of<usage_error>(launch_control{.how = {true, 4}}, {1}, {space}), "accepted");
  if (!has_clusters()) {
    const std::string cluster =
        refusal_of<resource_error>(launch_control{.cluster = 2}, {1}, {space});
    EXPECT_TRUE(has(cluster, "2 blocks") && has(cluster, "clusters of 1")) << cluster;
  }
  launch(per_block{}, {1}, no_prologue{}, do_nothing{}, blocks{space});  // still usable
  stream.synchronize();
}

// More blocks than a grid has: refused by CUDA, after the launch was given counters.
TEST_F(schedule_gpu, a_launch_that_failed_leaves_nothing_to_the_next) {
  if (!has_clusters()) {
    GTEST_SKIP() << "needs clusters";
  }
  const cuda::stream stream;
  workspace space(stream.get());
  const tile_grid shape{1000};
  const std::vector<float> before(shape.size() * width, 2.0f);
  for (const any_way& way : {any_way(ticket{}), any_way(launch_control{})}) {
    launch(ticket{}, shape, no_prologue{}, do_nothing{}, blocks{space});
    EXPECT_NE(refusal_of<resource_error>(launch_control{.cluster = 8}, {max_tiles}, {space}),
              "accepted");
    const auto data = cuda::to_device<float>(before, stream.get());
    launch(way, shape, compute_factor{}, scale_tile{data.data(), shape}, blocks{space, 64});
    EXPECT_EQ(cuda::to_host(data, stream.get()), std::vector<float>(before.size(), 3.0f))
        << describe(way);
  }
}

TEST_F(schedule_gpu, a_captured_launch_is_refused) {
  const cuda::stream stream;
  workspace space(stream.get());
  TENDRIL_CUDA_CHECK(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed));
  EXPECT_NE(refusal_of<usage_error>(launch_control{}, {10}, {space}), "accepted");
  EXPECT_NE(refusal_of<usage_error>(ticket{}, {10}, {space}), "accepted");
  cudaGraph_t graph = nullptr;
  TENDRIL_CUDA_CHECK(cudaStreamEndCapture(stream.get(), &graph));
  TENDRIL_CUDA_CHECK(cudaGraphDestroy(graph));
}

TEST_F(schedule_gpu, a_raised_flag_stops_stealing_until_it_is_lowered) {
  const cuda::stream stream;
  const cuda::stream host_side;
  workspace space(stream.get());
  const launch_control way{.yields = true, .hardware = false};
  const blocks on{space, 64, 52 * 1024};
  space.raise_yield(host_side.get());
  host_side.synchronize();
  const launch_record raised = record(way, {5000}, no_prologue{}, do_nothing{}, on);
  EXPECT_EQ(raised.counts.stolen, 0u);
  EXPECT_EQ(raised.counts.started, 5000u);
  EXPECT_EQ(raised.counts.refused[static_cast<int>(refusal::yielded)], 5000u);
  space.lower_yield(host_side.get());
  host_side.synchronize();
  EXPECT_GT(record(way, {5000}, no_prologue{}, do_nothing{}, on).counts.stolen, 2500u);
  space.raise_yield(host_side.get());
  host_side.synchronize();
  const launch_control deaf{.hardware = false};
  EXPECT_GT(record(deaf, {5000}, no_prologue{}, do_nothing{}, on).counts.stolen, 2500u);
}

TEST_F(schedule_gpu, the_form_is_the_one_the_device_has) {
  int major = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 10) {
    EXPECT_EQ(control_form(1), "software");
    EXPECT_EQ(control_form(2), "software");
  }
  const cuda::stream stream;
  workspace space(stream.get());
  const auto made =
      record(launch_control{.hardware = false}, {100}, no_prologue{}, do_nothing{}, blocks{space});
  EXPECT_EQ(made.form, "software");
  RecordProperty("control_form", control_form(1));
}

TEST_F(schedule_gpu, a_record_says_where_and_when_each_tile_ran) {
  const cuda::stream stream;
  workspace space(stream.get());
  int processors = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  for (const any_way& way : gpu_ways(has_clusters())) {
    SCOPED_TRACE(describe(way));
    const launch_record made =
        record(way, {3001}, no_prologue{}, do_nothing{}, blocks{space, 64, 52 * 1024});
    std::set<std::uint32_t> tiles;
    std::map<std::uint32_t, std::uint32_t> processor_of;
    for (const interval& entry : made.timeline) {
      EXPECT_LE(entry.begin_ns, entry.end_ns);
      EXPECT_LT(entry.processor, static_cast<std::uint32_t>(processors));
      EXPECT_EQ(processor_of.emplace(entry.block, entry.processor).first->second, entry.processor);
      if (entry.what != doing::prologue) {
        EXPECT_TRUE(tiles.insert(entry.tile).second) << "tile " << entry.tile << " twice";
        if (std::holds_alternative<launch_control>(way)) {
          EXPECT_EQ(entry.what == doing::own_tile, entry.tile == entry.block);
        }
      }
    }
    EXPECT_EQ(tiles.size(), 3001u);
    EXPECT_EQ(*tiles.rbegin(), 3000u);
  }
}

TEST_F(schedule_gpu, a_study_of_every_way_is_correct) {
  study_options options;
  options.load.num_tiles = 2001;
  options.load.costs.most = 400;
  options.runs = 2;
  for (const study_row& row : study_on_gpu(options)) {
    EXPECT_TRUE(row.correct) << describe(row.way);
    EXPECT_GT(row.registers, 0) << describe(row.way);
    EXPECT_TRUE(row.urgent.has_value());
  }
}

// Other threads may launch the same kernel with less: its limit is one for all.
TEST_F(schedule_gpu, a_kernel_that_needs_more_shared_memory_may_have_all) {
  const cuda::stream stream;
  workspace space(stream.get());
  launch(per_block{}, {1}, no_prologue{}, do_nothing{}, blocks{space, 32, 60'000});
  cudaFuncAttributes attributes{};
  TENDRIL_CUDA_CHECK(cudaFuncGetAttributes(
      &attributes, detail::kernel_of<device::no_recorder, no_prologue, do_nothing>(per_block{})));
  int most = 0;
  TENDRIL_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes + static_cast<int>(attributes.sharedSizeBytes),
            most);
}

TEST_F(schedule_gpu, two_studies_may_want_different_shared_memory) {
  study_load load;
  load.num_tiles = 64;
  load.shared_bytes = 100'000;
  gpu_study large(load);
  load.shared_bytes = 50'000;
  const gpu_study small(load);
  EXPECT_GT(large.wait_behind(per_block{}, 1).median_us, 0);
  try {
    load.shared_bytes = 1 << 20;
    const gpu_study too_large(load);
    ADD_FAILURE() << "accepted";
  } catch (const resource_error& e) {
    EXPECT_NE(std::string(e.what()).find("the device has"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace tendril::schedule
