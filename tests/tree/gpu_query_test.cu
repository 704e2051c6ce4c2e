// The calls of algorithms/ give a GPU engine the host engine's answers, bit for bit.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/algorithms/regions.hpp"
#include "tendril/cuda/tree.cuh"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

template <class T>
cuda::device_buffer<T> on_device(cuda_engine& gpu, const std::vector<T>& values) {
  return cuda::to_device(std::span<const T>(values), gpu.stream(), gpu.context().memory());
}

template <class T>
void expect_same_bits(const host_array<T>& host, const cuda_array<T>& device) {
  ASSERT_EQ(host.size(), device.size());
  const std::vector<T> copy = device.to_host();
  EXPECT_TRUE(copy.empty() || std::memcmp(host.data(), copy.data(), copy.size() * sizeof(T)) == 0);
}

/// neighbour has padding.
template <class Lists, class DeviceLists>
void expect_same_neighbours(const Lists& host, const DeviceLists& device) {
  expect_same_bits(host.offsets, device.offsets);
  const std::vector<neighbour> found = device.found.to_host();
  ASSERT_EQ(found.size(), host.found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(host.found.data()[i], found[i]) << i;
  }
}

/// Points, and a tree of them on either side.
template <coordinate Real>
struct two_trees {
  two_trees(host_engine& host, cuda_engine& gpu, const points<Real>& points,
            const quadtree_options& options)
      : set(points),
        on_host(build_quadtree(host, set, options)),
        on_gpu(build_quadtree(gpu, set, options)),
        positions(cuda::to_device(set.positions(), gpu.stream(), gpu.context().memory())) {}

  [[nodiscard]] std::span<const point<Real>> device_positions() const {
    return {positions.data(), positions.size()};
  }

  points<Real> set;
  quadtree<Real> on_host;
  cuda_quadtree<Real> on_gpu;
  cuda::device_buffer<point<Real>> positions;
};

template <class Real>
class gpu_query : public ::testing::Test {
 protected:
  void SetUp() override {
    const cuda_devices found = find_cuda_devices();
    if (found.usable.empty()) {
      GTEST_SKIP() << found.reason;
    }
  }
};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(gpu_query, reals);

TYPED_TEST(gpu_query, lists_of_the_battery_are_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    SCOPED_TRACE(name);
    const two_trees<TypeParam> trees(host, gpu, set, {.leaf_size = 4});
    std::vector<circle<TypeParam>> circles;
    for (const point<TypeParam>& p : set.positions()) {
      circles.push_back({p, distance(p, set[0]) / 3});
    }
    const auto shapes = on_device(gpu, circles);
    for (const query_order order : {query_order::morton, query_order::as_given}) {
      const auto expected =
          report_in(host, trees.on_host, std::span<const circle<TypeParam>>(circles), order);
      const auto found =
          report_in(gpu, trees.on_gpu,
                    std::span<const circle<TypeParam>>(shapes.data(), shapes.size()), order);
      expect_same_bits(expected.offsets, found.offsets);
      expect_same_bits(expected.rows, found.rows);
    }
    for (const std::int64_t count : {0, 1, 8, 5000}) {
      for (const double radius : {std::numeric_limits<double>::infinity(), 0.25}) {
        if (count * std::int64_t{set.num_points()} > 1'000'000) {
          continue;  // lists of everything for everyone
        }
        const nearest_options options{.radius = radius};
        expect_same_neighbours(
            find_nearest(host, trees.on_host, set.positions(), count, options),
            find_nearest(gpu, trees.on_gpu, trees.device_positions(), count, options));
      }
    }
  }
}

TYPED_TEST(gpu_query, regions_and_pairs_are_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  const auto set = generate_clusters<TypeParam>(20'000, 9);
  const two_trees<TypeParam> trees(host, gpu, set, {});
  std::vector<rectangle<TypeParam>> regions;
  for (int i = 0; i < 16; ++i) {
    const auto low = static_cast<TypeParam>(i) / 20;
    regions.push_back({{{low, 0}, {low + static_cast<TypeParam>(0.1), 1 - low}}});
  }
  const auto shapes = on_device(gpu, regions);
  expect_same_bits(
      assign_regions(host, trees.on_host, set.num_points(),
                     std::span<const rectangle<TypeParam>>(regions)),
      assign_regions(gpu, trees.on_gpu, set.num_points(),
                     std::span<const rectangle<TypeParam>>(shapes.data(), shapes.size())));
  const auto expected = find_pairs(host, trees.on_host, set.num_points(), 1e-5);
  const auto found = find_pairs(gpu, trees.on_gpu, set.num_points(), 1e-5);
  EXPECT_GT(expected.rows.size(), 0U);
  expect_same_bits(expected.offsets, found.offsets);
  expect_same_bits(expected.rows, found.rows);
}

TYPED_TEST(gpu_query, aggregates_and_gravity_are_the_hosts) {
  host_engine host;
  cuda_engine gpu;
  auto sets = point_battery<TypeParam>();
  sets.push_back({"many", generate_plummer<TypeParam>(50'000, 3)});
  for (const auto& [name, set] : sets) {
    if (name == "largest" || name == "large and small") {
      continue;  // sums overflow to NaN, whose bits are the machine's
    }
    SCOPED_TRACE(name);
    const two_trees<TypeParam> trees(host, gpu, set, {.leaf_size = 16});
    std::vector<TypeParam> masses;
    for (point_id row = 0; row < set.num_points(); ++row) {
      masses.push_back(static_cast<TypeParam>(0.1 + (row * 37) % 101 / 7.0));
    }
    const auto device_masses = on_device(gpu, masses);
    expect_same_bits(
        aggregate_nodes(host, trees.on_host, centre_of_mass<TypeParam>{masses.data()}),
        aggregate_nodes(gpu, trees.on_gpu, centre_of_mass<TypeParam>{device_masses.data()}));
    expect_same_bits(
        aggregate_nodes(host, trees.on_host, range_of_values<TypeParam>{masses.data()}),
        aggregate_nodes(gpu, trees.on_gpu, range_of_values<TypeParam>{device_masses.data()}));
    const gravity_options options{.theta = 0.5, .softening = 0.01};
    expect_same_bits(compute_gravity(host, trees.on_host, masses.data(), options),
                     compute_gravity(gpu, trees.on_gpu, device_masses.data(), options));
  }
}

}  // namespace
}  // namespace tendril::testing
