#include <gtest/gtest.h>

#include <limits>

#include "battery.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

// The checkers are checked: right results pass, and each way of breaking one is caught, with the
// vertex or edge named.

namespace {

using namespace tendril;
using test::make_graph;

/// 0 - 1 - 2 - 3 with a side way 0 - 4 - 3, and 5 apart. Depths from 0: 0 1 2 2 1, unreached.
struct bfs_result_under_test {
  csr<> graph = make_graph(6, {{0, 1}, {1, 2}, {2, 3}, {0, 4}, {4, 3}}, orientation::undirected);
  std::vector<vertex_id> sources{0};
  std::vector<std::int32_t> depth{0, 1, 2, 2, 1, unreached};
  std::vector<vertex_id> parent{0, 0, 1, 4, 0, no_vertex};
  std::int32_t limit = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] std::string certificate() const {
    return oracle::certify_bfs(graph, sources, depth, parent, limit).value_or("");
  }
  [[nodiscard]] std::string comparison() const {
    return oracle::compare_bfs(graph, sources, depth, limit).value_or("");
  }
};

TEST(bfs_certificate, accepts_the_right_result) {
  const bfs_result_under_test right;
  EXPECT_EQ(right.certificate(), "");
  EXPECT_EQ(right.comparison(), "");
}

TEST(bfs_certificate, catches_a_depth_too_large) {
  bfs_result_under_test broken;
  broken.depth[3] = 3;
  broken.parent[3] = 2;
  EXPECT_EQ(broken.certificate(), "edge 4 -> 3 goes from depth 1 to depth 3");
  EXPECT_EQ(broken.comparison(), "vertex 3: Boost.Graph has depth 2, found 3");
}

TEST(bfs_certificate, catches_a_depth_too_small) {
  bfs_result_under_test broken;
  broken.depth[2] = 1;
  EXPECT_EQ(broken.certificate(), "vertex 2 has depth 1 and its parent 1 depth 1");
  broken.parent[2] = 0;
  EXPECT_EQ(broken.certificate(), "vertex 2 has parent 0 but no edge from it");
  EXPECT_EQ(broken.comparison(), "vertex 2: Boost.Graph has depth 2, found 1");
}

TEST(bfs_certificate, catches_a_parent_that_is_not_adjacent) {
  bfs_result_under_test broken;
  broken.parent[2] = 4;
  EXPECT_EQ(broken.certificate(), "vertex 2 has parent 4 but no edge from it");
}

TEST(bfs_certificate, catches_a_parent_on_the_wrong_level) {
  bfs_result_under_test broken;
  broken.parent[3] = 2;
  EXPECT_EQ(broken.certificate(), "vertex 3 has depth 2 and its parent 2 depth 2");
}

TEST(bfs_certificate, catches_an_edge_taken_against_its_direction) {
  bfs_result_under_test broken;
  broken.graph = make_graph(2, {{1, 0}});
  broken.depth = {0, 1};
  broken.parent = {0, 0};
  EXPECT_EQ(broken.certificate(), "vertex 1 has parent 0 but no edge from it");
  EXPECT_EQ(broken.comparison(), "vertex 1: Boost.Graph has depth -1, found 1");
}

TEST(bfs_certificate, catches_an_unreached_vertex_marked_reached) {
  bfs_result_under_test broken;
  broken.depth[5] = 3;
  EXPECT_EQ(broken.certificate(), "vertex 5 is reached and has no parent");
  broken.parent[5] = 3;
  EXPECT_EQ(broken.certificate(), "vertex 5 has parent 3 but no edge from it");
  EXPECT_EQ(broken.comparison(), "vertex 5: Boost.Graph has depth -1, found 3");
}

TEST(bfs_certificate, catches_a_reached_vertex_marked_unreached) {
  bfs_result_under_test broken;
  broken.depth[2] = unreached;
  EXPECT_EQ(broken.certificate(), "vertex 2 is unreached and has parent 1");
  broken.parent[2] = no_vertex;
  EXPECT_EQ(broken.certificate(), "edge 1 -> 2 goes from depth 1 to an unreached vertex");
  EXPECT_EQ(broken.comparison(), "vertex 2: Boost.Graph has depth 2, found -1");
}

