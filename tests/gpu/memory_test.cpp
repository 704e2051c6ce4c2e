// What a GPU engine takes of the device's memory, and what happens where there is too little.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "gpu/failing_memory.hpp"
#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/sssp.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/engine.hpp"
#include "tendril/cuda/reach.hpp"

namespace {

using namespace tendril;
using test::gpu;
using test::search_by;

/// Gives out the same address again and again.
class endless_memory final : public tendril::cuda::memory_resource {
 public:
  void* allocate(std::size_t /*bytes*/, cudaStream_t /*stream*/) override { return this; }
  void deallocate(void* /*pointer*/, std::size_t /*bytes*/,
                  cudaStream_t /*stream*/) noexcept override {}
  std::size_t available_bytes() override { return std::size_t{1} << 40U; }
};

TEST(limited_memory, a_wish_that_is_refused_takes_nothing_from_other_threads) {
  constexpr int wishes = 5000;
  tendril::cuda::limited_memory memory(std::make_shared<endless_memory>(), 1000);
  std::atomic<int> wished = 0;
  std::jthread greedy([&] {
    for (; wished < wishes; ++wished) {
      EXPECT_THROW(static_cast<void>(memory.allocate(1001, nullptr)), resource_error);
    }
  });
  int refused = 0;
  while (wished < wishes) {
    try {
      memory.deallocate(memory.allocate(1000, nullptr), 1000, nullptr);
    } catch (const resource_error&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 0);
}

TEST_F(gpu, working_memory_keeps_its_formula) {
  cuda_engine engine;
  const vertex_id n = 1U << 18U;
  const csr<> input = generate_urand<>(18, 16, 1);
  const auto placed = engine.place(input);
  ASSERT_TRUE(placed.has_narrow_positions());
  constexpr std::size_t fixed = 1U << 20U;
  EXPECT_LE(engine.working_bytes(placed, true), 12.25 * n + fixed);
  EXPECT_LE(engine.working_bytes(placed, false), 8.25 * n + fixed);

  // What a search really takes, seen from outside.
  auto memory = std::make_shared<tendril::cuda::limited_memory>(tendril::cuda::default_memory(),
                                                                std::size_t{1} << 32U);
  cuda_options options;
  options.memory = memory;
  cuda_engine counted(options);
  const auto graph = counted.place(input);
  auto depth = counted.array(n, unreached);
  auto parent = counted.array(n, no_vertex);
  const std::size_t before = memory->available_bytes();
  traverse(counted, graph, {0}, depth_and_parent{depth.data(), parent.data()});
  EXPECT_LE(before - memory->available_bytes(), 24U * n);
  EXPECT_EQ(before - memory->available_bytes(), counted.working_bytes(graph, true));
}

TEST_F(gpu, refuses_what_does_not_fit_with_both_numbers) {
  cuda_options options;
  options.budget_bytes = 1 << 20;
  cuda_engine engine(options);
  try {
    static_cast<void>(engine.place(generate_path<>(1000000)));
    FAIL() << "placed a graph larger than the budget";
  } catch (const resource_error& refused) {
    EXPECT_NE(std::string(refused.what()).find("needed"), std::string::npos) << refused.what();
    EXPECT_NE(std::string(refused.what()).find("free 1048576"), std::string::npos)
        << refused.what();
  }
  options.budget_bytes = 10000000;
  cuda_engine small(options);
  const auto placed = small.place(generate_star<>(100000));
  EXPECT_THROW(static_cast<void>(small.array(10000000, unreached)), resource_error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(gpu, an_allocation_that_fails_anywhere_leaves_nothing_behind) {
  const std::vector<vertex_id> sources{1};
  const csr<> graph = generate_rmat<>(10, 8, 1);
  const auto depth = oracle::bfs_depths(graph, sources);
  for (const cuda_driver driver : {cuda_driver::resident, cuda_driver::stepped}) {
    test::expect_survives_failing_allocations<cuda_engine>(
        [&](cuda_engine& engine) {
          EXPECT_EQ(bfs(engine, engine.place(graph), sources).depth.to_host(), depth);
        },
        10, driver);
  }
  const csr<> one_way = test::make_graph(4, {{0, 1}, {1, 2}, {3, 0}});
  test::expect_survives_failing_allocations<cuda_engine>(
      [&](cuda_engine& engine) {
        const auto found = bfs(engine, engine.place(one_way), sources, search_by(direction::pull));
        EXPECT_EQ(found.depth.to_host(), oracle::bfs_depths(one_way, sources));
      },
      10);
  const auto heavy = test::with_weights<float>(graph, test::weights_kind::mixed);
  test::expect_survives_failing_allocations<cuda_engine>(
      [&](cuda_engine& engine) {
        const auto found = sssp(engine, engine.place(heavy), sources, {.with_parents = true});
        EXPECT_EQ(found.distance.to_host(), oracle::dijkstra_distances(heavy, sources));
      },
      10);
}

TEST_F(gpu, edges_that_could_not_be_turned_round_are_turned_when_asked_again) {
  test::pairs edges{{0, 20000}};
  for (vertex_id v = 1; v < 20000; ++v) {
    edges.emplace_back(v, 0);
  }
  const csr<> graph = test::make_graph(20001, edges);
  const std::vector<vertex_id> source{7};
  const auto expected = oracle::bfs_depths(graph, source);
  constexpr int never = -1;
  bool failed = true;
  int number = 0;
  for (; failed && number < 100; ++number) {
    const auto counted = std::make_shared<tendril::cuda::limited_memory>(
        tendril::cuda::default_memory(), std::size_t{1} << 32U);
    const auto memory = std::make_shared<test::failing_memory>(counted, never);
    cuda_options options;
    options.memory = memory;
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    const std::size_t before = counted->available_bytes();
    memory->fail_at(memory->count() + number);
    try {
      placed.prepare_pull();
      failed = false;
    } catch (const resource_error&) {
      EXPECT_FALSE(placed.can_pull());
      EXPECT_EQ(counted->available_bytes(), before) << "failing allocation " << number;
    }
    memory->fail_at(never);
    EXPECT_EQ(bfs(engine, placed, source, search_by(direction::pull)).depth.to_host(), expected);
    EXPECT_EQ(bfs(engine, placed, source).depth.to_host(), expected);
  }
  EXPECT_GT(number, 5);
  EXPECT_FALSE(failed);
}

/// What prepare_pull() says where only so much memory is left; nothing where that is enough.
template <weight W>
std::optional<std::string> refusal_of_turning(const csr<W>& graph, std::size_t left_bytes) {
  const auto all = std::size_t{1} << 32U;
  const auto memory =
      std::make_shared<tendril::cuda::limited_memory>(tendril::cuda::default_memory(), all);
  cuda_options options;
  options.memory = memory;
  cuda_engine engine(options);
  const auto placed = engine.place(graph);
  const tendril::cuda::device_buffer<std::byte> taken(memory->available_bytes() - left_bytes,
                                                      engine.stream(), memory);
  try {
    placed.prepare_pull();
  } catch (const resource_error& refused) {
    return refused.what();
  }
  return std::nullopt;
}

/// Down to the largest of what the checks ask for, no allocation fails that one let through.
template <weight W>
void expect_refusals_by_the_check(const csr<W>& graph) {
  std::size_t too_few = 0;
  std::size_t enough = std::size_t{1} << 26U;
  ASSERT_EQ(refusal_of_turning(graph, enough), std::nullopt);
  while (enough - too_few > 1) {
    const std::size_t middle = (too_few + enough) / 2;
    const auto refusal = refusal_of_turning(graph, middle);
    (refusal ? too_few : enough) = middle;
    if (refusal) {
      ASSERT_NE(refusal->find("GPU memory for the edges turned round"), std::string::npos)
          << *refusal << ", with " << middle << " bytes left";
    }
  }
}

TEST_F(gpu, turning_edges_round_needs_what_its_check_asks_for) {
  test::pairs edges;
  for (vertex_id v = 0; v < 50000; ++v) {
    edges.emplace_back(v, v * 7919 % 50000);
    edges.emplace_back(v, v % 3);  // rows that are cut into parts
  }
  const csr<> graph = test::make_graph(50000, edges);
  expect_refusals_by_the_check(graph);
  expect_refusals_by_the_check(test::with_weights<double>(graph, test::weights_kind::mixed));
}

// Of an error of the caller's own that nobody has read yet.
TEST_F(gpu, errors_of_calls_before_are_not_taken_for_the_engines) {
  const csr<> graph = test::make_graph(5, {{0, 1}, {1, 2}, {3, 4}, {2, 2}});
  const auto leave_an_error = [] {
    void* nothing = nullptr;
    ASSERT_NE(cudaMalloc(&nothing, std::size_t{1} << 60U), cudaSuccess);
  };
  cuda_engine engine;
  leave_an_error();
  const auto placed = engine.place(graph);
  leave_an_error();
  auto depth = engine.array(graph.num_vertices(), unreached);
  auto parent = engine.array(graph.num_vertices(), no_vertex);
  leave_an_error();
  traverse(engine, placed, {0}, depth_and_parent{depth.data(), parent.data()});
  EXPECT_EQ(depth.to_host(), oracle::bfs_depths(graph, std::vector<vertex_id>{0}));
  leave_an_error();
  EXPECT_EQ(reach(engine, placed, std::vector<vertex_id>{3}).queries.front().reached, 2U);
}

/// Bytes of the engine's memory that a search takes.
std::size_t bytes_of_a_search(const csr<>& graph, const schedule::any_way& way) {
  auto memory = std::make_shared<tendril::cuda::limited_memory>(tendril::cuda::default_memory(),
                                                                std::size_t{1} << 32U);
  cuda_options options;
  options.memory = memory;
  options.driver = cuda_driver::stepped;
  options.schedule = way;
  cuda_engine engine(options);
  const auto placed = engine.place(graph);
  auto depth = engine.array(graph.num_vertices(), unreached);
  auto parent = engine.array(graph.num_vertices(), no_vertex);
  const std::size_t before = memory->available_bytes();
  traverse(engine, placed, {0}, depth_and_parent{depth.data(), parent.data()});
  return before - memory->available_bytes() - engine.working_bytes(placed, true);
}

// Counters of 256 bytes each for two launches and a flag; a claim word per tile.
TEST_F(gpu, schedules_take_no_more_memory_than_they_say) {
  const csr<> graph = generate_urand<>(16, 16, 1);
  EXPECT_EQ(bytes_of_a_search(graph, schedule::per_block{}), 0U);
  EXPECT_EQ(bytes_of_a_search(graph, schedule::ticket{}), 516U);
  const std::size_t most_tiles = std::max<std::size_t>(graph.num_edges() / 2048 + 1, 264);
  EXPECT_LE(bytes_of_a_search(graph, schedule::launch_control{}), 516 + 4 * most_tiles);
}

}  // namespace
