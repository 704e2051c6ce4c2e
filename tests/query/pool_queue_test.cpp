#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "query/pool_soak.hpp"
#include "query/pool_testing.hpp"
#include "tendril/host/query_pool.hpp"
#include "visitors.hpp"

// What a pool does with the slots of any engine: queries that are taken together, a slot kept free
// for urgent ones, queries that fail while they run.

namespace stub {

using namespace tendril;

/// Runs nothing: notes what was taken together and where, and waits at a gate.
struct slot {
  using query = detail::pool_query<slot>;
  template <class Visitor>
  static std::shared_ptr<query> make_query(const struct engine& owner, std::vector<vertex_id>&&,
                                           const Visitor& visitor);
  bool is_kept_free;
};

struct taken_together {
  std::vector<int> numbers;
  bool in_free_slot;
};

struct engine {
  test::gate* at;
  std::vector<taken_together>* log;
  std::mutex* mutex;
  std::vector<std::thread::id>* begun;  ///< who began a query in the slot that is kept free
  std::size_t gathered = 4;
  bool keeps_one_free = false;
};

/// @tparam Kind  queries of one are taken together
template <int Kind>
struct work {
  using kind = first_visit;
  int number;
  bool fails = false;
  void arrive(vertex_id /*v*/, std::int32_t /*level*/) const {}
};

struct graph {
  using weight_type = none;
  [[nodiscard]] static vertex_id num_vertices() { return 10; }
};

template <class Visitor>
class query final : public detail::pool_query<slot> {
 public:
  query(const engine& owner, const Visitor& visitor)
      : detail::pool_query<slot>(&kind), owner_(owner), visitor_(visitor) {}

  void begin(slot& at) override {
    EXPECT_TRUE(at.is_kept_free);
    owner_.begun->push_back(std::this_thread::get_id());
    if (visitor_.number < 0) {
      throw resource_error("could not begin");
    }
  }
  void run(slot& at, std::span<const std::shared_ptr<detail::queued_query>> taken) override {
    taken_together together{{}, at.is_kept_free};
    bool fails = false;
    for (const auto& each : taken) {
      const auto& other = static_cast<const query&>(*each);
      together.numbers.push_back(other.visitor_.number);
      fails = fails || other.visitor_.fails;
      each->answer.reached = static_cast<std::uint64_t>(other.visitor_.number);
    }
    {
      const std::lock_guard lock(*owner_.mutex);
      owner_.log->push_back(together);
    }
    if (visitor_.number == 0) {
      test::held{owner_.at}.arrive(0, 0);
    }
    if (fails) {
      throw resource_error("no memory for query " + std::to_string(visitor_.number));
    }
  }

 private:
  static constexpr char kind = 0;
  engine owner_;
  Visitor visitor_;
};

template <class Visitor>
std::shared_ptr<slot::query> slot::make_query(const engine& owner, std::vector<vertex_id>&&,
                                              const Visitor& visitor) {
  return std::make_shared<stub::query<Visitor>>(owner, visitor);
}

detail::pool_slots<slot> make_pool_slots(const engine& owner, const graph& /*graph*/,
                                         const pool_options& options) {
  detail::pool_slots<slot> slots;
  slots.plan.gathered = owner.gathered;
  for (std::size_t i = 0; i < *options.slots; ++i) {
    slots.usual.push_back(std::make_unique<slot>(slot{false}));
  }
  if (owner.keeps_one_free) {
    slots.urgent = std::make_unique<slot>(slot{true});
  }
  return slots;
}

}  // namespace stub

namespace {

using namespace tendril;

class pool_slots : public testing::Test {
 protected:
  /// Submits numbered queries of one kind.
  template <int Kind, class Pool>
  std::vector<pending_query> submit(Pool& pool, const std::vector<int>& numbers) {
    std::vector<pending_query> queries;
    queries.reserve(numbers.size());
    for (const int number : numbers) {
      queries.push_back(pool.submit({1}, stub::work<Kind>{number}));
    }
    return queries;
  }
  [[nodiscard]] std::vector<std::vector<int>> numbers_taken() const {
    std::vector<std::vector<int>> numbers;
    for (const stub::taken_together& each : log) {
      numbers.push_back(each.numbers);
    }
    return numbers;
  }

