#include <algorithm>
#include <limits>
#include <thread>

#include "gpu/failing_memory.hpp"
#include "gpu/gpu_test.hpp"
#include "query/pool_soak.hpp"
#include "query/reach_testing.hpp"
#include "tendril/cuda/query_pool.cuh"
#include "visitors.hpp"

// Pools on a GPU. What pools do whatever their slots are is tested in tests/query.

namespace {

using namespace tendril;
using test::cheapest;
using test::gpu;
using test::hops;

/// Queries from some sources, answered and written as Boost.Graph says.
void expect_right(cuda_engine& engine, const csr<>& graph, const pool_options& options) {
  query_pool pool(engine, engine.place(graph), options);
  test::depths_by_source expected(graph);
  const auto sources = test::spread_sources(graph.num_vertices(), 30, 10);
  std::vector<cuda_array<std::int32_t>> depths;
  std::vector<pending_query> queries;
  for (const vertex_id source : sources) {
    depths.push_back(engine.array(graph.num_vertices(), unreached));
    const auto priority = queries.size() % 4 == 0 ? query_priority::urgent : query_priority::usual;
    queries.push_back(pool.submit({source}, hops{depths.back().data()}, priority));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    ASSERT_EQ(queries[i].get(), test::count_depths(expected[sources[i]]).summary) << i;
    ASSERT_EQ(depths[i].to_host(), expected[sources[i]]) << "from " << sources[i];
  }
}

TEST_F(gpu, pool_answers_like_boost_either_way_with_any_number_of_slots) {
  cuda_options options;
  options.memory = std::make_shared<test::poisoned_memory>();
  cuda_engine engine(options);
  std::vector<test::battery_case> cases = test::large_graphs();
  for (const test::battery_case& each : test::battery()) {
    if (each.graph.num_vertices() < 600) {
      cases.push_back(each);
    }
  }
  for (const test::battery_case& each : cases) {
    for (const reach_way way : {reach_way::blocks, reach_way::streams}) {
      for (const std::optional<std::size_t> slots : {std::optional<std::size_t>(2), {}}) {
        SCOPED_TRACE(each.name + ", " + std::string(to_string(way)));
        expect_right(engine, each.graph, {.slots = slots, .way = way});
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST_F(gpu, pool_runs_without_cooperative_launch_and_without_shared_bitmaps) {
  cuda_options options;
  options.tuning.use_cooperative = false;
  cuda_engine engine(options);
  expect_right(engine, generate("rmat:13:16"), {.slots = 3, .way = reach_way::streams});
  expect_right(engine, generate("grid:1700x1300:30"), {.slots = 3, .way = reach_way::blocks});
}

TEST_F(gpu, pool_runs_visitors_of_any_kind_and_several_sources_together) {
  const auto graph =
      test::with_weights<float>(generate("grid:90x70:30"), test::weights_kind::mixed);
  cuda_engine engine;
  query_pool pool(engine, engine.place(graph));
  EXPECT_EQ(pool.plan().way, reach_way::blocks);
  std::vector<cuda_array<float>> distances;
  std::vector<cuda_array<std::int32_t>> depths;
  std::vector<pending_query> queries;
  const std::vector<std::vector<vertex_id>> source_sets = {{0}, {3000}, {17, 6000, 17}, {0}};
  for (const auto& sources : source_sets) {
    distances.push_back(engine.array(graph.num_vertices(), std::numeric_limits<float>::infinity()));
    const auto priority = queries.size() % 4 == 0 ? query_priority::urgent : query_priority::usual;
    queries.push_back(pool.submit(sources, cheapest{distances.back().data()}, priority));
    depths.push_back(engine.array(graph.num_vertices(), unreached));
    queries.push_back(pool.submit(sources, hops{depths.back().data()}, query_priority::urgent));
  }
  for (std::size_t i = 0; i < source_sets.size(); ++i) {
    static_cast<void>(queries[2 * i].get());
    EXPECT_EQ(distances[i].to_host(), oracle::dijkstra_distances(graph, source_sets[i])) << i;
    const auto expected = oracle::bfs_depths(graph, source_sets[i]);
    EXPECT_EQ(queries[2 * i + 1].get(), test::count_depths(expected).summary) << i;
    EXPECT_EQ(depths[i].to_host(), expected) << i;
  }
}

/// Holds its slot from the first arrival on, until it is let go or has waited for seconds.
struct holder {
  using kind = first_visit;
  std::int32_t* told;  ///< in page-locked memory: it holds, it is to let go, it gave up
  TENDRIL_HD void arrive(vertex_id /*v*/, std::int32_t level) const {
    if (level != 0) {
      return;
    }
    store(told[0], 1);
    int tries = 2'000'000;
    while (load(told[1]) == 0 && --tries != 0) {
    }
    store(told[2], tries == 0 ? 1 : 0);
  }
};

/// A type whose kernels no other test has loaded.
struct urgent_hops : hops {};
/// One for which a slot needs more page-locked memory than for the others.
struct wide_hops : hops {
  std::byte unused[96] = {};
};

TEST_F(gpu, pool_answers_urgent_queries_while_all_its_slots_are_held) {
  cuda_engine engine;
  const auto graph = engine.place(generate("grid:90x70"));
  for (const reach_way way : {reach_way::blocks, reach_way::streams}) {
    SCOPED_TRACE(to_string(way));
    tendril::cuda::pinned_buffer<std::int32_t> told(3);
    std::fill_n(told.data(), 3, 0);
    auto depth = engine.array(graph.num_vertices(), unreached);
    query_pool pool(engine, graph, {.slots = 1, .way = way});
    pending_query held = pool.submit({0}, holder{told.data()});
    volatile std::int32_t& holds = told.data()[0];
    while (holds == 0 && !held.is_ready()) {
      std::this_thread::yield();
    }
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(pool.submit({0}, urgent_hops{{depth.data()}}, query_priority::urgent).get().reached,
                6300U);
    }
    EXPECT_EQ(pool.submit({0}, wide_hops{{depth.data()}}, query_priority::urgent).get().reached,
              6300U);
    EXPECT_FALSE(held.is_ready());
    static_cast<volatile std::int32_t&>(told.data()[1]) = 1;
    static_cast<void>(held.get());
    EXPECT_EQ(told.data()[2], 0) << "the urgent queries waited for the one that held the slot";
  }
}

TEST_F(gpu, pool_says_which_way_and_why) {
  cuda_engine engine;
  const auto plan_of = [&](const char* text, const pool_options& options) {
    return query_pool(engine, engine.place(generate(text)), options).plan();
  };
  const pool_plan narrow = plan_of("grid:300x300:30", {});
  EXPECT_EQ(narrow.way, reach_way::blocks);
  EXPECT_NE(narrow.reason.find("a query enters"), std::string::npos) << narrow.reason;
  EXPECT_EQ(narrow.gathered,
            static_cast<std::size_t>(engine.device().num_multiprocessors) / (narrow.slots + 1));
  EXPECT_TRUE(narrow.urgent_slot);
  EXPECT_EQ(narrow.warning, "");
  const pool_plan broad = plan_of("rmat:17:16", {});
  EXPECT_EQ(broad.way, reach_way::streams);
  EXPECT_EQ(broad.gathered, 1U);
  const pool_plan crowded = plan_of("path:9", {.slots = 100, .way = reach_way::blocks});
  EXPECT_EQ(crowded.slots, 100U);
  EXPECT_EQ(crowded.reason, "");
  EXPECT_NE(crowded.warning.find("101 streams share"), std::string::npos) << crowded.warning;
}

/// Says that less is free than there is.
class scarce_memory final : public tendril::cuda::memory_resource {
 public:
  void* allocate(std::size_t bytes, cudaStream_t stream) override {
    return upstream_->allocate(bytes, stream);
  }
  void deallocate(void* pointer, std::size_t bytes, cudaStream_t stream) noexcept override {
    upstream_->deallocate(pointer, bytes, stream);
  }
  std::size_t available_bytes() override { return left; }
  std::size_t left = std::size_t{1} << 34U;

 private:
  std::shared_ptr<tendril::cuda::memory_resource> upstream_ = tendril::cuda::default_memory();
};

TEST_F(gpu, pool_has_as_many_slots_as_memory_and_refuses_with_numbers) {
  const auto memory = std::make_shared<scarce_memory>();
  cuda_options options;
  options.memory = memory;
  cuda_engine engine(options);
  const auto graph = engine.place(generate("grid:500x500"));
  const auto plan_with = [&](std::size_t left) {
    memory->left = left;
    return query_pool(engine, graph, {.way = reach_way::blocks}).plan();
  };
  const pool_plan all = plan_with(std::size_t{1} << 34U);
  const std::size_t each = all.working_bytes / (all.slots + 1);
  EXPECT_GT(each, std::size_t{24} * 250'000);  // two queues of three numbers, for a relaxing one
  EXPECT_EQ(plan_with(10 * each).slots, 4U);   // and one kept free: half of what is free
  const pool_plan one = plan_with(each);
  EXPECT_EQ(one.slots, 1U);
  EXPECT_FALSE(one.urgent_slot);
  EXPECT_EQ(one.working_bytes, each);
  try {
    static_cast<void>(plan_with(each - 1));
    FAIL() << "accepted";
  } catch (const resource_error& e) {
    EXPECT_EQ(std::string(e.what()), "GPU working memory of a slot: needed " +
                                         std::to_string(each) + " bytes, free " +
                                         std::to_string(each - 1));
  }
}

TEST_F(gpu, pool_survives_failing_allocations) {
  test::expect_survives_failing_allocations<cuda_engine>(
      [](cuda_engine& engine) {
        const auto graph = engine.place(generate_path(300));
        auto depth = engine.array(300, unreached);
        query_pool pool(engine, graph, {.slots = 2});
        static_cast<void>(pool.submit({7}, hops{depth.data()}).get());
      },
      3);
}

TEST_F(gpu, pool_refuses_what_means_nothing) {
  cuda_engine engine;
  const auto graph = engine.place(generate_path(5));
  const auto refuses = [&](const pool_options& options) {
    EXPECT_THROW((query_pool<cuda_engine, cuda_graph<>>(engine, graph, options)), usage_error);
  };
  refuses({.slots = 0});
  refuses({.slots = 128});
  refuses({.capacity = 0});
  refuses({.way = reach_way::batch});
}

TEST_F(gpu, pool_soak) {
  struct clear {
    void operator()(cuda_array<std::int32_t>& depth) const {
      TENDRIL_CUDA_CHECK(
          cudaMemsetAsync(depth.data(), 0xFF, depth.size() * sizeof(std::int32_t), stream));
    }
    cudaStream_t stream;
  };
  static_assert(unreached == -1);
  for (const auto& [way, order] : {std::pair{reach_way::blocks, answer_order::completion},
                                   std::pair{reach_way::streams, answer_order::submission}}) {
    cuda_engine engine;
    test::pool_soak<hops, cuda_engine, clear> soak(
        engine, {.slots = 3, .capacity = 8, .order = order, .way = way}, {engine.stream()});
    const std::size_t count = test::soak_queries(4000) / 2;
    const test::soak_tally tally = soak.run(count);
    EXPECT_EQ(tally.answered + tally.cancelled + tally.failed + tally.refused, count);
    EXPECT_GT(tally.answered, count / 2);
  }
}

}  // namespace