TEST(bfs_certificate, catches_wrong_sources) {
  bfs_result_under_test broken;
  broken.depth[0] = 1;
  EXPECT_EQ(broken.certificate(), "source 0 has depth 1");
  bfs_result_under_test second;
  second.depth[5] = 0;
  EXPECT_EQ(second.certificate(), "vertex 5 has depth 0 and is no source");
  bfs_result_under_test third;
  third.parent[0] = 1;
  EXPECT_EQ(third.certificate(), "source 0 has parent 1, not itself");
}

TEST(bfs_certificate, holds_results_to_the_depth_limit) {
  bfs_result_under_test result;
  result.limit = 1;
  EXPECT_EQ(result.certificate(), "vertex 2 has depth 2, the limit is 1");
  EXPECT_NE(result.comparison(), "");
  result.depth = {0, 1, unreached, unreached, 1, unreached};
  result.parent = {0, 0, no_vertex, no_vertex, 0, no_vertex};
  EXPECT_EQ(result.certificate(), "");
  EXPECT_EQ(result.comparison(), "");
  result.limit = 2;
  EXPECT_EQ(result.certificate(), "edge 1 -> 2 goes from depth 1 to an unreached vertex");
}

TEST(bfs_certificate, catches_a_depth_that_is_no_depth_and_arrays_of_the_wrong_size) {
  bfs_result_under_test broken;
  broken.depth[5] = -2;
  EXPECT_EQ(broken.certificate(), "vertex 5 has depth -2, the limit is 2147483647");
  bfs_result_under_test short_one;
  short_one.depth.pop_back();
  EXPECT_EQ(short_one.certificate(), "expected one depth for each of 6 vertices, found 5");
  EXPECT_EQ(short_one.comparison(), "expected 6 vertices, found 5");
  bfs_result_under_test short_parents;
  short_parents.parent.pop_back();
  EXPECT_EQ(short_parents.certificate(), "expected one parent for each of 6 vertices, found 5");
}

TEST(bfs_certificate, proves_depths_without_parents) {
  bfs_result_under_test result;
  result.parent.clear();
  EXPECT_EQ(result.certificate(), "");
  result.depth[5] = 2;
  EXPECT_EQ(result.certificate(), "vertex 5 has depth 2 and no edge from a vertex one level up");
}

// Whatever single depth is changed by one on a larger graph, both notice.
TEST(bfs_certificate, notices_any_one_depth_off_by_one) {
  bfs_result_under_test result;
  result.graph = generate_grid(12, 9, 20, 5);
  result.parent.clear();
  result.depth = oracle::bfs_depths(result.graph, result.sources);
  ASSERT_EQ(result.certificate(), "");
  for (std::int32_t& depth : result.depth) {
    for (const std::int32_t change : {-1, 1}) {
      depth += change;
      EXPECT_NE(result.certificate(), "");
      EXPECT_NE(result.comparison(), "");
      depth -= change;
    }
  }
}

/// 0 -2-> 1 -3-> 2, 0 -9-> 2, and a cycle of weight zero 3 <-> 4 that nothing leads to.
struct sssp_result_under_test {
  csr<std::int32_t> graph = [] {
    const csr<> plain = make_graph(5, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {4, 3}});
    return csr<std::int32_t>(plain.offsets(), plain.targets(),
                             std::vector<std::int32_t>{2, 9, 3, 0, 0}, plain.kind());
  }();
  std::vector<vertex_id> sources{0};
  static constexpr std::int64_t infinite = infinite_distance<std::int32_t>;
  std::vector<std::int64_t> distance{0, 2, 5, infinite, infinite};
  std::vector<vertex_id> parent{0, 0, 1, no_vertex, no_vertex};

  [[nodiscard]] std::span<const std::int64_t> distances() const { return distance; }
  [[nodiscard]] std::string certificate() const {
    return oracle::certify_sssp(graph, sources, distances()).value_or("");
  }
  [[nodiscard]] std::string comparison() const {
    return oracle::compare_sssp(graph, sources, distances()).value_or("");
  }
  [[nodiscard]] std::string tree() const {
    return oracle::certify_shortest_path_tree(graph, sources, distances(), parent).value_or("");
  }
};

