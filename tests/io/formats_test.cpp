#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "io/io_support.hpp"

// What each format means, on texts small enough to see the answer.

namespace {

using io_test::listing_of;
using io_test::refusal_of;
using tendril::orientation;
using tendril::read_options;

read_options read_as(orientation kind) {
  read_options options;
  options.kind = kind;
  return options;
}

read_options with_base(tendril::vertex_id base) {
  read_options options;
  options.index_base = base;
  return options;
}

tendril::file_facts facts_of(const std::string& name, const std::string& text) {
  const io_test::temp_file file(name, text);
  return tendril::read_graph_file<>(file.path()).facts;
}

const std::string coordinate = "%%MatrixMarket matrix coordinate ";
const std::string array = "%%MatrixMarket matrix array ";

TEST(matrix_market, complex_values_count_by_magnitude) {
  const std::string text = "complex general\n2 2 2\n1 2 3 -4\n2 1 0 .5\n";
  EXPECT_EQ(listing_of<double>("a.mtx", coordinate + text), "2 directed: 1>2*5 2>1*0.5");
  EXPECT_EQ(refusal_of<std::int32_t>("a.mtx", coordinate + text),
            "a.mtx:4: expected a magnitude that int32 holds exactly, found \"0\"");
}

TEST(matrix_market, hermitian_is_undirected) {
  EXPECT_EQ(listing_of<float>("a.mtx", coordinate + "Complex Hermitian\n2 2 2\n1 1 2 0\n2 1 0 3\n"),
            "2 undirected: 1>1*2 1>2*3 2>1*3");
}

TEST(matrix_market, explicit_zeros_are_edges_in_coordinates_only) {
  EXPECT_EQ(listing_of<float>("a.mtx", coordinate + "real general\n2 2 1\n1 2 0\n"),
            "2 directed: 1>2*0");
  EXPECT_EQ(listing_of<float>("a.mtx", array + "real general\n2 2\n0 3\n-0.0\n4\n"),
            "2 directed: 2>1*3 2>2*4");
}

TEST(matrix_market, arrays_go_column_by_column) {
  EXPECT_EQ(listing_of<float>("a.mtx", array + "integer general\n2 2\n11\n21\n12\n22\n"),
            "2 directed: 1>1*11 1>2*12 2>1*21 2>2*22");
  EXPECT_EQ(listing_of<float>("a.mtx", array + "integer symmetric\n2 2\n11\n21\n22\n"),
            "2 undirected: 1>1*11 1>2*21 2>1*21 2>2*22");
  EXPECT_EQ(listing_of<float>("a.mtx", array + "integer skew-symmetric\n3 3\n21\n31\n32\n"),
            "3 directed: 1>2*-21 1>3*-31 2>1*21 2>3*-32 3>1*31 3>2*32");
}

TEST(matrix_market, skew_weights_cannot_be_undirected) {
  EXPECT_THROW(
      (void)listing_of<float>("a.mtx", coordinate + "integer skew-symmetric\n2 2 1\n2 1 4\n",
                              read_as(orientation::undirected)),
      tendril::usage_error);
}

TEST(matrix_market, a_vertex_count_that_cannot_fit_is_a_matter_of_memory) {
  EXPECT_THROW(
      (void)listing_of<>("a.mtx", coordinate + "pattern general\n4294967294 4294967294 0\n"),
      tendril::resource_error);
}

TEST(options, kind_overrides_the_file) {
  const std::string symmetric = coordinate + "pattern symmetric\n3 3 2\n2 1\n3 3\n";
  EXPECT_EQ(listing_of<>("a.mtx", symmetric, read_as(orientation::directed)),
            "3 directed: 1>2 2>1 3>3");
  EXPECT_EQ(listing_of<>("a.el", "0 1\n2 2\n", read_as(orientation::undirected)),
            "3 undirected: 0>1 1>0 2>2");
}

TEST(options, a_base_overrides_the_format) {
  EXPECT_EQ(listing_of<>("a.mtx", coordinate + "pattern general\n2 2 2\n0 1\n1 0\n", with_base(0)),
            "2 directed: 0>1 1>0");
  EXPECT_EQ(listing_of<>("a.gr", "p tw 2 1\n0 1\n", with_base(0)), "2 undirected: 0>1 1>0");
  EXPECT_EQ(listing_of<>("a.graph", "2 1\n1\n0\n", with_base(0)), "2 undirected: 0>1 1>0");
  EXPECT_EQ(listing_of<>("a.adj", "AdjacencyGraph\n2\n1\n0\n1\n2\n", with_base(1)),
            "2 directed: 1>2");
}

TEST(edge_list, ids_that_leave_no_gap_are_kept) {
  EXPECT_EQ(listing_of<>("a.el", "1 2\n2 0\n"), "3 directed: 1>2 2>0");
  EXPECT_EQ(listing_of<>("a.el", "1 2\n2 3\n"), "3 directed: 1>2 2>3");
}

TEST(edge_list, ids_without_a_gap_need_no_table) {
  for (const auto& [text, base] : {std::pair("0 1\n", 0U), {"2 1\n", 1U}}) {
    const io_test::temp_file file("a.el", text);
    EXPECT_EQ(tendril::read_graph_file<>(file.path()).names.base(), base) << text;
  }
}

TEST(edge_list, gaps_are_closed_unless_a_base_is_given) {
  EXPECT_EQ(listing_of<>("a.el", "0 1\n1 3\n"), "3 directed: 0>1 1>3");
  EXPECT_EQ(listing_of<>("a.el", "5 2\n"), "2 directed: 5>2");
  EXPECT_EQ(listing_of<>("a.el", "0 1\n1 3\n", with_base(0)), "4 directed: 0>1 1>3");
  EXPECT_EQ(listing_of<>("a.el", "2 4\n", with_base(1)), "4 directed: 2>4");
  EXPECT_EQ(refusal_of<>("a.el", "1 2\n0 2\n", with_base(1)),
            "a.el:2: expected an id in 1 .. 4294967294, found \"0\"");
}

TEST(edge_list, only_comments_are_the_empty_graph) {
  EXPECT_EQ(listing_of<float>("a.el", "# nothing\n\n"), "0 directed:");
}

TEST(edge_list, any_separator_will_do) {
  EXPECT_EQ(listing_of<float>("a.csv", "0,1,2\n1 ; 2;3\n2\t0 , 4 \n"),
            "3 directed: 0>1*2 1>2*3 2>0*4");
}

TEST(edge_list, headers_are_told_from_rows) {
  EXPECT_EQ(listing_of<float>("a.csv", "u,v,cost\n0,1,2\n"), "2 directed: 0>1*2");
  EXPECT_EQ(listing_of<float>("a.csv", "# c\n\nalpha beta\n0 1\n"), "2 directed: 0>1");
  EXPECT_EQ(listing_of<float>("a.csv", "who,whom,times\nann,bob,2\n"), "2 directed: ann>bob*2");
  EXPECT_EQ(listing_of<float>("a.csv", "Source;Target\nann;bob\n"), "2 directed: ann>bob");
  EXPECT_EQ(listing_of<float>("a.csv", "ann,bob\nbob,cid\n"), "3 directed: ann>bob bob>cid");
  EXPECT_EQ(listing_of<float>("a.csv", "ann,bob\n"), "2 directed: ann>bob");
}

TEST(edge_list, texts_are_sorted_by_bytes_and_may_hold_blanks) {
  EXPECT_EQ(listing_of<float>("a.csv", "\"New York, NY\", Boston,3\nBoston,\xC3\x85rhus ,4\n"),
            "3 directed: Boston>\xC3\x85rhus*4 New York, NY>Boston*3");
  EXPECT_EQ(listing_of<>("a.csv", "\"say \"\"a,b\"\"\",\"\"\"\"\nc,d\n"),
            "4 directed: c>d say \"a,b\">\"");
  EXPECT_EQ(listing_of<>("a.tsv", "New York\tnan\nnan\t10\n10\tinf\n"),
            "4 directed: 10>inf New York>nan nan>10");
}

TEST(edge_list, large_numbers_are_sorted_by_value) {
  EXPECT_EQ(listing_of<>("a.el", "18446744073709551615 9\n9 134217728\n"),
            "3 directed: 9>134217728 18446744073709551615>9");
}

/// The weight of the only edge, or the refusal.
template <tendril::weight W>
std::string weight_of(const std::string& spelling) {
  const std::string text = refusal_of<W>("a.wel", "0 1 " + spelling + "\n");
  const auto star = text.find('*');
  return star == std::string::npos ? text : text.substr(star + 1);
}

TEST(weights, take_any_spelling) {
  EXPECT_EQ(weight_of<double>("+2"), "2");
  EXPECT_EQ(weight_of<double>("-.5"), "-0.5");
  EXPECT_EQ(weight_of<double>("4."), "4");
  EXPECT_EQ(weight_of<double>("-1E+3"), "-1000");
  EXPECT_EQ(weight_of<double>("00012.50e-1"), "1.25");
  EXPECT_EQ(weight_of<std::int32_t>("3.0"), "3");
  EXPECT_EQ(weight_of<std::int32_t>("-2147483648"), "-2147483648");
  EXPECT_EQ(weight_of<double>("."), "a.wel:1: expected a weight (a number), found \".\"");
  EXPECT_EQ(weight_of<double>("0x10"), "a.wel:1: expected a weight (a number), found \"0x10\"");
}

TEST(weights, round_fractions_to_the_nearest) {
  EXPECT_EQ(weight_of<double>("0.1"), "0.10000000000000001");
  EXPECT_EQ(weight_of<float>("0.1"), "0.10000000149011612");
  // Halfway between two floats, and a little above: rounding twice would lose the little.
  EXPECT_EQ(weight_of<float>("16777217.0"), "16777216");
  EXPECT_EQ(weight_of<float>("16777217.0000000001"), "16777218");
  EXPECT_EQ(weight_of<double>("3.14159265358979323846264338327950288"), "3.1415926535897931");
}

TEST(weights, become_zero_when_too_small_and_are_refused_when_too_large) {
  EXPECT_EQ(weight_of<double>("4.9406564584124654e-324"), "4.9406564584124654e-324");
  EXPECT_EQ(weight_of<double>("1e-400"), "0");
  EXPECT_EQ(weight_of<double>("-0.0" + std::string(400, '0') + "1"), "-0");
  EXPECT_EQ(weight_of<float>("1e-46"), "0");
  EXPECT_EQ(weight_of<float>("1e39"),
            "a.wel:1: expected a weight in the range of float, found \"1e39\"");
  EXPECT_EQ(weight_of<double>("0.001e400"),
            "a.wel:1: expected a weight that is finite and in range, found \"0.001e400\"");
  EXPECT_EQ(
      weight_of<double>("1e99999999999999999999"),
      "a.wel:1: expected a weight that is finite and in range, found \"1e99999999999999999999\"");
  EXPECT_EQ(weight_of<double>("1e-99999999999999999999"), "0");
}

TEST(weights, refuse_integers_that_are_not_held_exactly) {
  EXPECT_EQ(weight_of<float>("16777216"), "16777216");
  EXPECT_EQ(weight_of<float>("16777217"),
            "a.wel:1: expected a weight that float holds exactly, found \"16777217\"");
  EXPECT_EQ(weight_of<double>("9007199254740994"), "9007199254740994");
  EXPECT_EQ(weight_of<double>("9007199254740993"),
            "a.wel:1: expected a weight that double holds exactly, found \"9007199254740993\"");
  EXPECT_EQ(weight_of<double>("-9223372036854775808"), "-9.2233720368547758e+18");
  // 2^64, of more than 64 bits.
  EXPECT_EQ(weight_of<double>("0018446744073709551616"), "1.8446744073709552e+19");
  EXPECT_EQ(weight_of<float>("-18446744073709551616"), "-1.8446744073709552e+19");
  EXPECT_EQ(weight_of<double>("18446744073709551617"),
            "a.wel:1: expected a weight that double holds exactly, found \"18446744073709551617\"");
  EXPECT_EQ(weight_of<float>("1" + std::string(39, '0')).substr(0, 50),
            "a.wel:1: expected a weight in the range of float, ");
}

TEST(dimacs, colouring_files_skip_what_is_no_edge) {
  EXPECT_EQ(listing_of<>("a.col", "p col 3 2\nn 1 5\nd 2\ne 1 2\nv 1 2.5\nx A 3\ne 2 3\n"),
            "3 undirected: 1>2 2>1 2>3 3>2");
}

TEST(metis, read_as_directed_the_lists_are_arcs) {
  const read_options directed = read_as(orientation::directed);
  EXPECT_EQ(listing_of<>("a.graph", "3 2\n2\n3\n\n", directed), "3 directed: 1>2 2>3");
  EXPECT_EQ(listing_of<>("a.graph", "3 1\n2\n3\n\n", directed), "3 directed: 1>2 2>3");
  EXPECT_EQ(refusal_of<>("a.graph", "3 3\n2\n3\n\n", directed),
            "a.graph:1: expected 6 entries in lists, two for each edge, found 2");
}

TEST(metis, vertex_sizes_and_weights_are_skipped) {
  EXPECT_EQ(listing_of<float>("a.graph", "2 1 111 2\n9 5 5 2 4\n9 5 5 1 4\n"),
            "2 undirected: 1>2*4 2>1*4");
  EXPECT_EQ(listing_of<float>("a.graph", "2 1 100\n9 2\n9 1\n"), "2 undirected: 1>2 2>1");
}

TEST(metis, arcs_may_lack_the_sizes_that_the_header_promises) {
  const read_options directed = read_as(orientation::directed);
  EXPECT_EQ(listing_of<>("a.graph", "3 2 100\n2\n3\n\n", directed), "3 directed: 1>2 2>3");
  EXPECT_EQ(listing_of<>("a.graph", "3 2 100\n1 2\n1 3\n1\n", directed), "3 directed: 1>2 2>3");
  EXPECT_EQ(refusal_of<>("a.graph", "3 3 100\n2\n3\n\n", directed),
            "a.graph:4: expected a size or weight of the vertex (a whole number, not negative), "
            "found the end of the line");
}

TEST(metis, a_list_may_be_longer_than_a_block) {
  constexpr std::uint32_t num_leaves = 300000;
  std::string text = std::to_string(num_leaves + 1) + ' ' + std::to_string(num_leaves) + '\n';
  for (std::uint32_t leaf = 2; leaf <= num_leaves + 1; ++leaf) {
    text += std::to_string(leaf) + ' ';
  }
  text += '\n';
  for (std::uint32_t leaf = 0; leaf < num_leaves; ++leaf) {
    text += "1\n";
  }
  const io_test::temp_file file("a.graph", text);
  const auto graph = tendril::read_graph<>(file.path());
  EXPECT_EQ(graph.num_vertices(), num_leaves + 1);
  EXPECT_EQ(graph.view().degree(0), num_leaves);
  EXPECT_EQ(graph.view().target(graph.num_edges() - 1), 0U);
}

TEST(facts, say_what_the_file_is) {
  const auto symmetric = facts_of("a.mtx", coordinate + "real symmetric\n3 3 2\n2 1 4\n3 3 5\n");
  EXPECT_EQ(symmetric.format, tendril::file_format::matrix_market);
  EXPECT_TRUE(symmetric.has_weights);
  EXPECT_FALSE(symmetric.gzipped);
  EXPECT_EQ(symmetric.stored_entries, 2U);
  const auto compressed = facts_of("a.el", io_test::gzip("0 1\n"));
  EXPECT_EQ(compressed.format, tendril::file_format::edge_list);
  EXPECT_TRUE(compressed.gzipped);
  EXPECT_FALSE(compressed.has_weights);
}

TEST(format, follows_the_content_before_the_extension) {
  EXPECT_EQ(facts_of("a.el", coordinate + "pattern general\n1 1 0\n").format,
            tendril::file_format::matrix_market);
  EXPECT_EQ(facts_of("a", "c\np tw 1 0\n").format, tendril::file_format::dimacs);
  EXPECT_EQ(facts_of("a.gr", "p col 1 0\n").format, tendril::file_format::dimacs_color);
  EXPECT_EQ(facts_of("a.txt", "AdjacencyGraph\n0\n0\n").format, tendril::file_format::adjacency);
  EXPECT_EQ(facts_of("c.tsv", "c d\nd e\n").format, tendril::file_format::edge_list);
}

}  // namespace
