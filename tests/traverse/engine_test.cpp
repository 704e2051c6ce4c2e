#include "tendril/host/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tendril/algorithms/bfs.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/team.hpp"

namespace {

using namespace tendril;

TEST(host_engine, takes_the_number_of_threads_it_is_given) {
  EXPECT_EQ(host_engine({.threads = 3}).threads(), 3);
  EXPECT_GE(host_engine().threads(), 1);
  EXPECT_THROW(host_engine({.threads = -1}), usage_error);
}

TEST(host_engine, places_without_a_copy) {
  const csr<> graph = generate_path(10);
  const host_engine engine;
  const auto placed = engine.place(graph);
  EXPECT_EQ(placed.view().targets, graph.view().targets);
  EXPECT_EQ(placed.num_vertices(), 10U);
  EXPECT_EQ(placed.num_edges(), 18U);
  EXPECT_EQ(placed.host().view().offsets, graph.view().offsets);
}

TEST(host_engine, arrays_start_with_their_value) {
  host_engine engine({.threads = 2});
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1'000'003}}) {
    EXPECT_EQ(engine.array<double>(size, 2.5).to_host(), std::vector<double>(size, 2.5));
  }
}

TEST(host_engine, an_array_larger_than_any_address_is_refused) {
  host_engine engine({.threads = 1});
  const std::size_t wraps = static_cast<std::size_t>(-1) / sizeof(double) + 2;
  EXPECT_THROW(static_cast<void>(engine.array<double>(wraps, 0)), resource_error);
}

TEST(host_engine, traversals_of_several_threads_do_not_disturb_each_other) {
  host_engine engine({.threads = 3});
  const auto graph = engine.place(generate_path(3000));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (vertex_id source : {0U, 1000U, 2999U}) {
    threads.emplace_back([&, source] {
      for (int round = 0; round < 5; ++round) {
        const auto depth = bfs(engine, graph, {source}).depth.to_host();
        for (vertex_id v = 0; v < depth.size(); ++v) {
          const auto expected = static_cast<std::int32_t>(v > source ? v - source : source - v);
          wrong += depth[v] == expected ? 0 : 1;
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(host_engine, a_traversal_may_start_another_between_levels) {
  host_engine engine({.threads = 2});
  const auto graph = engine.place(generate_star(5000));
  int inner_levels = 0;
  static_cast<void>(bfs(engine, graph, {0}, {.each_level = [&](const level_report& /*level*/) {
                          inner_levels +=
                              static_cast<int>(bfs(engine, graph, {17}).report.levels.size());
                        }}));
  EXPECT_EQ(inner_levels, 2 * 3);
}

// A hook that waits for the whole traversal of another thread: it must not wait for this one.
TEST(host_engine, no_traversal_waits_for_another) {
  for (const int num_threads : {2, 4}) {
    host_engine engine({.threads = num_threads});
    const auto graph = engine.place(generate_path(3));
    for (int round = 0; round < 200; ++round) {
      std::promise<void> between_levels;
      std::promise<void> other_is_done;
      std::thread other([&] {
        between_levels.get_future().wait();
        static_cast<void>(bfs(engine, graph, {2}));
        other_is_done.set_value();
      });
      auto done = other_is_done.get_future();
      auto waited = std::future_status::ready;
      static_cast<void>(bfs(engine, graph, {0}, {.each_level = [&](const level_report& level) {
                              if (level.level == 1) {
                                between_levels.set_value();
                                waited = done.wait_for(std::chrono::seconds(20));
                              }
                            }}));
      other.join();
      ASSERT_EQ(waited, std::future_status::ready) << "round " << round;
    }
  }
}

TEST(host_engine, an_exception_between_levels_ends_the_traversal_and_leaves_the_engine_usable) {
  host_engine engine({.threads = 4});
  const auto graph = engine.place(generate_path(100));
  EXPECT_THROW(static_cast<void>(bfs(engine, graph, {0},
                                     {.each_level =
                                          [](const level_report& level) {
                                            if (level.level == 3) {
                                              throw std::runtime_error("enough");
                                            }
                                          }})),
               std::runtime_error);
  EXPECT_EQ(bfs(engine, graph, {0}).report.entered, 100U);
}

// A workspace that a larger graph has used must not leave its bits to a smaller one.
TEST(host_engine, a_traversal_starts_clean_whatever_ran_before) {
  host_engine engine({.threads = 2});
  const auto large = engine.place(generate_rmat(13, 8, 1));
  const auto small = engine.place(generate_path(700));
  for (const direction way : {direction::push, direction::pull}) {
    static_cast<void>(bfs(engine, large, {large.view().target(0)}, {.way = way}));
    EXPECT_EQ(bfs(engine, small, {0}, {.way = way}).report.entered, 700U);
  }
}

TEST(team, runs_each_chunk_exactly_once_whether_or_not_helpers_come) {
  for (const std::uint32_t helpers : {0U, 1U, 3U}) {
    detail::team team(4);
    std::vector<std::thread> threads;
    for (std::uint32_t thread = 1; thread <= helpers; ++thread) {
      threads.emplace_back([&team, thread] { team.help(thread); });
    }
    std::uint64_t wrong = 0;
    for (std::uint32_t step = 0; step < 3000; ++step) {
      const std::uint32_t num_chunks = step % 37;
      std::vector<std::uint32_t> runs(num_chunks, 0);  // plain: a chunk has one owner
      std::vector<std::uint32_t> by(num_chunks, 0);
      team.for_each_chunk(num_chunks, [&](std::uint32_t chunk, std::uint32_t thread) {
        ++runs[chunk];
        by[chunk] = thread;
      });
      for (const std::uint32_t thread : by) {
        wrong += thread <= helpers ? 0 : 1;
      }
      for (const std::uint32_t count : runs) {
        wrong += count == 1 ? 0 : 1;
      }
    }
    team.dismiss();
    for (std::thread& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(wrong, 0U) << helpers << " helpers";
  }
}

TEST(team, helpers_that_fell_asleep_wake_up_for_the_end) {
  detail::team team(2);
  std::thread helper([&team] { team.help(1); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  team.dismiss();
  helper.join();
}

}  // namespace
