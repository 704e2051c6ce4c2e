#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "expand/expanders.hpp"
#include "gpu/fixture.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/expand.cuh"
#include "tendril/cuda/pending_launches.hpp"
#include "tendril/host/expand.hpp"

// expand on a GPU: trees whose size, leaves and depth are worked out by hand, in both ways, with
// blocks that hold little, with refused launches and with small pools of pending launches. The
// translation unit is compiled with assertions.

namespace {

using tendril::cuda_expand_options;
using tendril::cuda_expand_report;
using tendril::expand_way;
using tendril::test::recording_expander;
using tendril::test::skewed_expander;

struct named_options {
  std::string name;
  cuda_expand_options options;
};

named_options with(expand_way way, std::uint32_t block_nodes = 0, std::uint32_t refuse_every = 0) {
  cuda_expand_options options;
  options.way = way;
  options.max_nodes = std::size_t{1} << 22U;
  options.tuning.block_nodes = block_nodes;
  options.tuning.refuse_every = refuse_every;
  return {std::string(to_string(way)) + ", blocks of " + std::to_string(block_nodes) +
              " nodes, refused " + std::to_string(refuse_every),
          options};
}

/// Both ways, with blocks that hand over at once, soon or late, and with refusals of every kind.
std::vector<named_options> all_options() {
  std::vector<named_options> all;
  for (const std::uint32_t refuse_every : {0, 1, 2, 3, 7}) {
    all.push_back(with(expand_way::level, 0, refuse_every));
    for (const std::uint32_t block_nodes : {0, 2, 50, 700}) {
      all.push_back(with(expand_way::child_grid, block_nodes, refuse_every));
    }
  }
  return all;
}

class expand_gpu : public tendril::test::gpu {
 protected:
  void SetUp() override {  // NOLINT(readability-identifier-naming)
    gpu::SetUp();
    if (!IsSkipped()) {
      tendril::cuda_options options;
      options.memory = std::make_shared<tendril::test::poisoned_memory>();
      engine_.emplace(options);
    }
  }

  template <class Expander>
  cuda_expand_report grow(std::vector<typename Expander::node_type>& roots,
                          const Expander& expander, const cuda_expand_options& options) {
    auto on_device = to_device(roots);
    const cuda_expand_report report =
        expand(*engine_, std::span(on_device.data(), on_device.size()), expander, options);
    roots = tendril::cuda::to_host(on_device, engine_->stream());
    return report;
  }

  template <class T>
  tendril::cuda::device_buffer<T> to_device(const std::vector<T>& values) {
    return tendril::cuda::to_device(std::span<const T>(values), engine_->stream());
  }

  /// Grows complete trees, and looks at each call that the expander had.
  cuda_expand_report expect_each_node_once(std::uint32_t fanout, std::int32_t depth,
                                           std::uint32_t num_nodes, std::uint32_t num_leaves,
                                           const named_options& how) {
    SCOPED_TRACE(testing::Message()
                 << "fanout " << fanout << ", depth " << depth << ", " << how.name);
    auto splits = to_device(std::vector<std::uint32_t>(num_nodes, 0));
    auto reduces = to_device(std::vector<std::uint32_t>(num_nodes, 0));
    auto faults = to_device(std::vector<std::uint32_t>(1, 0));
    std::vector<recording_expander::node_type> roots{{0, 0, 0}};
    const cuda_expand_report report =
        grow(roots, recording_expander{fanout, depth, splits.data(), reduces.data(), faults.data()},
             how.options);
    EXPECT_EQ(report.num_nodes, num_nodes);
    EXPECT_EQ(report.num_leaves, num_leaves);
    EXPECT_EQ(report.depth, depth);
    EXPECT_EQ(roots[0].num_below, num_nodes);
    const std::vector<std::uint32_t> once(num_nodes, 1);
    EXPECT_TRUE(tendril::cuda::to_host(splits, engine_->stream()) == once);
    EXPECT_TRUE(tendril::cuda::to_host(reduces, engine_->stream()) == once);
    EXPECT_EQ(tendril::cuda::to_host(faults, engine_->stream())[0], 0U);
    return report;
  }

