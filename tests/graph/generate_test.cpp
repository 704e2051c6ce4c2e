#include "tendril/graph/generate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "graph/graph_testing.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/analyse.hpp"

namespace {

using tendril::csr;
using tendril::edge;
using tendril::edge_offset;
using tendril::generate;
using tendril::none;
using tendril::vertex_id;
using tendril::testing::edges_of;
using tendril::testing::expect_same;
using tendril::testing::on_several_thread_counts;

using plain_edges = std::vector<edge<>>;

TEST(generate_path, joins_neighbours) {
  EXPECT_EQ(edges_of(generate("path:3")),
            (plain_edges{{0, 1, {}}, {1, 0, {}}, {1, 2, {}}, {2, 1, {}}}));
  EXPECT_EQ(generate("path:1").num_vertices(), 1U);
  EXPECT_EQ(generate("path:1000").num_edges(), 2U * 999U);
}

TEST(generate_star, joins_the_first_vertex_to_all_others) {
  EXPECT_EQ(edges_of(generate("star:4")),
            (plain_edges{{0, 1, {}}, {0, 2, {}}, {0, 3, {}}, {1, 0, {}}, {2, 0, {}}, {3, 0, {}}}));
  EXPECT_EQ(generate("star:1").num_edges(), 0U);
}

TEST(generate_tree, numbers_vertices_level_by_level) {
  // 0 -> 1 2 3, 1 -> 4 5 6, 2 -> 7 8 9, 3 -> 10 11 12
  const csr<> tree = generate("tree:2:3");
  EXPECT_EQ(tree.num_vertices(), 13U);
  EXPECT_EQ(tree.num_edges(), 24U);
  const auto view = tree.view();
  EXPECT_EQ(view.degree(0), 3U);
  EXPECT_EQ(view.degree(2), 4U);
  EXPECT_EQ(view.target(view.first_edge(2)), 0U);
  EXPECT_EQ(view.target(view.first_edge(2) + 1), 7U);
  EXPECT_EQ(view.target(view.first_edge(12)), 3U);
  EXPECT_EQ(generate("tree:0:5").num_vertices(), 1U);
  EXPECT_EQ(generate("tree:10:2").num_vertices(), 2047U);
  EXPECT_EQ(edges_of(generate("tree:4:1")), edges_of(generate("path:5")));
}

TEST(generate_grid, joins_the_four_neighbours) {
  // 0 1 2
  // 3 4 5
  EXPECT_EQ(edges_of(generate("grid:3x2")), (plain_edges{{0, 1, {}},
                                                         {0, 3, {}},
                                                         {1, 0, {}},
                                                         {1, 2, {}},
                                                         {1, 4, {}},
                                                         {2, 1, {}},
                                                         {2, 5, {}},
                                                         {3, 0, {}},
                                                         {3, 4, {}},
                                                         {4, 1, {}},
                                                         {4, 3, {}},
                                                         {4, 5, {}},
                                                         {5, 2, {}},
                                                         {5, 4, {}}}));
  // w x h has (w - 1) h + w (h - 1) edges.
  EXPECT_EQ(generate("grid:7x11").num_edges(), 2U * (6U * 11U + 7U * 10U));
  EXPECT_EQ(edges_of(generate("grid:5x1")), edges_of(generate("path:5")));
  EXPECT_EQ(edges_of(generate("grid:1x5")), edges_of(generate("path:5")));
  EXPECT_EQ(generate("grid:9x9:100").num_edges(), 0U);
}

TEST(generate_grid, removes_the_share_asked) {
  // 2 * 500 * 499 = 499,000 edges; the share kept has a standard deviation below 0.07 %.
  const auto kept =
      static_cast<double>(generate("grid:500x500:30:9").num_edges()) / (2 * 499'000.0);
  EXPECT_NEAR(kept, 0.70, 0.004);
  const csr<> all = generate("grid:50x50");
  std::set<std::pair<vertex_id, vertex_id>> lattice;
  for (const edge<>& e : edges_of(all)) {
    lattice.insert({e.source, e.target});
  }
  for (const edge<>& e : edges_of(generate("grid:50x50:30:9"))) {
    EXPECT_TRUE(lattice.contains({e.source, e.target}));
  }
}

void expect_simple_and_undirected(const csr<>& graph) {
  const auto edges = edges_of(graph);
  EXPECT_TRUE(graph.is_undirected());
  std::set<std::pair<vertex_id, vertex_id>> seen;
  for (const edge<>& e : edges) {
    EXPECT_NE(e.source, e.target);
    EXPECT_TRUE(seen.insert({e.source, e.target}).second) << e.source << " -> " << e.target;
  }
  for (const auto& [source, target] : seen) {
    EXPECT_TRUE(seen.contains({target, source}));
  }
}

TEST(generate_random, graphs_are_simple_and_undirected) {
  for (const char* text : {"rmat:8:16", "urand:8:16", "grid:20x20:30", "rmat:1:4", "rmat:5:200"}) {
    SCOPED_TRACE(text);
    expect_simple_and_undirected(generate(text));
  }
}

TEST(generate_random, graphs_are_the_same_on_any_number_of_threads) {
  for (const char* text : {"rmat:14:16:5", "urand:14:16:5", "grid:300x200:30:5"}) {
    SCOPED_TRACE(text);
    const csr<std::int32_t> first = generate<std::int32_t>(text);
    on_several_thread_counts([&] { expect_same(generate<std::int32_t>(text), first); });
  }
}

std::uint32_t checksum(const csr<std::int32_t>& graph) {
  const auto edges = edges_of(graph);
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(edges.data()), edges.size() * sizeof(edges[0])));
}

