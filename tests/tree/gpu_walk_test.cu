// The visitors of tree/ and algorithms/ run unchanged on a GPU, one query a thread, and leave the
// bits that the host engine leaves. The kernels here are the test's own: the library builds trees
// on GPUs, and has no queries there yet.

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/cuda/check.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

template <class T>
cuda::device_buffer<T> on_device(std::span<const T> values) {
  cuda::device_buffer<T> copy(values.size(), nullptr);
  TENDRIL_CUDA_CHECK(
      cudaMemcpy(copy.data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  return copy;
}

template <class T>
std::vector<T> on_host(const cuda::device_buffer<T>& values) {
  std::vector<T> copy(values.size());
  TENDRIL_CUDA_CHECK(
      cudaMemcpy(copy.data(), values.data(), values.size_bytes(), cudaMemcpyDeviceToHost));
  return copy;
}

/// A tree in device memory.
template <coordinate Real>
struct device_tree {
  explicit device_tree(const quadtree<Real>& tree)
      : nodes(on_device(std::span(tree.nodes().data(), tree.num_nodes()))),
        positions(on_device(std::span(tree.positions().data(), tree.num_points()))),
        rows(on_device(std::span(tree.rows().data(), tree.num_points()))),
        view(tree.view()) {
    view.nodes = nodes.data();
    view.positions = positions.data();
    view.rows = rows.data();
  }

  cuda::device_buffer<quadtree_node<Real>> nodes;
  cuda::device_buffer<point<Real>> positions;
  cuda::device_buffer<point_id> rows;
  quadtree_view<Real> view;
};

template <coordinate Real, class Visitor>
__device__ void walk_query(const quadtree_view<Real>& tree, std::uint32_t query,
                           const Visitor& visitor) {
  auto walker = visitor.begin(query);
  walk_tree(tree, walker);
  visitor.end(query, walker);
}

template <coordinate Real, class Visitor>
__global__ void walk_queries(quadtree_view<Real> tree, std::uint32_t num_queries, Visitor visitor) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < num_queries) {
    walk_query(tree, query, visitor);
  }
}

template <coordinate Real, class Visitor>
void walk_on_device(const quadtree_view<Real>& tree, std::uint32_t num_queries,
                    const Visitor& visitor) {
  constexpr std::uint32_t block = 128;
  walk_queries<<<(num_queries + block - 1) / block, block>>>(tree, num_queries, visitor);
  TENDRIL_CUDA_CHECK(cudaGetLastError());
  TENDRIL_CUDA_CHECK(cudaDeviceSynchronize());
}

template <class T>
void expect_same_bits(std::span<const T> host, const std::vector<T>& device) {
  ASSERT_EQ(host.size(), device.size());
  EXPECT_TRUE(host.empty() || std::memcmp(host.data(), device.data(), host.size_bytes()) == 0);
}

template <class Real>
class gpu_walk : public ::testing::Test {
 protected:
  void SetUp() override {
    int num_devices = 0;
    if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) {
      static_cast<void>(cudaGetLastError());
      GTEST_SKIP() << "no GPU";
    }
  }
};
using reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(gpu_walk, reals);

TYPED_TEST(gpu_walk, counts_and_nearest_are_those_of_the_host) {
  host_engine engine;
  for (const auto& [name, set] : point_battery<TypeParam>()) {
    if (set.num_points() == 0) {
      continue;  // nothing to launch
    }
    SCOPED_TRACE(name);
    const auto tree = build_quadtree(engine, set, {.leaf_size = 4});
    const device_tree<TypeParam> copy(tree);
    std::vector<circle<TypeParam>> circles;
    for (const point<TypeParam>& p : set.positions()) {
      circles.push_back({p, distance(p, set[0]) / 3});
    }
    const auto counts = count_in(engine, tree, std::span<const circle<TypeParam>>(circles));
    const auto shapes = on_device(std::span<const circle<TypeParam>>(circles));
    const cuda::device_buffer<std::uint64_t> found_counts(circles.size(), nullptr);
    walk_on_device(
        copy.view, set.num_points(),
        count_visitor<TypeParam, circle<TypeParam>>{shapes.data(), no_point, found_counts.data()});
    expect_same_bits(std::span<const std::uint64_t>(counts.data(), counts.size()),
                     on_host(found_counts));

    const auto nearest = find_nearest(engine, tree, set.positions(), 8);
    const auto positions = on_device(set.positions());
    const auto offsets =
        on_device(std::span<const std::uint64_t>(nearest.offsets.data(), nearest.offsets.size()));
    const cuda::device_buffer<neighbour> found(nearest.found.size(), nullptr);
    TENDRIL_CUDA_CHECK(cudaMemset(found.data(), 0, found.size_bytes()));
    walk_on_device(
        copy.view, set.num_points(),
        nearest_visitor<TypeParam>{positions.data(), std::numeric_limits<double>::infinity(),
                                   offsets.data(), found.data(), copy.view});
    const auto neighbours = on_host(found);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      ASSERT_EQ(nearest.found.data()[i], neighbours[i]) << i;
    }
  }
}

TYPED_TEST(gpu_walk, gravity_is_that_of_the_host) {
  host_engine engine;
  const auto set = generate_plummer<TypeParam>(20'000, 3);
  const std::vector<TypeParam> masses(set.num_points(), TypeParam{0.5});
  const gravity_options options{.theta = 0.5, .softening = 0.01};
  const auto tree = build_quadtree(engine, set, {.leaf_size = 16});
  const auto pulls = compute_gravity(engine, tree, masses.data(), options);

  const auto sums = aggregate_nodes(engine, tree, centre_of_mass<TypeParam>{masses.data()});
  std::vector<attractor> attractors(tree.num_nodes());
  const detail::write_attractor<TypeParam> write{tree.view(), sums.data(), attractors.data()};
  for (std::size_t n = 0; n < attractors.size(); ++n) {
    write(n);
  }
  const device_tree<TypeParam> copy(tree);
  const auto nodes = on_device(std::span<const attractor>(attractors));
  const auto device_masses = on_device(std::span<const TypeParam>(masses));
  const cuda::device_buffer<pull> found(set.num_points(), nullptr);
  walk_on_device(
      copy.view, set.num_points(),
      gravity_visitor<TypeParam>{copy.view, nodes.data(), device_masses.data(), options.theta,
                                 options.softening * options.softening, found.data()});
  expect_same_bits(std::span<const pull>(pulls.data(), pulls.size()), on_host(found));
}

}  // namespace
}  // namespace tendril::testing