  std::optional<tendril::cuda_engine> engine_;
};

TEST_F(expand_gpu, splits_and_reduces_each_node_once_children_first) {
  for (const named_options& how : all_options()) {
    expect_each_node_once(0, 0, 1, 1, how);            // the root alone
    expect_each_node_once(1, 31, 32, 1, how);          // a chain of 31 levels
    expect_each_node_once(2, 12, 8191, 4096, how);     // 2^13 - 1
    expect_each_node_once(9, 4, 7381, 6561, how);      // (9^5 - 1) / 8: one more than a sink stages
    expect_each_node_once(300, 2, 90301, 90000, how);  // 1 + 300 + 300^2: segments of 16 to 256
  }
}

TEST_F(expand_gpu, the_host_makes_all_launches_where_kernels_cannot) {
  tendril::cuda_options options;
  options.tuning.use_device_launch = false;
  engine_.emplace(options);
  for (const expand_way way : {expand_way::level, expand_way::child_grid}) {
    const auto report = expect_each_node_once(2, 12, 8191, 4096, with(way, 50));
    EXPECT_EQ(report.num_child_grids + report.num_tail_launches, 0U);
  }
}

TEST_F(expand_gpu, one_node_may_have_a_hundred_thousand_children) {
  expect_each_node_once(100000, 1, 100001, 100000, with(expand_way::level));
  expect_each_node_once(100000, 1, 100001, 100000, with(expand_way::child_grid));
}

TEST_F(expand_gpu, a_million_leaves) {
  for (const named_options& how :
       {with(expand_way::level), with(expand_way::child_grid), with(expand_way::child_grid, 700)}) {
    expect_each_node_once(2, 20, 2097151, 1048576, how);  // 2^21 - 1
  }
}

/// Trees of the recurrence T(n) = T(n - 1) + T(n - 2) + 1, or, without a stride, chains of n nodes
/// with a leaf each.
struct recurrence {
  struct node_type {
    std::uint32_t n;
    std::uint32_t num_leaves;
  };
  std::uint32_t stride;  // 2 or 0; of one byte, compute-sanitizer would take launches for errors