  test::gate at;
  std::mutex mutex;
  std::vector<stub::taken_together> log;
  std::vector<std::thread::id> begun;
  stub::engine engine{&at, &log, &mutex, &begun};
};

TEST_F(pool_slots, take_queries_of_one_kind_together_in_their_order) {
  query_pool pool(engine, stub::graph{}, {.slots = 1});
  auto queries = submit<1>(pool, {0});
  at.wait_for(1);
  for (auto& more :
       {submit<1>(pool, {1, 2, 3, 4, 5, 6}), submit<2>(pool, {7, 8}), submit<1>(pool, {9})}) {
    static_cast<void>(more);
  }
  at.open();
  pool.wait();
  EXPECT_EQ(numbers_taken(),
            (std::vector<std::vector<int>>{{0}, {1, 2, 3, 4}, {5, 6}, {7, 8}, {9}}));
}

TEST_F(pool_slots, leave_each_other_a_share) {
  query_pool pool(engine, stub::graph{}, {.slots = 2});
  const auto held = submit<1>(pool, {0, 0});
  at.wait_for(2);
  const auto queries = submit<1>(pool, {1, 2, 3, 4, 5, 6});
  at.open();
  pool.wait();
  // Three and three, or one less for who comes later.
  std::size_t most = 0;
  for (const auto& each : numbers_taken()) {
    most = std::max(most, each.size());
  }
  EXPECT_EQ(most, 3U);
}

TEST_F(pool_slots, what_fails_fails_alone_with_its_own_exception) {
  engine.gathered = 1;
  query_pool pool(engine, stub::graph{}, {.slots = 2});
  std::vector<pending_query> queries;
  for (int number = 1; number < 20; ++number) {
    queries.push_back(pool.submit({1}, stub::work<1>{number, number % 3 == 0}));
  }
  for (int number = 1; number < 20; ++number) {
    pending_query& query = queries[static_cast<std::size_t>(number - 1)];
    if (number % 3 != 0) {
      EXPECT_EQ(query.get().reached, static_cast<std::uint64_t>(number));
      continue;
    }
    try {
      static_cast<void>(query.get());
      FAIL() << number;
    } catch (const resource_error& e) {
      EXPECT_EQ(e.what(), "no memory for query " + std::to_string(number));
    }
  }
}

TEST_F(pool_slots, one_kept_free_begins_urgent_queries_in_the_thread_that_submits) {
  engine.keeps_one_free = true;
  query_pool pool(engine, stub::graph{}, {.slots = 1});
  const auto queries = submit<1>(pool, {0, 1, 2});
  at.wait_for(1);
  for (int tries = 0; begun.empty() && tries < 1000; ++tries) {  // its thread may not wait yet
    pending_query query = pool.submit({1}, stub::work<1>{7}, query_priority::urgent);
    EXPECT_EQ(query.get().reached, 7U);
    EXPECT_FALSE(query.cancel());
  }
  EXPECT_EQ(begun, std::vector{std::this_thread::get_id()});
  at.open();
  pool.wait();
  for (const stub::taken_together& each : log) {
    EXPECT_EQ(each.in_free_slot, each.numbers[0] == 7);
  }
}

// What the order holds back counts, whoever answered it.
TEST_F(pool_slots, one_kept_free_keeps_to_the_capacity) {
  engine.keeps_one_free = true;
  query_pool pool(engine, stub::graph{},
                  {.slots = 1, .capacity = 2, .order = answer_order::submission});
  const auto first = submit<1>(pool, {0});
  at.wait_for(1);
  int accepted = 0;
  for (int tries = 0; tries < 100; ++tries) {
    accepted += pool.try_submit({1}, stub::work<1>{7}, query_priority::urgent) ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_GE(accepted, 2);
  EXPECT_LE(accepted, 3);  // one may have run while two were held
  at.open();
  pool.wait();
}

TEST_F(pool_slots, a_query_that_cannot_begin_fails_alone) {
  engine.keeps_one_free = true;
  query_pool pool(engine, stub::graph{}, {.slots = 1});
  const auto queries = submit<1>(pool, {0});
  at.wait_for(1);
  for (int tries = 0; begun.empty() && tries < 1000; ++tries) {
    pending_query query = pool.submit({1}, stub::work<1>{-1}, query_priority::urgent);
    query.wait();
    if (!begun.empty()) {
      EXPECT_THROW(static_cast<void>(query.get()), resource_error);
    }
  }
  EXPECT_EQ(begun.size(), 1U);
  EXPECT_EQ(pool.submit({1}, stub::work<1>{7}, query_priority::urgent).get().reached, 7U);
  at.open();
}

TEST_F(pool_slots, one_kept_free_leaves_the_second_urgent_query_to_the_others) {
  engine.keeps_one_free = true;
  query_pool pool(engine, stub::graph{}, {.slots = 1});
  pending_query holds_free = pool.submit({1}, stub::work<1>{0}, query_priority::urgent);
  at.wait_for(1);
  pending_query other = pool.submit({1}, stub::work<1>{5}, query_priority::urgent);
  EXPECT_EQ(other.get().reached, 5U);
  at.open();
}

// Each time its thread waits, or is about to.
TEST_F(pool_slots, one_kept_free_answers_while_others_come_and_go) {
  engine.keeps_one_free = true;
  query_pool pool(engine, stub::graph{}, {.slots = 1});
  for (int i = 0; i < 200; ++i) {
    const auto usual = submit<1>(pool, {1, 2, 3});
    EXPECT_EQ(pool.submit({1}, stub::work<1>{7}, query_priority::urgent).get().reached, 7U);
    if (i % 3 == 0) {
      pool.wait();
      EXPECT_EQ(pool.submit({1}, stub::work<1>{8}, query_priority::urgent).get().reached, 8U);
    }
  }
}

struct clear_on_host {
  void operator()(host_array<std::int32_t>& depth) const {
    std::fill_n(depth.data(), depth.size(), unreached);
  }
};

TEST(query_pool, soak) {
  for (const answer_order order : {answer_order::completion, answer_order::submission}) {
    host_engine engine({.threads = 2});
    test::pool_soak<test::hops, host_engine, clear_on_host> soak(
        engine, {.slots = 2, .capacity = 8, .order = order}, {});
    const std::size_t count = test::soak_queries(4000) / 2;
    const test::soak_tally tally = soak.run(count);
    EXPECT_EQ(tally.answered + tally.cancelled + tally.failed + tally.refused, count);
    EXPECT_GT(tally.answered, count / 2);
    EXPECT_GT(tally.failed, count / 50);
    EXPECT_GT(tally.cancelled, 0U);
    RecordProperty("answered", static_cast<int>(tally.answered));
  }
}

}  // namespace
