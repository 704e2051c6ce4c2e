#include <cstdio>
#include <span>
#include <tendril/cuda/expand.cuh>
#include <tendril/tendril.hpp>

// In how many ways can stairs be climbed, one or two at a time?
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
void climb(Engine& engine, const char* where) {
  auto root = engine.array(1, stairs::node_type{20, 0});
  tendril::expand(engine, std::span(root.data(), root.size()), stairs{});
  std::printf("%u ways on %s\n", root.to_host()[0].ways, where);
}

int main() try {
  tendril::host_engine threads;
  climb(threads, "threads");
  if (!tendril::find_cuda_devices().usable.empty()) {
    tendril::cuda_engine gpu;
    climb(gpu, "a GPU");
  }
  return 0;
} catch (const tendril::error& e) {
  std::fprintf(stderr, "stairs: %s\n", e.what());
  return 1;
}
