#include "tendril/expand/expand.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "expand/expanders.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/expand.hpp"

namespace {

using tendril::expand;
using tendril::expand_report;
using tendril::host_engine;
using tendril::test::recording_expander;
using tendril::test::skewed_expander;

void expect_each_node_once(std::uint32_t fanout, std::int32_t depth, std::uint32_t num_nodes) {
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(::testing::Message()
                 << "fanout " << fanout << ", depth " << depth << ", " << threads << " threads");
    host_engine engine({.threads = threads});
    std::vector<std::uint32_t> splits(num_nodes, 0);
    std::vector<std::uint32_t> reduces(num_nodes, 0);
    std::uint32_t faults = 0;
    std::vector<recording_expander::node_type> roots{{0, 0, 0}};
    const expand_report report =
        expand(engine, std::span(roots),
               recording_expander{fanout, depth, splits.data(), reduces.data(), &faults});
    EXPECT_EQ(report.num_nodes, num_nodes);
    EXPECT_EQ(report.depth, depth);
    EXPECT_EQ(roots[0].num_below, num_nodes);
    EXPECT_EQ(faults, 0U);
    EXPECT_EQ(splits, std::vector<std::uint32_t>(num_nodes, 1));
    EXPECT_EQ(reduces, std::vector<std::uint32_t>(num_nodes, 1));
  }
}

TEST(expand, splits_and_reduces_each_node_once_children_first) {
  expect_each_node_once(0, 0, 1);            // the root alone
  expect_each_node_once(1, 31, 32);          // a chain of 31 levels
  expect_each_node_once(2, 16, 131071);      // 2^17 - 1
  expect_each_node_once(4, 8, 87381);        // (4^9 - 1) / 3
  expect_each_node_once(100000, 1, 100001);  // wide
}

TEST(expand, chains_may_be_deeper_than_any_stack) {
  expect_each_node_once(1, 1'000'000, 1'000'001);
}

struct list_sink {
  std::vector<skewed_expander::node_type> children;
  void add(const skewed_expander::node_type& child) { children.push_back(child); }
};

std::uint64_t reference(skewed_expander::node_type& node) {
  list_sink sink;
  const skewed_expander expander;
  expander.split(node, sink);
  std::uint64_t num_nodes = 1;
  for (auto& child : sink.children) {
    num_nodes += reference(child);
  }
  expander.reduce(node, sink.children.data(), sink.children.size());
  return num_nodes;
}

TEST(expand, skewed_trees_give_the_serial_result) {
  std::vector<skewed_expander::node_type> expected;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    expected.push_back({seed, 400, 0});
  }
  auto roots = expected;
  std::uint64_t num_nodes = 0;
  for (auto& root : expected) {
    num_nodes += reference(root);
  }
  ASSERT_GT(num_nodes, 10'000U);
  for (const int threads : {1, 3}) {
    host_engine engine({.threads = threads});
    auto grown = roots;
    EXPECT_EQ(expand(engine, std::span(grown), skewed_expander{}).num_nodes, num_nodes);
    for (std::size_t i = 0; i < grown.size(); ++i) {
      EXPECT_EQ(grown[i].digest, expected[i].digest) << "root " << i;
    }
  }
}

TEST(expand, without_roots_nothing_happens) {
  host_engine engine;
  const expand_report report =
      expand(engine, std::span<skewed_expander::node_type>(), skewed_expander{});
  EXPECT_EQ(report.num_nodes, 0U);
  EXPECT_EQ(report.depth, -1);
}

struct failing_expander {
  struct node_type {
    std::int32_t depth;
  };
  bool fails_in_split;

  template <class Sink>
  void split(node_type& node, Sink& children) const {
    if (fails_in_split && node.depth == 12) {
      throw std::runtime_error("split");
    }
    if (node.depth < 12) {
      children.add({node.depth + 1});
      children.add({node.depth + 1});
    }
  }
  void reduce(node_type& node, const node_type* /*children*/, std::size_t /*count*/) const {
    if (!fails_in_split && node.depth == 6) {
      throw std::runtime_error("reduce");
    }
  }
};

TEST(expand, passes_on_what_the_expander_throws) {
  host_engine engine({.threads = 4});
  std::vector<failing_expander::node_type> roots{{0}, {0}};
  EXPECT_THROW(expand(engine, std::span(roots), failing_expander{true}), std::runtime_error);
  EXPECT_THROW(expand(engine, std::span(roots), failing_expander{false}), std::runtime_error);
  expect_each_node_once(3, 5, 364);  // the engine goes on working
}

}  // namespace
