#include "tendril/cuda/chained.cuh"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/arrivals.hpp"
#include "gpu/failing_memory.hpp"
#include "gpu/gpu_test.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/core/atomics.hpp"

// Chains of launches: which driver ran and why, refused launches, and visitors of one's own on an
// engine that launches from the device. bfs_test and sssp_test run the battery on it.

namespace {

using namespace tendril;
using test::arrivals;
using test::gpu;

/// Labels vertices with the smallest source id that reaches them; stops after a level.
struct smallest_label {
  using kind = relaxing;
  vertex_id* label;
  std::int32_t* levels;  ///< [3]: begun, ended, asked to stop
  std::int32_t last_level;
  TENDRIL_HD void start(vertex_id v) const { label[v] = v; }
  TENDRIL_HD bool admits(edge<> e) const { return e.source != e.target; }
  TENDRIL_HD bool visit(edge<> e) const { return lower(label[e.target], load(label[e.source])); }
  TENDRIL_HD void level_begins(std::int32_t level) const { levels[0] = level + 1; }
  TENDRIL_HD void level_ends(std::int32_t level) const { levels[1] = level + 1; }
  TENDRIL_HD bool stops(std::int32_t level) const {
    levels[2] += 1;
    return level == last_level;
  }
};

cuda_options chained() {
  cuda_options options;
  options.driver = cuda_driver::chained;
  return options;
}

TEST_F(gpu, chained_says_that_it_ran_and_why_it_did_not) {
  const csr<> graph = test::make_graph(3, {{0, 1}, {1, 2}});
  const auto choice_of = [&](const cuda_options& options, const bfs_options& search = {}) {
    dynamic_cuda_engine engine(options);
    EXPECT_EQ(bfs(engine, engine.place(graph), {0}, search).depth.to_host(),
              (std::vector<std::int32_t>{0, 1, 2}));
    return engine.last_driver();
  };
  cuda_options options = chained();
  EXPECT_EQ(choice_of(options).used, cuda_driver::chained);
  EXPECT_EQ(choice_of(options).reason, "");
  EXPECT_EQ(choice_of(options).schedule, "fixed-grid");
  EXPECT_EQ(choice_of(options).form, "");
  options.schedule = schedule::per_block{};
  EXPECT_EQ(choice_of(options).schedule, "per-block");
  options.schedule = schedule::launch_control{};
  EXPECT_EQ(choice_of(options).schedule, "launch-control");
  EXPECT_EQ(choice_of(options).form, "software");
  EXPECT_EQ(choice_of(options, {.each_level = [](const level_report&) {}}).used,
            cuda_driver::stepped);
  options.tuning.use_device_launch = false;
  EXPECT_EQ(choice_of(options).used, cuda_driver::stepped);
  EXPECT_EQ(choice_of(options).reason, "kernels cannot launch here");

  options = {};
  EXPECT_NE(choice_of(options).reason.find("resident "), std::string::npos);
  EXPECT_NE(choice_of(options).reason.find(", chained "), std::string::npos);
  options.tuning.use_cooperative = false;
  EXPECT_NE(choice_of(options).used, cuda_driver::resident);
  EXPECT_EQ(choice_of(options).reason.find("resident"), std::string::npos);
  EXPECT_NE(choice_of(options).reason.find("to the next level: stepped "), std::string::npos);
}

// Whichever launch is refused, the host goes on from there: nothing is lost, nothing is done twice,
// no level is counted twice.
TEST_F(gpu, a_refused_launch_loses_no_vertex) {
  const csr<> graph = generate_rmat<>(17, 8, 7);  // steps of many tiles, too: one needs no launch
  const std::vector<vertex_id> sources{5};
  const auto expected = oracle::bfs_depths(graph, sources);
  std::uint32_t refused = 0;
  for (bool was_refused = true; was_refused;) {
    cuda_options options = chained();
    options.tuning.refused_launch = ++refused;
    options.tuning.dense_vertices = 0;  // some pushes mark
    dynamic_cuda_engine engine(options);
    const auto placed = engine.place(graph);
    auto depth = engine.array(graph.num_vertices(), unreached);
    auto times = engine.array(graph.num_vertices(), 0U);
    const auto report = traverse(engine, placed, sources, arrivals{depth.data(), times.data()});
    SCOPED_TRACE("launch " + std::to_string(refused) + " is refused");
    ASSERT_EQ(depth.to_host(), expected);
    const auto arrived = times.to_host();
    for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
      ASSERT_EQ(arrived[v], expected[v] == unreached ? 0U : 1U) << "vertex " << v;
    }
    ASSERT_EQ(report.levels.size(),
              static_cast<std::size_t>(*std::max_element(expected.begin(), expected.end())) + 1);
    const std::string reason = engine.last_driver().reason;
    was_refused = !reason.empty();
    if (was_refused) {
      ASSERT_NE(reason.find("a launch from the device was refused: cudaError"), std::string::npos)
          << reason;
    }
  }
  EXPECT_GT(refused, 3U);
}

