#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <random>
#include <string>

#include "graph/graph_testing.hpp"
#include "tendril/graph/builder.hpp"

// The memory that building takes at its peak, as the system counts it: the edges that it consumes
// included.

namespace {

using tendril::csr;
using tendril::edge_list;
using tendril::none;
using tendril::orientation;
using tendril::vertex_id;
using tendril::testing::random_below;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (std::uint64_t kibibytes = 0; word == key && status >> kibibytes) {
      return kibibytes * 1024;
    }
  }
  return 0;
}

// Sets the peak back to what is resident now; false where the system does not let us.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush);
}

template <class W>
class build_memory : public ::testing::Test {};
using built_weights = ::testing::Types<none, float, double>;
TYPED_TEST_SUITE(build_memory, built_weights);

template <class W>
edge_list<W> many_edges(std::size_t count, vertex_id num_vertices) {
  constexpr std::size_t chunk_edges = std::size_t{1} << 17U;
  std::mt19937 random(3);
  edge_list<W> list;
  for (std::size_t made = 0; made < count; made += chunk_edges) {
    typename edge_list<W>::chunk chunk;
    chunk.reserve(chunk_edges);
    for (std::size_t i = 0; i < chunk_edges; ++i) {
      chunk.push_back({random_below(random, num_vertices), random_below(random, num_vertices), {}});
    }
    list.append(std::move(chunk));
  }
  return list;
}

template <class W>
std::uint64_t bytes_of(const csr<W>& graph) {
  return graph.offsets().size() * sizeof(tendril::edge_offset) +
         graph.targets().size() * sizeof(vertex_id) + graph.weights().size() * sizeof(W);
}

// The bound for reading files: finished graph + 12 bytes per entry + 64 MiB. Of the 64 MiB the
// builder leaves most to the reader.
TYPED_TEST(build_memory, stays_within_the_bound) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's own memory is counted too";
#endif
  constexpr std::size_t count = std::size_t{1} << 23U;
  for (const auto kind : {orientation::directed, orientation::undirected}) {
    const std::uint64_t before = status_bytes("VmRSS:");
    edge_list<TypeParam> edges = many_edges<TypeParam>(count, 1 << 20);
    if (before == 0 || !reset_peak()) {
      GTEST_SKIP() << "this system does not tell the peak";
    }
    const csr<TypeParam> graph = build_csr(std::move(edges), 1 << 20, {.kind = kind});
    const std::uint64_t peak = status_bytes("VmHWM:") - before;
    const std::uint64_t allowed = bytes_of(graph) + 12 * count + 16 * mebibyte;
    const std::string name = kind == orientation::directed ? "directed" : "undirected";
    ::testing::Test::RecordProperty(name + "_peak_mebibytes", static_cast<int>(peak / mebibyte));
    ::testing::Test::RecordProperty(name + "_allowed_mebibytes",
                                    static_cast<int>(allowed / mebibyte));
    EXPECT_LE(peak, allowed) << name;
    // What was freed went back to the system.
    EXPECT_LE(status_bytes("VmRSS:") - before, bytes_of(graph) + 8 * mebibyte) << name;
  }
}

}  // namespace
