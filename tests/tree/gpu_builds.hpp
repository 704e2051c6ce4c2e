#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "gpu/needs_gpu.hpp"
#include "tendril/cuda/grow_tree.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/tree/build.hpp"

// What tests of building trees on a GPU share.

namespace tendril::testing {

inline constexpr std::uint32_t tile = 8192;      // points that a block of a growing tree holds
inline constexpr std::uint32_t few = 16 * tile;  // points that a cluster of blocks holds

enum class build_way { sort, child_grid, level };
inline constexpr build_way all_ways[] = {build_way::sort, build_way::child_grid, build_way::level};
inline const char* name_of(build_way way) {
  return way == build_way::sort ? "sort" : (way == build_way::level ? "level" : "child-grid");
}

template <coordinate Real>
quadtree<Real> built(cuda_engine& engine, build_way way, const points<Real>& set,
                     const quadtree_options& options) {
  switch (way) {
    case build_way::child_grid:
      return grow_quadtree(engine, set, options, {.way = tree_growth::child_grid}).tree.to_host();
    case build_way::level:
      return grow_quadtree(engine, set, options, {.way = tree_growth::level}).tree.to_host();
    case build_way::sort:
      break;
  }
  return build_quadtree(engine, set, options).to_host();
}

/// Bits, so that a zero's sign counts in positions.
template <class T>
bool same_bits(const shared_array<T>& a, const shared_array<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <coordinate Real>
void expect_same(const quadtree<Real>& found, const quadtree<Real>& expected) {
  EXPECT_TRUE(same_bits(found.nodes(), expected.nodes()));
  EXPECT_TRUE(same_bits(found.positions(), expected.positions()));
  EXPECT_TRUE(same_bits(found.rows(), expected.rows()));
  if (expected.num_nodes() > 0) {
    EXPECT_EQ(found.view().cell(0), expected.view().cell(0));
  }
}

template <coordinate Real>
void expect_host_tree(host_engine& host, cuda_engine& gpu, const points<Real>& set,
                      const quadtree_options& options) {
  const auto expected = build_quadtree(host, set, options);
  for (const build_way way : all_ways) {
    SCOPED_TRACE(std::string(name_of(way)) + ", leaf size " + std::to_string(options.leaf_size) +
                 ", depth " + std::to_string(options.max_depth));
    expect_same(built(gpu, way, set, options), expected);
  }
}

/// Tests of building trees on a GPU.
class gpu_build : public test::needs_gpu {};

}  // namespace tendril::testing
