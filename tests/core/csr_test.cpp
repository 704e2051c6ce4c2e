#include "tendril/graph/csr.hpp"

#include <gtest/gtest.h>

#include "tendril/core/error.hpp"

namespace {

using tendril::csr;
using tendril::edge_offset;
using tendril::orientation;
using tendril::vertex_id;

TEST(csr, the_empty_graph_has_no_vertices) {
  const csr<> graph;
  EXPECT_EQ(graph.num_vertices(), 0U);
  EXPECT_EQ(graph.num_edges(), 0U);
}

TEST(csr, a_view_reads_rows_targets_and_weights) {
  const csr<float> graph({std::vector<edge_offset>{0, 2, 2, 3}}, {std::vector<vertex_id>{1, 2, 0}},
                         {std::vector<float>{0.5F, 2.0F, 4.0F}}, orientation::directed);
  const auto view = graph.view();
  EXPECT_EQ(view.num_vertices(), 3U);
  EXPECT_EQ(view.degree(0), 2U);
  EXPECT_EQ(view.degree(1), 0U);
  EXPECT_EQ(view.target(view.first_edge(2)), 0U);
  EXPECT_EQ(view.weight(1), 2.0F);
}

TEST(csr, refuses_arrays_that_disagree) {
  const std::vector<edge_offset> offsets{0, 1};
  EXPECT_THROW(csr<>({std::vector<edge_offset>{}}, {}, {}, orientation::directed),
               tendril::usage_error);
  EXPECT_THROW(csr<>({offsets}, {}, {}, orientation::directed), tendril::usage_error);
  EXPECT_THROW(csr<>({std::vector<edge_offset>{1, 1}}, {std::vector<vertex_id>{0}}, {},
                     orientation::directed),
               tendril::usage_error);
  EXPECT_THROW(csr<float>({offsets}, {std::vector<vertex_id>{0}}, {}, orientation::directed),
               tendril::usage_error);
}

TEST(csr, without_weights_shares_the_structure) {
  const csr<double> weighted({std::vector<edge_offset>{0, 1}}, {std::vector<vertex_id>{0}},
                             {std::vector<double>{3.0}}, orientation::undirected);
  const csr<> plain = tendril::without_weights(weighted);
  EXPECT_EQ(plain.targets().data(), weighted.targets().data());
  EXPECT_TRUE(plain.is_undirected());
}

TEST(edge, is_as_small_as_its_weight_allows) {
  EXPECT_EQ(sizeof(tendril::edge<>), 8U);
  EXPECT_EQ(sizeof(tendril::edge<float>), 12U);
  EXPECT_EQ(sizeof(tendril::edge<std::int32_t>), 12U);
  EXPECT_EQ(sizeof(tendril::edge<double>), 16U);
}

}  // namespace
