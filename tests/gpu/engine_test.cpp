#include "tendril/cuda/engine.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/core/error.hpp"

namespace {

using namespace tendril;
using test::gpu;
using test::make_graph;
using test::search_by;

TEST_F(gpu, runs_on_the_callers_stream_and_on_rows_that_lie_on_the_device) {
  const csr<> graph = generate_rmat<>(12, 8, 3);
  const tendril::cuda::stream stream;
  cuda_options options;
  options.stream = stream.get();
  cuda_engine engine(options);
  EXPECT_EQ(engine.stream(), stream.get());
  const auto offsets = tendril::cuda::to_device(
      std::span(graph.offsets().data(), graph.offsets().size()), stream.get());
  const auto targets = tendril::cuda::to_device(
      std::span(graph.targets().data(), graph.targets().size()), stream.get());
  const csr_view<> view{offsets.data(), targets.data(), nullptr, graph.num_vertices(),
                        graph.num_edges()};
  const auto placed = engine.place_device(view, orientation::undirected);
  EXPECT_FALSE(placed.has_narrow_positions());
  EXPECT_EQ(placed.row_bytes(), 0U);
  const auto expected = oracle::bfs_depths(graph, std::vector<vertex_id>{9});
  for (const direction way : test::all_ways) {
    EXPECT_EQ(bfs(engine, placed, {9}, search_by(way)).depth.to_host(), expected);
  }
  EXPECT_THROW(static_cast<void>(placed.host()), usage_error);
}

TEST_F(gpu, says_which_driver_ran_and_why) {
  const csr<> graph = make_graph(2, {{0, 1}});
  const auto choice_of = [&](const cuda_options& options) {
    cuda_engine engine(options);
    EXPECT_EQ(engine.last_driver().used, cuda_driver::automatic);
    EXPECT_EQ(bfs(engine, engine.place(graph), {0}).depth.to_host()[1], 1);
    return engine.last_driver();
  };
  cuda_options options;
  EXPECT_NE(choice_of(options).used, cuda_driver::chained);
  EXPECT_NE(choice_of(options).reason.find("to the next level: resident "), std::string::npos)
      << choice_of(options).reason;
  options.driver = cuda_driver::resident;
  EXPECT_EQ(choice_of(options).used, cuda_driver::resident);
  EXPECT_EQ(choice_of(options).reason, "");
  EXPECT_EQ(choice_of(options).schedule, "");
  options.driver = cuda_driver::stepped;
  EXPECT_EQ(choice_of(options).used, cuda_driver::stepped);
  EXPECT_EQ(choice_of(options).reason, "");
  EXPECT_EQ(choice_of(options).schedule, "launch-control");
  EXPECT_EQ(choice_of(options).form, schedule::control_form(1));
  options.tuning.use_launch_control = false;
  EXPECT_EQ(choice_of(options).form, "software");
  options.schedule = schedule::ticket{};
  EXPECT_EQ(choice_of(options).schedule, "ticket");
  EXPECT_EQ(choice_of(options).form, "");
  options.driver = cuda_driver::automatic;
  EXPECT_EQ(choice_of(options).used, cuda_driver::stepped);
  EXPECT_EQ(choice_of(options).reason, "the resident driver takes no schedule");
  options = {};
  options.driver = cuda_driver::resident;
  options.tuning.use_cooperative = false;
  EXPECT_EQ(choice_of(options).used, cuda_driver::stepped);
  EXPECT_NE(choice_of(options).reason.find("no cooperative launch"), std::string::npos);
}

TEST_F(gpu, each_level_makes_the_host_step) {
  cuda_options options;
  options.driver = cuda_driver::resident;
  cuda_engine engine(options);
  std::vector<vertex_id> frontiers;
  const auto found = bfs(engine, engine.place(make_graph(4, {{0, 1}, {0, 2}, {2, 3}})), {0},
                         {.each_level = [&](const level_report& level) {
                           EXPECT_GT(level.ms, 0.0);
                           frontiers.push_back(level.frontier);
                         }});
  EXPECT_EQ(frontiers, (std::vector<vertex_id>{1, 2, 1}));
  EXPECT_EQ(engine.last_driver().used, cuda_driver::stepped);
  EXPECT_EQ(engine.last_driver().reason, "each_level is called on the host");
}

TEST(drivers, impossible_wishes_are_usage_errors_with_or_without_a_gpu) {
  cuda_options options;
  options.driver = cuda_driver::chained;
  EXPECT_THROW(cuda_engine{options}, usage_error);
  options.driver = cuda_driver::resident;
  options.schedule = schedule::ticket{};
  EXPECT_THROW(cuda_engine{options}, usage_error);
  options.driver = cuda_driver::stepped;
  options.schedule = schedule::canceled_blocks{};
  EXPECT_THROW(cuda_engine{options}, usage_error);
  options.schedule = schedule::launch_control{.cluster = 2};
  EXPECT_THROW(cuda_engine{options}, usage_error);
  options.schedule = schedule::launch_control{.how = {.in_flight = 4}};
  EXPECT_THROW(cuda_engine{options}, usage_error);
}

TEST_F(gpu, a_directed_graph_is_turned_round_when_a_pull_asks) {
  const csr<> graph = make_graph(4, {{0, 1}, {1, 2}, {3, 0}});
  cuda_engine engine;
  const auto placed = engine.place(graph);
  EXPECT_FALSE(placed.can_pull());
  EXPECT_EQ(bfs(engine, placed, {0}, search_by(direction::pull)).depth.to_host(),
            (std::vector<std::int32_t>{0, 1, 2, unreached}));
  EXPECT_TRUE(placed.can_pull());
}

// A star whose rows of in-edges are cut into parts.
TEST_F(gpu, graphs_that_no_cluster_holds_are_searched) {
  constexpr vertex_id n = (1U << 25U) - 1;
  std::vector<std::int32_t> expected(n, 0);
  for (vertex_id v = 1; v < n; ++v) {
    expected[v] = expected[(v - 1) / 2] + 1;
  }
  cuda_engine engine;
  EXPECT_EQ(bfs(engine, engine.place(generate("tree:24:2")), {0}).depth.to_host(), expected);
}

// From all leaves of a tree, two lanes side by side find each parent.
TEST_F(gpu, what_neighbouring_lanes_find_enters_once) {
  constexpr vertex_id n = (1U << 16U) - 1;
  std::vector<vertex_id> leaves(n / 2 + 1);
  std::iota(leaves.begin(), leaves.end(), n / 2);
  cuda_options options;
  options.tuning.use_small = false;
  cuda_engine engine(options);
  const auto found =
      bfs(engine, engine.place(generate("tree:15:2")), leaves, search_by(direction::push));
  EXPECT_EQ(found.report.entered, n);
  ASSERT_EQ(found.report.levels.size(), 16U);
  for (std::size_t level = 0; level < 16; ++level) {
    EXPECT_EQ(found.report.levels[level].frontier, 1U << (15 - level));
  }
}

// Rows of a mesh that lies on the device: 64-bit positions on the small kernel.
TEST_F(gpu, runs_small_frontiers_on_rows_that_lie_on_the_device) {
  const csr<> graph = generate_grid<>(200, 150, 30, 3);
  cuda_engine engine;
  const auto offsets = tendril::cuda::to_device(
      std::span(graph.offsets().data(), graph.offsets().size()), engine.stream());
  const auto targets = tendril::cuda::to_device(
      std::span(graph.targets().data(), graph.targets().size()), engine.stream());
  const auto placed = engine.place_device(
      csr_view<>{offsets.data(), targets.data(), nullptr, graph.num_vertices(), graph.num_edges()},
      orientation::undirected);
  for (const vertex_id source : test::some_sources(graph.num_vertices())) {
    EXPECT_EQ(bfs(engine, placed, {source}).depth.to_host(),
              oracle::bfs_depths(graph, std::vector<vertex_id>{source}));
  }
}

TEST_F(gpu, arrays_are_freed_before_the_engine_that_they_keep) {
  auto array = cuda_engine().array(1000, 1);
  array = cuda_engine().array(3, 2);
  EXPECT_EQ(array.to_host(), (std::vector<int>{2, 2, 2}));
}

// The small kernel wants shared memory by the size of the graph.
TEST_F(gpu, engines_of_two_threads_search_graphs_of_two_sizes) {
  const auto search = [](const char* text) {
    const csr<> graph = generate(text);
    const auto expected = oracle::bfs_depths(graph, std::vector<vertex_id>{0});
    cuda_engine engine;
    const auto placed = engine.place(graph);
    for (int run = 0; run < 300; ++run) {
      ASSERT_EQ(bfs(engine, placed, {0}).depth.to_host(), expected) << text;
    }
  };
  std::jthread other([&] { search("grid:1000x900"); });
  search("grid:10x9");
}

// What one engine made is used while the other's device is current.
TEST_F(gpu, two_gpus_search_side_by_side) {
  const cuda_devices found = find_cuda_devices();
  if (found.usable.size() < 2) {
    GTEST_SKIP() << "needs two GPUs";
  }
  const csr<> graph = generate_rmat<>(14, 16, 3);
  std::vector<cuda_engine> engines;
  std::vector<cuda_graph<>> placed;
  std::vector<std::shared_ptr<tendril::cuda::memory_resource>> pools;
  for (const cuda_device& device : std::span(found.usable).first(2)) {
    cuda_options options;
    options.device = device.id;
    engines.emplace_back(options);
    placed.push_back(engines.back().place(graph));
    pools.push_back(tendril::cuda::default_memory());
  }
  EXPECT_NE(pools[0], pools[1]);
  for (const vertex_id source : test::some_sources(graph.num_vertices())) {
    const auto expected = oracle::bfs_depths(graph, std::vector<vertex_id>{source});
    const auto first = bfs(engines[0], placed[0], {source});
    const auto second = bfs(engines[1], placed[1], {source});
    EXPECT_EQ(first.depth.to_host(), expected);
    EXPECT_EQ(second.depth.to_host(), expected);
  }
}

TEST(devices, none_is_a_reason_not_a_crash) {
  const cuda_devices found = find_cuda_devices();
  EXPECT_EQ(found.usable.empty(), !found.reason.empty());
  EXPECT_EQ(found.reason.find('\n'), std::string::npos);
  if (found.usable.empty()) {
    EXPECT_THROW(cuda_engine{}, resource_error);
  }
  EXPECT_THROW(static_cast<void>(choose_cuda_device(999)), resource_error);
}

}  // namespace
