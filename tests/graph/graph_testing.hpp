#pragma once

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tendril/graph/csr.hpp"
#include "tendril/graph/edge_list.hpp"

namespace tendril::testing {

/// Calls f with oneTBB held to 1, 2 and 4 threads in turn.
template <class F>
void on_several_thread_counts(const F& f) {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    SCOPED_TRACE(::testing::Message() << threads << " threads");
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    f();
  }
}

/// 0 .. limit - 1, the same on any machine.
inline std::uint32_t random_below(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random()) % limit;
}

/// The edges in chunks of the given size, as a reader would leave them.
template <weight W>
edge_list<W> in_chunks(const std::vector<edge<W>>& edges, std::size_t chunk_size) {
  edge_list<W> list;
  for (std::size_t begin = 0; begin < edges.size(); begin += chunk_size) {
    const std::size_t end = std::min(edges.size(), begin + chunk_size);
    list.append({edges.begin() + static_cast<std::ptrdiff_t>(begin),
                 edges.begin() + static_cast<std::ptrdiff_t>(end)});
  }
  return list;
}

/// The stored edges in order.
template <weight W>
std::vector<edge<W>> edges_of(const csr<W>& graph) {
  std::vector<edge<W>> edges;
  const csr_view<W> view = graph.view();
  for (vertex_id v = 0; v < view.num_vertices(); ++v) {
    for (edge_offset i = view.first_edge(v); i < view.last_edge(v); ++i) {
      edges.push_back({v, view.target(i), view.weight(i)});
    }
  }
  return edges;
}

template <weight W>
void expect_same(const csr<W>& actual, const csr<W>& expected) {
  EXPECT_EQ(actual.kind(), expected.kind());
  ASSERT_EQ(actual.num_vertices(), expected.num_vertices());
  ASSERT_TRUE(std::equal(actual.offsets().begin(), actual.offsets().end(),
                         expected.offsets().begin(), expected.offsets().end()));
  ASSERT_TRUE(std::equal(actual.targets().begin(), actual.targets().end(),
                         expected.targets().begin(), expected.targets().end()));
  ASSERT_TRUE(std::equal(actual.weights().begin(), actual.weights().end(),
                         expected.weights().begin(), expected.weights().end()));
}

}  // namespace tendril::testing
