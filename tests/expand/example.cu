#include "gpu/fixture.hpp"
#include "tendril/cuda/expand.cuh"
#include "tendril/host/expand.hpp"

// An expander of one's own, in full, on both engines: in how many ways can `steps` stairs be
// climbed, one or two at a time?

namespace {

struct stairs {
  struct node_type {
    std::uint32_t steps;  // that are left
    std::uint32_t ways;   // the result
  };
  template <class Sink>
  TENDRIL_HD void split(node_type& node, Sink& children) const {
    for (std::uint32_t stride = 1; stride <= 2 && stride <= node.steps; ++stride) {
      children.add({node.steps - stride, 0});
    }
  }
  TENDRIL_HD void reduce(node_type& node, const node_type* children, std::size_t count) const {
    node.ways = node.steps == 0 ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
      node.ways += children[i].ways;
    }
  }
};

template <class Engine>
std::uint32_t ways_to_climb(Engine& engine, std::uint32_t steps) {
  auto root = engine.array(1, stairs::node_type{steps, 0});
  tendril::expand(engine, std::span(root.data(), root.size()), stairs{});
  return root.to_host()[0].ways;
}

using tendril::test::gpu;

TEST_F(gpu, stairs_are_climbed_alike_on_both_engines) {
  tendril::host_engine threads;
  tendril::cuda_engine device;
  EXPECT_EQ(ways_to_climb(threads, 24), 75025U);  // the 25th Fibonacci number
  EXPECT_EQ(ways_to_climb(device, 24), 75025U);
}

}  // namespace