// CRC-32 of the (source, target, weight) triples, little endian. The values come from a
// transcription of the generators into Python: they pin the graph of a seed, on every machine and
// in every version.
TEST(generate_random, graphs_of_a_seed_never_change) {
  const auto rmat = generate<std::int32_t>("rmat:9:8:7");
  EXPECT_EQ(rmat.num_edges(), 5'556U);
  EXPECT_EQ(checksum(rmat), 0x2d9a8bacU);
  const auto urand = generate<std::int32_t>("urand:9:8:7");
  EXPECT_EQ(urand.num_edges(), 8'088U);
  EXPECT_EQ(checksum(urand), 0x58d7ffd9U);
  const auto grid = generate<std::int32_t>("grid:30x20:30:7");
  EXPECT_EQ(grid.num_edges(), 1'566U);
  EXPECT_EQ(checksum(grid), 0x32a1a49eU);
}

TEST(generate_random, graphs_differ_by_seed_and_default_to_seed_1) {
  for (const char* text : {"rmat:8:8", "urand:8:8", "grid:20x20:30"}) {
    SCOPED_TRACE(text);
    expect_same(generate(text), generate(text + std::string(":1")));
    EXPECT_NE(edges_of(generate(text)), edges_of(generate(text + std::string(":2"))));
  }
}

// Degrees of urand are binomial with mean 32 here, those of rmat follow a power law.
TEST(generate_random, degrees_are_as_skewed_as_they_should_be) {
  const auto counts = tendril::analyse(generate("urand:14:16"));
  EXPECT_NEAR(counts.mean_degree, 32.0, 0.2);
  EXPECT_LT(counts.max_degree, 70U);
  EXPECT_EQ(counts.num_isolated, 0U);
  const auto skewed = tendril::analyse(generate("rmat:14:16"));
  EXPECT_GT(skewed.max_degree, 1'500U);
  EXPECT_LT(skewed.mean_degree, 30.0);  // many draws fall together
  EXPECT_GT(skewed.num_isolated, 2'000U);
}

// Without skew rmat draws every end point evenly.
TEST(generate_rmat, follows_its_quadrants) {
  const auto even = tendril::analyse(generate("rmat:14:16:0.25:0.25:0.25"));
  EXPECT_NEAR(even.mean_degree, 32.0, 0.2);
  EXPECT_LT(even.max_degree, 70U);
  // All mass in one quadrant: every draw is the same self-loop.
  EXPECT_EQ(generate("rmat:8:4:1:0:0").num_edges(), 0U);
  // All mass off the diagonal: every draw is the same edge.
  EXPECT_EQ(generate("rmat:8:4:3:0:1:0").num_edges(), 2U);
}

TEST(generate_rmat, spreads_its_hubs_over_the_ids) {
  const csr<> graph = generate("rmat:14:16");
  std::vector<vertex_id> by_degree(graph.num_vertices());
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    by_degree[v] = v;
  }
  std::sort(by_degree.begin(), by_degree.end(), [&](vertex_id a, vertex_id b) {
    return graph.view().degree(a) > graph.view().degree(b);
  });
  double mean_id = 0;
  for (std::size_t i = 0; i < 256; ++i) {
    mean_id += by_degree[i] / 256.0;
  }
  // Uniform ids: mean 8192, standard deviation 16384 / sqrt(12 * 256) = 296.
  EXPECT_NEAR(mean_id, 8192.0, 4 * 296.0);
}

TEST(generate_weights, are_1_to_256_and_the_same_both_ways) {
  const csr<std::int32_t> graph = generate<std::int32_t>("rmat:10:16");
  std::map<std::pair<vertex_id, vertex_id>, std::int32_t> weights;
  double sum = 0;
  for (const auto& e : edges_of(graph)) {
    weights[{e.source, e.target}] = e.weight;
    sum += e.weight;
  }
  for (const auto& [ends, weight] : weights) {
    EXPECT_GE(weight, 1);
    EXPECT_LE(weight, 256);
    EXPECT_EQ(weight, weights.at({ends.second, ends.first}));
  }
  // Uniform on 1 .. 256: mean 128.5, standard deviation 73.9 over more than 8,000 edges.
  EXPECT_NEAR(sum / static_cast<double>(graph.num_edges()), 128.5, 4.0);
}

TEST(generate_weights, are_the_same_in_every_type) {
  const auto whole = generate<std::int32_t>("urand:8:8");
  const auto floats = generate<float>("urand:8:8");
  const auto doubles = generate<double>("urand:8:8");
  for (std::size_t i = 0; i < whole.num_edges(); ++i) {
    EXPECT_EQ(static_cast<float>(whole.weights()[i]), floats.weights()[i]);
    EXPECT_EQ(static_cast<double>(whole.weights()[i]), doubles.weights()[i]);
  }
}

std::string refusal(const std::string& text) {
  try {
    (void)generate(text);
  } catch (const tendril::usage_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(generator_text, says_the_form_it_expects) {
  const std::string rmat = "generator: expected rmat:SCALE:EDGEFACTOR[:SEED][:A:B:C], found '";
  for (const char* text :
       {"rmat:", "rmat:10", "rmat:10:", "rmat:10:16:1:2", "rmat:x:16", "rmat:10:16 ",
        "rmat:99999999999:16", "rmat:10:1e3", "rmat:10:16:-1", "rmat:+10:16",
        "rmat:10:16:18446744073709551616", "rmat:10:16:1:.5:.2:.1:7"}) {
    EXPECT_EQ(refusal(text), rmat + text + "'");
  }
  EXPECT_EQ(refusal("grid:10"),
            "generator: expected grid:WIDTHxHEIGHT[:REMOVED%[:SEED]], found 'grid:10'");
  EXPECT_EQ(refusal("path:-1"), "generator: expected path:N, found 'path:-1'");
  EXPECT_EQ(refusal("tree:3"), "generator: expected tree:DEPTH:FANOUT, found 'tree:3'");
  EXPECT_NE(refusal("torus:3").find("expected one of rmat:"), std::string::npos);
}

TEST(generator_text, refuses_numbers_that_no_graph_can_have) {
  EXPECT_EQ(refusal("rmat:0:16"), "rmat: expected a scale in 1 .. 31, found 0");
  EXPECT_EQ(refusal("rmat:32:16"), "rmat: expected a scale in 1 .. 31, found 32");
  EXPECT_EQ(refusal("urand:-3:16"), "urand: expected a scale in 1 .. 31, found -3");
  EXPECT_EQ(refusal("rmat:4:2:1:0.56:0.34:0.1"), "accepted");  // more than 1 as doubles add up
  EXPECT_NE(refusal("rmat:4:2:1:0.6:0.3:0.2"), "accepted");
  EXPECT_EQ(refusal("urand:10:0"), "urand: expected an edge factor of at least 1, found 0");
  for (const char* text :
       {"path:0", "star:0", "star:4294967295", "grid:0x5", "grid:5x0", "grid:65536x65536",
        "grid:4294967296x4294967296", "grid:5x5:101", "grid:5x5:-1", "tree:-1:2", "tree:3:0",
        "tree:32:2", "tree:2147483647:2", "tree:2:4294967296", "rmat:4:4:0.9:0.9:0.9",
        "rmat:4:4:-0.1:0.5:0.5", "rmat:4:4:nan:0.1:0.1"}) {
    EXPECT_NE(refusal(text), "accepted") << text;
  }
}

TEST(generator_text, refuses_what_memory_cannot_hold_before_allocating) {
  for (const char* text : {"rmat:31:2147483647", "urand:31:1000", "path:4294967294"}) {
    EXPECT_THROW((void)generate(text), tendril::resource_error) << text;
  }
}

TEST(generator_text, is_told_from_file_names) {
  for (const char* text : {"rmat:", "urand:1:2", "grid:2x2", "path:1", "star:1", "tree:1:1"}) {
    EXPECT_TRUE(tendril::names_generator(text)) << text;
  }
  for (const char* text : {"", "rmat", "rmat.el", "grids:2x2", "graph.mtx", "./rmat:1:1"}) {
    EXPECT_FALSE(tendril::names_generator(text)) << text;
  }
}

TEST(generator_text, holds_its_seed) {
  EXPECT_EQ(tendril::generator_seed("rmat:10:16"), 1U);
  EXPECT_EQ(tendril::generator_seed("rmat:10:16:7"), 7U);
  EXPECT_EQ(tendril::generator_seed("rmat:10:16:7:.5:.2:.2"), 7U);
  EXPECT_EQ(tendril::generator_seed("rmat:10:16:.5:.2:.2"), 1U);
  EXPECT_EQ(tendril::generator_seed("grid:2x2:30:18446744073709551615"),
            18'446'744'073'709'551'615U);
  EXPECT_EQ(tendril::generator_seed("grid:2x2"), 1U);
  EXPECT_EQ(tendril::generator_seed("path:5"), 0U);
}

}  // namespace