TEST_F(gpu, chains_of_own_visitors_keep_their_promises) {
  for (const char* text : {"rmat:13:16", "grid:90x80:30", "star:3000", "path:17000"}) {
    const csr<> graph = generate(text);
    const std::vector<vertex_id> sources{graph.num_vertices() / 2};
    const auto expected = oracle::bfs_depths(graph, sources);
    for (auto& [name, engine, unused] : test::engines<dynamic_cuda_engine>()) {
      if (name.find("chained") == std::string::npos && name != "every push marks") {
        continue;
      }
      SCOPED_TRACE(std::string(text) + ", " + name);
      auto depth = engine.array(graph.num_vertices(), unreached);
      auto times = engine.array(graph.num_vertices(), 0U);
      const auto placed = engine.place(graph);
      traverse(engine, placed, sources, arrivals{depth.data(), times.data()});
      ASSERT_EQ(depth.to_host(), expected);
      const auto arrived = times.to_host();
      ASSERT_LE(*std::max_element(arrived.begin(), arrived.end()), 1U);
    }
  }
}

TEST_F(gpu, chains_show_levels_and_stop) {
  const csr<> graph = generate_grid<>(40, 30);
  const auto depth = oracle::bfs_depths(graph, std::vector<vertex_id>{0});
  dynamic_cuda_engine engine(chained());
  const auto placed = engine.place(graph);
  for (const std::int32_t last : {-1, 0, 7}) {
    auto label = engine.array(graph.num_vertices(), no_vertex);
    auto levels = engine.array(3, std::int32_t{0});
    const auto report =
        traverse(engine, placed, {0, 3}, smallest_label{label.data(), levels.data(), last});
    const auto count = static_cast<std::int32_t>(report.levels.size());
    EXPECT_EQ(levels.to_host(), (std::vector<std::int32_t>{count, count, count}));
    const auto found = label.to_host();
    if (last < 0) {
      EXPECT_EQ(report.end, ending::exhausted);
      EXPECT_EQ(found, std::vector<vertex_id>(graph.num_vertices(), 0));
    } else {
      EXPECT_EQ(report.end, ending::stopped_by_visitor);
      EXPECT_EQ(count, last + 1);
      for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
        EXPECT_EQ(found[v] == 0, depth[v] <= last + 1) << "vertex " << v;
      }
    }
  }
}

TEST_F(gpu, an_allocation_of_a_chain_that_fails_leaves_nothing_behind) {
  const std::vector<vertex_id> sources{1};
  const csr<> graph = generate_rmat<>(10, 8, 1);
  const auto depth = oracle::bfs_depths(graph, sources);
  test::expect_survives_failing_allocations<dynamic_cuda_engine>(
      [&](dynamic_cuda_engine& engine) {
        EXPECT_EQ(bfs(engine, engine.place(graph), sources).depth.to_host(), depth);
      },
      10, cuda_driver::chained);
}

}  // namespace
