// Shapes and aggregates of one's own, and what the library leaves to nvcc, run on a GPU with the
// host engine's answers, bit for bit.

#include <cstdint>
#include <vector>

#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/regions.hpp"
#include "tendril/cuda/tree.cuh"
#include "tree/gpu_trees.hpp"

namespace tendril::testing {
namespace {

template <class Real>
class gpu_visitor : public both_engines {};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(gpu_visitor, reals);

TYPED_TEST(gpu_visitor, regions_and_pairs_are_the_hosts) {
  const auto set = generate_clusters<TypeParam>(20'000, 9);
  const two_trees<TypeParam> trees(this->host, this->gpu(), set, {});
  std::vector<rectangle<TypeParam>> regions;
  for (int i = 0; i < 16; ++i) {
    const auto low = static_cast<TypeParam>(i) / 20;
    regions.push_back({{{low, 0}, {low + static_cast<TypeParam>(0.1), 1 - low}}});
  }
  const auto placed = copy_to(this->gpu(), span_of(regions));
  expect_same_bits(assign_regions(this->host, trees.on_host, set.num_points(), span_of(regions)),
                   assign_regions(this->gpu(), trees.on_gpu, set.num_points(), span_of(placed)));
  const auto expected = find_pairs(this->host, trees.on_host, set.num_points(), 1e-5);
  const auto found = find_pairs(this->gpu(), trees.on_gpu, set.num_points(), 1e-5);
  EXPECT_GT(expected.rows.size(), 0U);
  expect_same_bits(expected.offsets, found.offsets);
  expect_same_bits(expected.rows, found.rows);
}

/// A number in which every step of the computation shows, in its order.
struct history {
  using value_type = std::uint64_t;

  [[nodiscard]] TENDRIL_HD value_type zero() const { return 1; }
  template <coordinate Real>
  TENDRIL_HD void add(value_type& sum, const point<Real>& /*p*/, point_id row) const {
    sum = sum * 1'000'003 + row;
  }
  TENDRIL_HD void combine(value_type& sum, const value_type& other) const {
    sum = (sum ^ (other >> 7)) * 0x9E3779B97F4A7C15 + other;
  }
};

TYPED_TEST(gpu_visitor, aggregates_take_the_hosts_steps_in_its_order) {
  auto sets = point_battery<TypeParam>();
  sets.push_back({"many", generate_clusters<TypeParam>(300'000, 9)});
  for (const auto& [name, set] : sets) {
    SCOPED_TRACE(name);
    std::vector<TypeParam> values;
    for (point_id row = 0; row < set.num_points(); ++row) {
      values.push_back(static_cast<TypeParam>((row * 37) % 101) - 50);
    }
    const auto placed = copy_to(this->gpu(), span_of(values));
    for (const std::uint32_t leaf_size : {1U, 7U, 32U}) {
      const two_trees<TypeParam> trees(this->host, this->gpu(), set, {.leaf_size = leaf_size});
      expect_same_bits(aggregate_nodes(this->host, trees.on_host, history{}),
                       aggregate_nodes(this->gpu(), trees.on_gpu, history{}));
      expect_same_bits(
          aggregate_nodes(this->host, trees.on_host, range_of_values<TypeParam>{values.data()}),
          aggregate_nodes(this->gpu(), trees.on_gpu, range_of_values<TypeParam>{placed.data()}));
    }
  }
}

}  // namespace
}  // namespace tendril::testing
