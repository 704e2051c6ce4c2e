#include "tendril/query/query_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "query/pool_testing.hpp"
#include "query/reach_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/query_pool.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "visitors.hpp"

namespace {

using namespace tendril;
using test::cheapest;
using test::gate;
using test::held;
using test::hops;
using test::numbered;

class pool_on_battery : public testing::TestWithParam<std::size_t> {};

TEST_P(pool_on_battery, answers_like_boost) {
  const csr<>& graph = test::battery()[GetParam()].graph;
  test::depths_by_source expected(graph);
  const bool is_large = graph.num_vertices() > 10'000;
  const auto sources =
      test::spread_sources(graph.num_vertices(), is_large ? 6 : 40, is_large ? 3 : 20);
  for (const std::size_t slots : {1U, 3U}) {
    host_engine engine({.threads = 2});
    query_pool pool(engine, engine.place(graph), {.slots = slots});
    std::vector<host_array<std::int32_t>> depths;
    std::vector<pending_query> queries;
    for (const vertex_id source : sources) {
      depths.push_back(engine.array(graph.num_vertices(), unreached));
      queries.push_back(pool.submit({source}, hops{depths.back().data()}));
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      ASSERT_EQ(queries[i].get(), test::count_depths(expected[sources[i]]).summary) << i;
      ASSERT_EQ(depths[i].to_host(), expected[sources[i]]) << "from " << sources[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(battery, pool_on_battery,
                         testing::Range(std::size_t{0}, test::battery().size()),
                         [](const auto& param) { return test::battery()[param.param].name; });

TEST(query_pool, runs_visitors_of_any_kind_together) {
  const auto graph = test::with_weights<float>(generate_grid(40, 30), test::weights_kind::mixed);
  host_engine engine;
  query_pool pool(engine, engine.place(graph), {.slots = 2});
  std::vector<host_array<float>> distances;
  std::vector<host_array<std::int32_t>> depths;
  std::vector<pending_query> queries;
  const std::vector<vertex_id> sources = {0, 599, 1199};
  for (const vertex_id source : sources) {
    distances.push_back(engine.array(graph.num_vertices(), std::numeric_limits<float>::infinity()));
    depths.push_back(engine.array(graph.num_vertices(), unreached));
    queries.push_back(pool.submit({source}, cheapest{distances.back().data()}));
    queries.push_back(pool.submit({source}, hops{depths.back().data()}));
  }
  pool.wait();
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::vector<vertex_id> source{sources[i]};
    EXPECT_EQ(distances[i].to_host(), oracle::dijkstra_distances(graph, source));
    EXPECT_EQ(depths[i].to_host(), oracle::bfs_depths(graph, source));
  }
  EXPECT_TRUE(std::all_of(queries.begin(), queries.end(),
                          [](const pending_query& query) { return query.is_ready(); }));
}

// 0 - 1 - 2 - 3 - 4.
class pool_of_one : public testing::Test {
 protected:
  /// Submits a query that holds the only slot.
  [[nodiscard]] pending_query hold() {
    pending_query query = pool.submit({4}, held{&at});
    at.wait_for(1);
    return query;
  }
  [[nodiscard]] numbered number(int which) { return {which, &count, log}; }

  host_engine engine{{.threads = 1}};
  host_graph<> path = engine.place(generate_path(5));
  gate at;
  std::atomic<int> count{0};
  int log[8] = {};
  query_pool<host_engine, host_graph<>> pool{engine, path, {.slots = 1, .capacity = 2}};
};

TEST_F(pool_of_one, no_sources_end_at_once) {
  pending_query holds = hold();
  pending_query none = pool.submit({}, number(1));
  EXPECT_EQ(none.get(), (reach_summary{0, 0, 0}));
  EXPECT_EQ(count, 0);
  at.open();
}

TEST_F(pool_of_one, a_source_outside_the_graph_fails_alone_and_is_named) {
  std::vector<pending_query> queries;
  for (const vertex_id source : {0U, 5U, 4U}) {
    queries.push_back(pool.submit({1, source}, number(1)));
  }
  EXPECT_EQ(queries[0].get(), (reach_summary{5, 3, 6}));
  try {
    static_cast<void>(queries[1].get());
    FAIL() << "accepted a source outside the graph";
  } catch (const input_error& e) {
    EXPECT_STREQ(e.what(), "source 5 is not in the graph: expected 0 .. 4");
  }
  EXPECT_EQ(queries[2].get(), (reach_summary{5, 1, 3}));
}

TEST_F(pool_of_one, a_source_submitted_twice_is_answered_twice_and_named_twice_counts_once) {
  auto first = engine.array(5, unreached);
  auto second = engine.array(5, unreached);
  pending_query one = pool.submit({1}, hops{first.data()});
  pending_query other = pool.submit({1, 1}, hops{second.data()});
  EXPECT_EQ(one.get(), (reach_summary{5, 3, 7}));
  EXPECT_EQ(other.get(), (reach_summary{5, 3, 7}));
  EXPECT_EQ(first.to_host(), (std::vector<std::int32_t>{1, 0, 1, 2, 3}));
  EXPECT_EQ(second.to_host(), first.to_host());
}

TEST_F(pool_of_one, urgent_queries_overtake_those_that_have_not_begun) {
  pending_query holds = hold();
  for (const auto& [which, priority] : {std::pair{1, query_priority::usual},
                                        {2, query_priority::usual},
                                        {3, query_priority::urgent},
                                        {4, query_priority::urgent}}) {
    static_cast<void>(pool.submit({0}, number(which), priority));
  }
  EXPECT_EQ(pool.num_waiting(), 4U);
  at.open();
  pool.wait();
  EXPECT_EQ((std::vector<int>(log, log + 4)), (std::vector<int>{3, 4, 1, 2}));
}

TEST_F(pool_of_one, a_query_that_has_not_begun_is_cancelled_one_that_runs_goes_on) {
  pending_query runs = hold();
  pending_query waits = pool.submit({0}, number(1));
  EXPECT_TRUE(waits.cancel());
  EXPECT_TRUE(waits.is_ready());
  EXPECT_FALSE(waits.cancel());
  EXPECT_EQ(pool.num_waiting(), 0U);
  EXPECT_FALSE(runs.cancel());
  EXPECT_FALSE(runs.is_ready());
  at.open();
  EXPECT_THROW(static_cast<void>(waits.get()), query_cancelled);
  EXPECT_EQ(runs.get(), (reach_summary{5, 4, 10}));
  EXPECT_FALSE(runs.cancel());
  EXPECT_EQ(count, 0);
}

TEST_F(pool_of_one, a_full_queue_holds_submitters_back) {
  pending_query runs = hold();
  pending_query first = pool.submit({0}, number(1));
  pending_query second = pool.submit({0}, number(2));
  EXPECT_FALSE(pool.try_submit({0}, number(3)).has_value());
  EXPECT_TRUE(pool.try_submit({0}, number(4), query_priority::urgent).has_value());
  EXPECT_TRUE(first.cancel());
  EXPECT_TRUE(pool.try_submit({0}, number(5)).has_value());
  EXPECT_FALSE(pool.try_submit({0}, number(6)).has_value());

  std::atomic<bool> submitted{false};
  std::thread submitter([&] {
    static_cast<void>(pool.submit({0}, number(7)));
    submitted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(submitted);
  at.open();
  submitter.join();
  pool.wait();
  EXPECT_EQ((std::vector<int>(log, log + count)), (std::vector<int>{4, 2, 5, 7}));
}

TEST(query_pool, answers_come_as_queries_end_or_as_they_were_submitted) {
  for (const answer_order order : {answer_order::completion, answer_order::submission}) {
    host_engine engine({.threads = 2});
    query_pool pool(engine, engine.place(generate_path(5)),
                    {.slots = 2, .capacity = 3, .order = order});
    gate at;
    auto depth = engine.array(5, unreached);
    std::vector<pending_query> queries;
    queries.push_back(pool.submit({4}, held{&at}));
    at.wait_for(1);
    queries.push_back(pool.submit({0}, hops{depth.data()}));
    queries.push_back(pool.submit({9}, hops{depth.data()}));
    const bool in_turn = order == answer_order::submission;
    if (in_turn) {
      // Long enough for both to end; they hold two of the three places that may wait.
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      EXPECT_FALSE(queries[1].is_ready());
      EXPECT_FALSE(queries[2].is_ready());
    } else {
      queries[1].wait();
      queries[2].wait();
    }
    EXPECT_FALSE(queries[0].is_ready());
    at.open();
    queries[2].wait();
    EXPECT_TRUE(queries[1].is_ready());
    if (in_turn) {
      EXPECT_TRUE(queries[0].is_ready());
    }
    EXPECT_EQ(queries[1].get(), (reach_summary{5, 4, 10}));
    EXPECT_THROW(static_cast<void>(queries[2].get()), input_error);
  }
}

TEST(query_pool, that_ends_cancels_what_waits_and_finishes_what_runs) {
  host_engine engine({.threads = 1});
  gate at;
  std::optional<pending_query> runs;
  std::optional<pending_query> waits;
  std::thread opener;
  {
    query_pool pool(engine, engine.place(generate_path(5)), {.slots = 1});
    runs = pool.submit({4}, held{&at});
    at.wait_for(1);
    waits = pool.submit({4}, held{&at});
    opener = std::thread([&] {
      waits->wait();  // cancelled while the other one runs
      at.open();
    });
  }
  opener.join();
  EXPECT_EQ(runs->get().reached, 5U);
  EXPECT_FALSE(waits->cancel());
  EXPECT_THROW(static_cast<void>(waits->get()), query_cancelled);
}

TEST(query_pool, takes_queries_from_several_threads) {
  constexpr std::size_t each = 300;
  host_engine engine({.threads = 2});
  query_pool pool(engine, engine.place(generate_path(100)), {.slots = 3, .capacity = 5});
  std::vector<std::thread> submitters;
  std::atomic<std::size_t> right{0};
  for (vertex_id who = 0; who < 4; ++who) {
    submitters.emplace_back([&pool, &right, who] {
      std::vector<std::int32_t> depth(100, unreached);
      for (std::size_t i = 0; i < each; ++i) {
        const auto priority = i % 7 == 0 ? query_priority::urgent : query_priority::usual;
        right += pool.submit({who}, hops{depth.data()}, priority).get().depth ==
                 static_cast<std::int32_t>(99 - who);
      }
    });
  }
  for (std::thread& submitter : submitters) {
    submitter.join();
  }
  EXPECT_EQ(right, 4 * each);
}

TEST(query_pool, shares_out_the_threads_and_refuses_what_means_nothing) {
  host_engine engine({.threads = 3});
  const auto graph = engine.place(generate_path(5));
  const pool_plan plan = query_pool(engine, graph).plan();
  EXPECT_EQ(plan.slots, 3U);
  EXPECT_EQ(plan.gathered, 1U);
  EXPECT_EQ(plan.way, reach_way::streams);
  EXPECT_FALSE(plan.urgent_slot);
  const auto refused = [&](const pool_options& options) {
    try {
      const query_pool pool(engine, graph, options);
    } catch (const usage_error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused({.slots = 0}), "slots must be 1 to 1024, found 0");
  EXPECT_EQ(refused({.slots = 1025}), "slots must be 1 to 1024, found 1025");
  EXPECT_EQ(refused({.capacity = 0}),
            "the queue of a pool must have room for 1 query at least, found 0");
  EXPECT_EQ(refused({.way = reach_way::blocks}),
            "a pool of this engine runs queries as streams, found blocks");
  EXPECT_EQ(refused({.way = reach_way::batch}),
            "a pool of this engine runs queries as streams, found batch");
}

}  // namespace
