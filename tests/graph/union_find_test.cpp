#include "tendril/graph/union_find.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace tendril::testing {
namespace {

using ids = std::vector<vertex_id>;

ids numbered(std::size_t size) {
  ids all(size);
  std::iota(all.begin(), all.end(), vertex_id{0});
  return all;
}

TEST(union_find, the_least_of_a_tree_is_its_root) {
  ids parent = numbered(6);
  join_trees(parent.data(), 5, 2);
  join_trees(parent.data(), 3, 4);
  join_trees(parent.data(), 4, 5);
  join_trees(parent.data(), 2, 3);
  const auto roots = [&] {
    ids found;
    for (vertex_id v = 0; v < 6; ++v) {
      found.push_back(root_of(parent.data(), v));
    }
    return found;
  };
  EXPECT_EQ(roots(), (ids{0, 1, 2, 2, 2, 2}));
}

// Each edge is needed, and threads meet at the same roots: a join over another's would lose one.
TEST(union_find, loses_no_edge_of_a_shuffled_path) {
  constexpr std::size_t num_threads = 4;
  ids order = numbered(2'000);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  for (int round = 0; round < 1'500; ++round) {
    ids parent = numbered(order.size());
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < num_threads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t + 1; i < order.size(); i += num_threads) {
          join_trees(parent.data(), order[i - 1], order[i]);
        }
      });
    }
    for (std::thread& each : threads) {
      each.join();
    }
    const bool all_joined = std::all_of(
        order.begin(), order.end(), [&](vertex_id v) { return root_of(parent.data(), v) == 0; });
    ASSERT_TRUE(all_joined) << "round " << round;
  }
}

}  // namespace
}  // namespace tendril::testing