TEST(sssp_certificate, accepts_the_right_result) {
  const sssp_result_under_test right;
  EXPECT_EQ(right.certificate(), "");
  EXPECT_EQ(right.comparison(), "");
  EXPECT_EQ(right.tree(), "");
}

TEST(sssp_certificate, catches_a_parent_that_is_not_reached) {
  sssp_result_under_test broken;
  broken.graph = {broken.graph.offsets(), broken.graph.targets(),
                  std::vector<std::int32_t>{2, 9, 3, 1, 0}, broken.graph.kind()};
  broken.distance[4] = 7;
  broken.parent[4] = 3;
  EXPECT_EQ(broken.tree(), "vertex 4 has parent 3 but no edge from it that gives its distance");
}

TEST(sssp_certificate, catches_a_distance_too_large) {
  sssp_result_under_test broken;
  broken.distance[2] = 9;
  EXPECT_EQ(broken.certificate(), "edge 1 -> 2 of weight 3 leads from distance 2 to 9");
  EXPECT_EQ(broken.comparison(), "vertex 2: Boost.Graph has distance 5, found 9");
}

TEST(sssp_certificate, catches_a_distance_too_small) {
  sssp_result_under_test broken;
  broken.distance[2] = 4;
  EXPECT_EQ(broken.certificate(),
            "vertex 2 has distance 4 and no path of that length from a source");
  EXPECT_EQ(broken.comparison(), "vertex 2: Boost.Graph has distance 5, found 4");
}

// Each of 3 and 4 has a tight edge from the other; no path leads to either.
TEST(sssp_certificate, catches_a_zero_cycle_that_holds_itself_up) {
  sssp_result_under_test broken;
  broken.distance[3] = broken.distance[4] = 1;
  EXPECT_EQ(broken.certificate(),
            "vertex 3 has distance 1 and no path of that length from a source");
  EXPECT_NE(broken.comparison(), "");
  broken.parent[3] = 4;
  broken.parent[4] = 3;
  EXPECT_EQ(broken.tree(), "vertex 3 is its own ancestor");
}

TEST(sssp_certificate, catches_a_reached_vertex_marked_unreached) {
  sssp_result_under_test broken;
  broken.distance[2] = sssp_result_under_test::infinite;
  EXPECT_EQ(broken.certificate(),
            "edge 0 -> 2 of weight 9 leads from distance 0 to 9223372036854775807");
  EXPECT_NE(broken.comparison(), "");
}

TEST(sssp_certificate, catches_a_source_that_is_not_at_zero) {
  sssp_result_under_test broken;
  broken.distance[0] = 1;
  EXPECT_EQ(broken.certificate(), "source 0 has distance 1");
  EXPECT_NE(broken.comparison(), "");
}

TEST(sssp_certificate, catches_a_distance_that_is_not_a_number) {
  const csr<double> graph({std::vector<edge_offset>{0, 1, 1}}, {std::vector<vertex_id>{1}},
                          {std::vector<double>{1.0}}, orientation::directed);
  const std::vector<double> distance{0.0, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<vertex_id> sources{0};
  EXPECT_NE(oracle::certify_sssp(graph, sources, std::span<const double>(distance)), std::nullopt);
}

TEST(sssp_certificate, catches_each_kind_of_wrong_parent) {
  sssp_result_under_test not_tight;
  not_tight.parent[2] = 0;
  EXPECT_EQ(not_tight.tree(), "vertex 2 has parent 0 but no edge from it that gives its distance");
  sssp_result_under_test of_source;
  of_source.parent[0] = 1;
  EXPECT_EQ(of_source.tree(), "source 0 has parent 1, not itself");
  sssp_result_under_test own;
  own.parent[2] = 2;
  EXPECT_EQ(own.tree(), "vertex 2 is its own parent and no source");
  sssp_result_under_test missing;
  missing.parent[1] = no_vertex;
  EXPECT_EQ(missing.tree(), "vertex 1 is reached and has no parent");
  sssp_result_under_test surplus;
  surplus.parent[3] = 4;
  EXPECT_EQ(surplus.tree(), "vertex 3 is unreached and has a parent");
  sssp_result_under_test outside;
  outside.parent[2] = 77;
  EXPECT_EQ(outside.tree(), "vertex 2 has parent 77, which is no vertex");
}

}  // namespace
