#include "tendril/graph/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>

#include "graph/graph_testing.hpp"
#include "tendril/core/error.hpp"

namespace {

using tendril::build_csr;
using tendril::build_options;
using tendril::csr;
using tendril::edge;
using tendril::edge_list;
using tendril::edge_offset;
using tendril::none;
using tendril::orientation;
using tendril::vertex_id;
using tendril::testing::edges_of;
using tendril::testing::expect_same;
using tendril::testing::in_chunks;
using tendril::testing::on_several_thread_counts;
using tendril::testing::random_below;

using loops = build_options::self_loops;
using duplicates = build_options::duplicates;

template <class W>
W weight_of(std::uint32_t number) {
  if constexpr (std::is_same_v<W, none>) {
    return {};
  } else {
    return static_cast<W>(static_cast<std::int32_t>(number)) / static_cast<W>(2);
  }
}

template <class W>
auto order_of(const edge<W>& e) {
  if constexpr (std::is_same_v<W, none>) {
    return std::tuple(e.source, e.target);
  } else {
    return std::tuple(e.source, e.target, e.weight);
  }
}

// What build_csr promises, one edge at a time.
template <class W>
std::vector<edge<W>> expected_edges(const std::vector<edge<W>>& edges,
                                    const build_options& options) {
  std::vector<edge<W>> stored;
  for (edge<W> e : edges) {
    e.source -= options.index_base;
    e.target -= options.index_base;
    const bool is_loop = e.source == e.target;
    if (is_loop && options.loops == loops::drop) {
      continue;
    }
    stored.push_back(e);
    if (!is_loop && options.kind == orientation::undirected) {
      stored.push_back({e.target, e.source, e.weight});
    }
  }
  std::sort(stored.begin(), stored.end(),
            [](const edge<W>& a, const edge<W>& b) { return order_of(a) < order_of(b); });
  if (options.parallel_edges == duplicates::merge) {
    std::map<std::pair<vertex_id, vertex_id>, W> cheapest;
    for (const edge<W>& e : stored) {
      cheapest.try_emplace({e.source, e.target}, e.weight);
    }
    stored.clear();
    for (const auto& [ends, weight] : cheapest) {
      stored.push_back({ends.first, ends.second, weight});
    }
  }
  return stored;
}

struct awkward_input {
  std::string name;
  vertex_id num_vertices;
  std::vector<edge<>> edges;  // 0-based
};

std::vector<edge<>> random_edges(std::size_t count, vertex_id num_vertices, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<edge<>> edges(count);
  for (edge<>& e : edges) {
    e = {random_below(random, num_vertices), random_below(random, num_vertices), {}};
  }
  return edges;
}

std::vector<awkward_input> awkward_inputs() {
  std::vector<awkward_input> inputs{
      {"no vertices", 0, {}},
      {"one vertex", 1, {}},
      {"one self-loop", 1, {{0, 0, {}}}},
      {"self-loops only", 3, {{0, 0, {}}, {1, 1, {}}, {2, 2, {}}, {1, 1, {}}}},
      {"one edge", 2, {{1, 0, {}}}},
      {"anti-parallel", 2, {{1, 0, {}}, {0, 1, {}}}},
      {"duplicates", 3, {{2, 1, {}}, {2, 1, {}}, {0, 2, {}}, {2, 1, {}}, {1, 2, {}}}},
      {"ids at the end of the range",
       100'000,
       {{99'999, 0, {}}, {99'999, 99'999, {}}, {99'998, 99'999, {}}}},
      {"a million isolated vertices",
       1'000'003,
       {{1'000'000, 1'000'001, {}}, {1'000'001, 1'000'002, {}}}},
      {"dense multigraph", 7, random_edges(5'000, 7, 1)},
      {"several buckets", 50'000, random_edges(60'000, 50'000, 2)},
  };
  awkward_input hub{"one vertex holds all edges", 70'000, random_edges(40'000, 70'000, 3)};
  for (edge<>& e : hub.edges) {
    e.source = 69'999;
  }
  inputs.push_back(std::move(hub));
  return inputs;
}

template <class W>
std::vector<edge<W>> weighted(const std::vector<edge<>>& edges, vertex_id base) {
  std::mt19937 random(7);
  std::vector<edge<W>> result;
  result.reserve(edges.size());
  for (const edge<>& e : edges) {
    result.push_back({e.source + base, e.target + base, weight_of<W>(random_below(random, 5))});
  }
  return result;
}

template <class W>
class builder : public ::testing::Test {};
using weight_types = ::testing::Types<none, std::int32_t, float, double>;
TYPED_TEST_SUITE(builder, weight_types);

TYPED_TEST(builder, does_what_each_policy_says) {
  for (const awkward_input& input : awkward_inputs()) {
    for (const auto kind : {orientation::directed, orientation::undirected}) {
      for (const auto loop_policy : {loops::keep, loops::drop}) {
        for (const auto duplicate_policy : {duplicates::keep, duplicates::merge}) {
          for (const vertex_id base : {0U, 1U}) {
            SCOPED_TRACE(
                ::testing::Message()
                << input.name << (kind == orientation::directed ? ", directed" : ", undirected")
                << (loop_policy == loops::keep ? "" : ", loops dropped")
                << (duplicate_policy == duplicates::keep ? "" : ", merged") << ", base " << base);
            const build_options options{kind, loop_policy, duplicate_policy, base};
            const auto edges = weighted<TypeParam>(input.edges, base);
            const csr<TypeParam> graph =
                build_csr(in_chunks(edges, 20'000), input.num_vertices, options);
            EXPECT_EQ(graph.num_vertices(), input.num_vertices);
            EXPECT_EQ(graph.kind(), kind);
            EXPECT_TRUE(edges_of(graph) == expected_edges(edges, options));
          }
        }
      }
    }
  }
}

TYPED_TEST(builder, makes_the_same_graph_on_any_number_of_threads_from_any_chunks) {
  const auto edges = weighted<TypeParam>(random_edges(300'000, 9'000, 4), 0);
  const build_options options{orientation::undirected, loops::keep, duplicates::keep, 0};
  const csr<TypeParam> first = build_csr(in_chunks(edges, edges.size()), 9'000, options);
  on_several_thread_counts([&] {
    for (const std::size_t chunk_size : {7'919U, 100'000U, 300'000U}) {
      expect_same(build_csr(in_chunks(edges, chunk_size), 9'000, options), first);
    }
  });
}

// Above 2^20 edges in one bucket all threads sort it together.
TYPED_TEST(builder, handles_a_hub_with_millions_of_edges) {
  constexpr vertex_id num_vertices = 1'000;
  std::vector<edge<>> plain = random_edges(1'500'000, num_vertices, 5);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    plain[i].source = i % 100 == 0 ? plain[i].source : 500;
  }
  const auto edges = weighted<TypeParam>(plain, 0);
  for (const auto duplicate_policy : {duplicates::keep, duplicates::merge}) {
    const build_options options{orientation::directed, loops::keep, duplicate_policy, 0};
    const auto expected = expected_edges(edges, options);
    on_several_thread_counts([&] {
      EXPECT_TRUE(edges_of(build_csr(in_chunks(edges, 1 << 18), num_vertices, options)) ==
                  expected);
    });
  }
}

TYPED_TEST(builder, transposes) {
  for (const awkward_input& input : awkward_inputs()) {
    SCOPED_TRACE(input.name);
    const auto edges = weighted<TypeParam>(input.edges, 0);
    auto turned = edges;
    for (edge<TypeParam>& e : turned) {
      std::swap(e.source, e.target);
    }
    const auto graph = build_csr(in_chunks(edges, 20'000), input.num_vertices);
    on_several_thread_counts(
        [&] { EXPECT_TRUE(edges_of(tendril::transpose(graph)) == expected_edges(turned, {})); });
  }
}

TEST(transpose, of_an_undirected_graph_shares_its_arrays) {
  const auto graph =
      build_csr(in_chunks<none>({{0, 1, {}}}, 1), 2, {.kind = orientation::undirected});
  EXPECT_EQ(tendril::transpose(graph).targets().data(), graph.targets().data());
}

TEST(builder_order, tells_zero_from_minus_zero_and_sorts_negatives) {
  const auto graph =
      build_csr(in_chunks<float>(
                    {{0, 0, 0.0F}, {0, 0, 1.5F}, {0, 0, -0.0F}, {0, 0, -2.0F}, {0, 0, -1.0F}}, 2),
                1);
  const std::vector<float> weights(graph.weights().begin(), graph.weights().end());
  EXPECT_EQ(weights, (std::vector<float>{-2.0F, -1.0F, -0.0F, 0.0F, 1.5F}));
  EXPECT_TRUE(std::signbit(weights[2]));
  EXPECT_FALSE(std::signbit(weights[3]));
}

std::string refusal(const std::vector<edge<>>& edges, std::uint64_t num_vertices, vertex_id base) {
  try {
    (void)build_csr(in_chunks(edges, 1000), num_vertices,
                    {.kind = orientation::undirected, .index_base = base});
  } catch (const tendril::input_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(builder_range, names_the_first_edge_out_of_range_on_any_number_of_threads) {
  std::vector<edge<>> edges(100'000, edge<>{3, 4, {}});
  edges[70'000] = {99, 3, {}};
  edges[54'321] = {3, 10, {}};
  on_several_thread_counts([&] {
    EXPECT_EQ(refusal(edges, 10, 0), "edge 54322, 3 -> 10: expected ids in 0 .. 9, found 10");
  });
}

TEST(builder_range, checks_both_ends_of_the_range) {
  EXPECT_EQ(refusal({{1, 2, {}}}, 2, 1), "accepted");
  EXPECT_EQ(refusal({{0, 2, {}}}, 2, 1), "edge 1, 0 -> 2: expected ids in 1 .. 2, found 0");
  EXPECT_EQ(refusal({{2, 1, {}}, {1, 3, {}}}, 2, 1),
            "edge 2, 1 -> 3: expected ids in 1 .. 2, found 3");
  EXPECT_EQ(refusal({{0, 0, {}}}, 0, 0), "edge 1, 0 -> 0: expected no vertex at all, found 0");
  EXPECT_EQ(refusal({{tendril::no_vertex, 0, {}}}, 5, 0),
            "edge 1, 4294967295 -> 0: expected ids in 0 .. 4, found 4294967295");
}

TEST(builder_range, refuses_more_vertices_than_ids) {
  EXPECT_THROW((void)build_csr(edge_list<>{}, tendril::no_vertex), tendril::usage_error);
  EXPECT_THROW((void)build_csr(edge_list<>{}, std::uint64_t{1} << 40U), tendril::usage_error);
}

// Edge positions do not fit in memory here beyond 2^32, so the view is given offsets alone.
TEST(csr_view, counts_beyond_32_bits) {
  constexpr edge_offset big = edge_offset{5} << 32U;
  const std::vector<edge_offset> offsets{0, 1, big, big + 2};
  const tendril::csr_view<> view{offsets.data(), nullptr, nullptr, 3, big + 2};
  EXPECT_EQ(view.num_edges(), 21'474'836'482U);
  EXPECT_EQ(view.degree(1), 21'474'836'479U);
  EXPECT_EQ(view.first_edge(2), 21'474'836'480U);
}

}  // namespace