  template <class Sink>
  TENDRIL_HD void split(node_type& node, Sink& children) const {
    if (node.n > stride / 2) {
      children.add({node.n - 1, 0});
      children.add({stride == 0 ? 0 : node.n - stride, 0});
    }
  }
  TENDRIL_HD void reduce(node_type& node, const node_type* children, std::size_t count) const {
    node.num_leaves = count == 0 ? 1 : children[0].num_leaves + children[1].num_leaves;
  }
};

constexpr recurrence fibonacci{2};
constexpr recurrence caterpillar{0};

TEST_F(expand_gpu, recurrences_and_skewed_chains) {
  for (const named_options& how : all_options()) {
    SCOPED_TRACE(how.name);
    std::vector<recurrence::node_type> roots{{22, 0}};
    cuda_expand_report report = grow(roots, fibonacci, how.options);
    EXPECT_EQ(roots[0].num_leaves, 28657U);  // the 23rd Fibonacci number
    EXPECT_EQ(report.num_leaves, 28657U);
    EXPECT_EQ(report.num_nodes, 57313U);
    EXPECT_EQ(report.depth, 21);
    roots = {{300, 0}};
    report = grow(roots, caterpillar, how.options);
    EXPECT_EQ(roots[0].num_leaves, 301U);
    EXPECT_EQ(report.num_nodes, 601U);
    EXPECT_EQ(report.depth, 300);
  }
}

TEST_F(expand_gpu, none_one_or_many_roots) {
  for (const named_options& how : all_options()) {
    SCOPED_TRACE(how.name);
    std::vector<recurrence::node_type> roots;
    cuda_expand_report report = grow(roots, caterpillar, how.options);
    EXPECT_EQ(report.num_nodes, 0U);
    EXPECT_EQ(report.depth, -1);
    constexpr std::uint32_t num_roots = 20000;
    for (std::uint32_t i = 0; i < num_roots; ++i) {
      roots.push_back({i % 7, 0});
    }
    report = grow(roots, caterpillar, how.options);
    std::uint64_t num_leaves = 0;
    for (std::uint32_t i = 0; i < num_roots; ++i) {
      ASSERT_EQ(roots[i].num_leaves, i % 7 + 1) << "root " << i;
      num_leaves += i % 7 + 1;
    }
    EXPECT_EQ(report.num_leaves, num_leaves);
    EXPECT_EQ(report.num_nodes, 2 * num_leaves - num_roots);
    EXPECT_EQ(report.depth, 6);
  }
}

TEST_F(expand_gpu, skewed_trees_are_those_of_the_host_engine) {
  std::vector<skewed_expander::node_type> roots;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    roots.push_back({seed, 400, 0});
  }
  tendril::host_engine host;
  auto expected = roots;
  const auto on_host = expand(host, std::span(expected), skewed_expander{});
  ASSERT_GT(on_host.num_nodes, 10'000U);
  for (const named_options& how : all_options()) {
    SCOPED_TRACE(how.name);
    auto grown = roots;
    const cuda_expand_report report = grow(grown, skewed_expander{}, how.options);
    EXPECT_EQ(report.num_nodes, on_host.num_nodes);
    EXPECT_EQ(report.depth, on_host.depth);
    for (std::size_t i = 0; i < grown.size(); ++i) {
      EXPECT_EQ(grown[i].digest, expected[i].digest) << "root " << i;
    }
  }
}

TEST_F(expand_gpu, counts_its_launches) {
  // A block that holds one node hands each level of a chain to a child grid of its own.
  cuda_expand_report report = expect_each_node_once(1, 31, 32, 1, with(expand_way::child_grid, 1));
  EXPECT_EQ(report.num_child_grids, 31U);
  EXPECT_EQ(report.num_tail_launches, 1U);  // reserved for the queue, and nothing was in it
  EXPECT_EQ(report.num_host_launches, 1U);
  EXPECT_EQ(report.num_refused, 0U);
  EXPECT_EQ(report.num_tasks, 32U);
  report = expect_each_node_once(1, 31, 32, 1, with(expand_way::child_grid));
  EXPECT_EQ(report.num_child_grids, 0U);  // the whole chain fits into one block
  EXPECT_EQ(report.num_tasks, 1U);
  // A level of fewer nodes than a block has threads is not shared, one of as many is, once.
  report = expect_each_node_once(2, 9, 1023, 512, with(expand_way::child_grid));
  EXPECT_EQ(report.num_child_grids, 1U);
  EXPECT_GT(report.num_tasks, 10U);
  report = expect_each_node_once(2, 8, 511, 256, with(expand_way::child_grid));
  EXPECT_EQ(report.num_child_grids, 0U);
  // Levels 1 .. 31 are split and 30 .. 0 reduced by tail launches.
  report = expect_each_node_once(1, 31, 32, 1, with(expand_way::level));
  EXPECT_EQ(report.num_tail_launches, 62U);
  EXPECT_EQ(report.num_child_grids, 0U);
  EXPECT_EQ(report.num_host_launches, 1U);
  // With every launch refused the host makes each.
  report = expect_each_node_once(1, 31, 32, 1, with(expand_way::level, 0, 1));
  EXPECT_EQ(report.num_tail_launches, 0U);
  EXPECT_EQ(report.num_refused, 62U);
  EXPECT_EQ(report.num_host_launches, 63U);
  report = expect_each_node_once(1, 31, 32, 1, with(expand_way::child_grid, 1, 1));
  EXPECT_EQ(report.num_child_grids + report.num_tail_launches, 0U);
  EXPECT_EQ(report.num_overflowed, 31U);
  EXPECT_EQ(report.num_host_launches, 32U);
}

TEST_F(expand_gpu, nothing_is_lost_whatever_the_pool_of_pending_launches) {
  const std::size_t before = tendril::cuda::pending_launches();
  for (const std::size_t pool : {64, 2048, 32768}) {
    SCOPED_TRACE(pool);
    tendril::cuda::set_pending_launches(pool);
    ASSERT_EQ(tendril::cuda::pending_launches(), pool);
    // A chain of child grids is as deep as the pool at most.
    cuda_expand_report report =
        expect_each_node_once(1, 3000, 3001, 1, with(expand_way::child_grid, 1));
    EXPECT_EQ(report.num_refused > 0, pool < 3000);
    EXPECT_EQ(report.num_overflowed > 0, pool < 3000);
    report = expect_each_node_once(2, 16, 131071, 65536, with(expand_way::child_grid, 2));
    EXPECT_GT(report.num_overflowed, 0U);  // tens of thousands of child grids in each
    expect_each_node_once(2, 16, 131071, 65536, with(expand_way::child_grid));
    expect_each_node_once(2, 16, 131071, 65536, with(expand_way::level));
  }
  tendril::cuda::set_pending_launches(before);
}

TEST_F(expand_gpu, refuses_more_nodes_than_there_is_room_for) {
  for (named_options how : {with(expand_way::level), with(expand_way::child_grid, 1)}) {
    SCOPED_TRACE(how.name);
    how.options.max_nodes = 201;  // of a chain of 100 nodes, 101 leaves
    std::vector<recurrence::node_type> roots{{100, 0}};
    EXPECT_EQ(grow(roots, caterpillar, how.options).num_nodes, 201U);
    how.options.max_nodes = 200;
    roots = {{100, 0}};
    try {
      grow(roots, caterpillar, how.options);
      ADD_FAILURE() << "201 nodes found room";
    } catch (const tendril::resource_error& e) {
      EXPECT_NE(std::string(e.what()).find("needed at least 201, room for 200"), std::string::npos)
          << e.what();
    }
    how.options.max_nodes = 100000;  // the children of one node, and those on the way
    EXPECT_THROW(expect_each_node_once(100000, 1, 100001, 100000, how), tendril::resource_error);
    how.options.max_nodes = 8191;
    expect_each_node_once(2, 12, 8191, 4096, how);  // the engine goes on working
  }
}

TEST_F(expand_gpu, refuses_what_it_cannot_use) {
  cuda_expand_options options;
  options.max_nodes = 3;
  std::vector<recurrence::node_type> roots(4, {1, 0});
  EXPECT_THROW(grow(roots, caterpillar, options), tendril::resource_error);
  options.max_nodes = std::size_t{1} << 32U;
  EXPECT_THROW(grow(roots, caterpillar, options), tendril::usage_error);
  EXPECT_THROW(expand(*engine_, std::span(roots), caterpillar), tendril::usage_error);
  tendril::cuda_options little;
  little.budget_bytes = std::size_t{1} << 20U;
  tendril::cuda_engine engine(little);
  const auto on_device = to_device(roots);
  EXPECT_THROW(expand(engine, std::span(on_device.data(), on_device.size()), caterpillar),
               tendril::resource_error);
}

}  // namespace
