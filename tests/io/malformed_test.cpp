#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "io/io_support.hpp"
#include "io/readers.hpp"

// Every reader x every way a file can be wrong: the whole text of the error.

namespace {

using io_test::gzip;
using io_test::refusal;
using io_test::refusal_of;
using io_test::text_format;

class every_reader_refuses : public testing::TestWithParam<text_format> {
 protected:
  [[nodiscard]] static std::string file() { return GetParam().file; }
};

TEST_P(every_reader_refuses, a_missing_file) {
  EXPECT_EQ(refusal("/nonexistent/" + file()),
            file() + ": expected a file to read, found nothing of that name");
}

TEST_P(every_reader_refuses, a_directory) {
  const io_test::temp_file inside(file() + "/" + file(), "");
  const auto folder = inside.path().parent_path();
  std::filesystem::create_directories(folder);
  EXPECT_EQ(refusal(folder), file() + ": expected a file to read, found a directory");
}

TEST_P(every_reader_refuses, an_empty_file) {
  EXPECT_EQ(refusal_of(file(), ""), file() + ": expected data, found an empty file");
}

TEST_P(every_reader_refuses, binary_data) {
  const std::string text = GetParam().text;
  const auto line = 1 + std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(
      refusal_of<std::int32_t>(file(), text + std::string("1\0 2\n", 5)),
      file() + ":" + std::to_string(line) + ": expected text, found binary data (a zero byte)");
}

TEST_P(every_reader_refuses, gzip_that_is_cut_short) {
  const std::string whole = gzip(GetParam().text);
  for (const std::size_t size : {std::size_t{3}, whole.size() / 2, whole.size() - 1}) {
    EXPECT_EQ(refusal_of<std::int32_t>(file() + ".gz", whole.substr(0, size)),
              file() + ".gz: expected data, found gzip data that are cut short");
  }
}

TEST_P(every_reader_refuses, gzip_that_is_damaged) {
  const std::string whole = gzip(GetParam().text);
  std::string wrong_checksum = whole;
  wrong_checksum[whole.size() - 8] ^= 1;
  for (const std::string& damaged : {wrong_checksum, whole + "trailing"}) {
    EXPECT_EQ(refusal_of<std::int32_t>(file() + ".gz", damaged),
              file() + ".gz: expected data, found damaged gzip data");
  }
}

INSTANTIATE_TEST_SUITE_P(io, every_reader_refuses, testing::ValuesIn(io_test::text_formats),
                         [](const auto& param) { return std::string(param.param.name); });

struct malformed {
  const char* name;
  const char* file;
  const char* text;
  const char* error;  ///< after "FILE:"
};

std::ostream& operator<<(std::ostream& out, const malformed& one) {
  return out << one.name;
}

class malformed_text : public testing::TestWithParam<malformed> {};

TEST_P(malformed_text, is_refused_naming_line_expected_and_found) {
  const auto& [name, file, text, error] = GetParam();
  EXPECT_EQ(refusal_of<std::int32_t>(file, text), std::string(file) + ":" + error);
}

#define BANNER "%%MatrixMarket matrix coordinate "
#define ARRAY "%%MatrixMarket matrix array "

constexpr malformed matrix_market[] = {
    {"no_banner", "a.mtx", "3 3 1\n1 2\n", "1: expected the banner %%MatrixMarket, found \"3\""},
    {"no_size", "a.mtx", BANNER "real general\n% only a comment\n",
     "3: expected a line with rows, columns and entries, found the end of the file"},
    {"object", "a.mtx", "%%MatrixMarket vector coordinate real general\n",
     "1: expected matrix, found \"vector\""},
    {"layout", "a.mtx", "%%MatrixMarket matrix dense real general\n",
     "1: expected coordinate or array, found \"dense\""},
    {"field", "a.mtx", BANNER "quaternion general\n",
     "1: expected pattern or integer or real or double or complex, found \"quaternion\""},
    {"symmetry", "a.mtx", BANNER "real\n",
     "1: expected general or symmetric or skew-symmetric or hermitian, found the end of the line"},
    {"hermitian_real", "a.mtx", BANNER "real hermitian\n1 1 0\n",
     "1: expected complex values in a hermitian matrix, found \"hermitian\""},
    {"array_pattern", "a.mtx", ARRAY "pattern general\n1 1\n",
     "1: expected values in an array (a pattern has none), found \"%%MatrixMarket\""},
    {"rectangular", "a.mtx", BANNER "pattern general\n3 4 0\n",
     "2: expected as many columns as rows (3; a rectangular matrix is no graph), found \"4\""},
    {"size_negative", "a.mtx", BANNER "pattern general\n-3 -3 0\n",
     "2: expected a number of rows (a whole number, not negative), found \"-3\""},
    {"size_overflow", "a.mtx", BANNER "pattern general\n3 3 18446744073709551616\n",
     "2: expected a number of entries of at most 64 bits, found \"18446744073709551616\""},
    {"size_incomplete", "a.mtx", BANNER "pattern general\n3 3\n",
     "2: expected a number of entries (a whole number, not negative), found the end of the line"},
    {"count_short", "a.mtx", BANNER "pattern general\n3 3 2\n1 2\n",
     "2: expected 2 entries, found 1"},
    {"count_long", "a.mtx", BANNER "pattern general\n3 3 1\n1 2\n2 3\n",
     "2: expected 1 entry, found 2"},
    {"column_range", "a.mtx", BANNER "pattern general\n3 3 1\n\n1 4\n",
     "4: expected a column in 1 .. 3, found \"4\""},
    {"row_zero", "a.mtx", BANNER "pattern general\n3 3 1\n0 1\n",
     "3: expected a row in 1 .. 3, found \"0\""},
    {"row_negative", "a.mtx", BANNER "pattern general\n3 3 1\n-1 1\n",
     "3: expected a row (a whole number, not negative), found \"-1\""},
    {"row_overflow", "a.mtx", BANNER "pattern general\n3 3 1\n99999999999999999999 1\n",
     "3: expected a row of at most 64 bits, found \"99999999999999999999\""},
    {"no_vertices", "a.mtx", BANNER "pattern general\n0 0 1\n1 1\n",
     "3: expected a row of a graph without vertices, found \"1\""},
    {"value_nan", "a.mtx", BANNER "real general\n3 3 1\n1 2 NaN\n",
     "3: expected a value that is finite and in range, found \"NaN\""},
    {"value_missing", "a.mtx", BANNER "real general\n3 3 1\n1 2\r\n",
     "3: expected a value (a number), found the end of the line"},
    {"value_of_pattern", "a.mtx", BANNER "pattern general\n3 3 1\n1 2 1.0\n",
     "3: expected the end of the line, found \"1.0\""},
    {"value_not_integer", "a.mtx", BANNER "integer general\n3 3 1\n1 2 2.0\n",
     "3: expected an integer, found \"2.0\""},
    {"value_too_large", "a.mtx", BANNER "integer general\n3 3 1\n1 2 2147483648\n",
     "3: expected a value in the range of int32, found \"2147483648\""},
    {"skew_diagonal", "a.mtx", BANNER "integer skew-symmetric\n3 3 1\n2 2 1\n",
     "3: expected no entry on the diagonal of a skew-symmetric matrix, found \"2\""},
    {"complex_half", "a.mtx", BANNER "complex general\n3 3 1\n1 2 3\n",
     "3: expected an imaginary part (a number), found the end of the line"},
    {"array_short", "a.mtx", ARRAY "integer symmetric\n2 2\n1\n2\n",
     "2: expected 3 values, found 2"},
    {"array_long", "a.mtx", ARRAY "integer general\n1 1\n1\n2\n", "2: expected 1 value, found 2"},
};

constexpr malformed edge_lists[] = {
    {"one_column", "a.el", "7\n",
     "1: expected two end points and at most a weight, found 1 column"},
    {"four_columns", "a.csv", "1,2,3,4\n",
     "1: expected two end points and at most a weight, found 4 columns"},
    {"id_negative", "a.el", "-1 2\n",
     "1: expected a source id (a whole number, not negative), found \"-1\""},
    {"id_fraction", "a.el", "0.5 2\n",
     "1: expected a source id (a whole number, not negative), found \"0.5\""},
    {"id_text_later", "a.el", "1 2\n# x\n\n2 x\n",
     "4: expected a target id (a whole number, not negative), found \"x\""},
    {"id_text_glued", "a.el", "1 2\n2 3x\n",
     "2: expected a target id (a whole number, not negative), found \"3x\""},
    {"id_overflow", "a.el", "1 2\n18446744073709551616 1\n",
     "2: expected a source id of at most 64 bits, found \"18446744073709551616\""},
    {"id_missing", "a.el", "1 2\n3\n",
     "2: expected a target id (a whole number, not negative), found the end of the line"},
    {"id_empty", "a.csv", "1,2\n1,,2\n",
     "2: expected a target id (a whole number, not negative), found \",\""},
    {"weight_missing", "a.wel", "1 2 3\n2 3\n",
     "2: expected a weight (a number), found the end of the line"},
    {"weight_extra", "a.el", "1 2\n2 3 4\n", "2: expected the end of the line, found \"4\""},
    {"weight_nan", "a.wel", "1 2 -nan\n",
     "1: expected a weight that is finite and in range, found \"-nan\""},
    {"weight_infinite", "a.wel", "1 2 3\n2 3 1e999\n",
     "2: expected a weight that is finite and in range, found \"1e999\""},
    {"weight_text", "a.wel", "1 2 3\n2 3 4x\n", "2: expected a weight (a number), found \"4x\""},
    {"weight_fraction", "a.wel", "1 2 2.5\n",
     "1: expected a weight that int32 holds exactly, found \"2.5\""},
    {"weight_signs", "a.wel", "1 2 +-2\n", "1: expected a weight (a number), found \"+-2\""},
    {"control_byte", "a.el", "1 2\n1\x01 2\n",
     "2: expected a source id (a whole number, not negative), found \"1\\x01\""},
    {"text_empty", "a.csv", "a,b\nb,\n", "2: expected a column, found the end of the line"},
    {"text_quote", "a.csv", "a,\"b\n",
     "1: expected a closing quote in the same line, found \"\"b\""},
    {"text_weight", "a.csv", "a,b,1\nb,c,two\n", "2: expected a weight (a number), found \"two\""},
    {"text_extra", "a.csv", "a,b\nb,c,1\n", "2: expected the end of the line, found \",\""},
};

constexpr malformed dimacs[] = {
    {"gr_no_problem", "a.gr", "c only\n",
     "2: expected a problem line (p sp, p tw, p edge or p col), found the end of the file"},
    {"gr_edge_first", "a.gr", "a 1 2 3\np sp 2 1\n",
     "1: expected a problem line (p sp, p tw, p edge or p col), found \"a\""},
    {"gr_kind", "a.gr", "p max 4 5\n", "1: expected sp, tw, edge or col, found \"max\""},
    {"gr_count_short", "a.gr", "c\np sp 3 2\na 1 2 3\n", "2: expected 2 edges, found 1"},
    {"gr_count_long", "a.gr", "p sp 3 1\na 1 2 3\na 2 3 3\n", "1: expected 1 edge, found 2"},
    {"gr_vertices", "a.gr", "p sp 4294967295 0\n",
     "1: expected a number of vertices below 4294967295, found \"4294967295\""},
    {"gr_range", "a.gr", "p sp 3 1\na 1 4 3\n", "2: expected a target in 1 .. 3, found \"4\""},
    {"gr_zero", "a.gr", "p sp 3 1\na 0 1 3\n", "2: expected a source in 1 .. 3, found \"0\""},
    {"gr_negative", "a.gr", "p sp 3 1\na -1 1 3\n",
     "2: expected a source (a whole number, not negative), found \"-1\""},
    {"gr_letter", "a.gr", "p sp 3 1\ne 1 2\n",
     "2: expected an arc (a U V WEIGHT) or a comment (c), found \"e\""},
    {"gr_weight", "a.gr", "p sp 3 1\na 1 2\n",
     "2: expected a weight (a number), found the end of the line"},
    {"gr_weight_nan", "a.gr", "p sp 3 1\na 1 2 nan\n",
     "2: expected a weight that is finite and in range, found \"nan\""},
    {"gr_weight_overflow", "a.gr", "p sp 3 1\na 1 2 3000000000\n",
     "2: expected a weight in the range of int32, found \"3000000000\""},
    {"pace_letter", "a.gr", "p tw 3 1\na 1 2\n",
     "2: expected a source (a whole number, not negative), found \"a\""},
    {"col_letter", "a.col", "p edge 3 1\na 1 2\n",
     "2: expected an edge (e U V) or a comment (c), found \"a\""},
    {"col_weight", "a.col", "p col 3 1\ne 1 2 9\n", "2: expected the end of the line, found \"9\""},
};

constexpr malformed metis[] = {
    {"header", "a.graph", "% c\nx 3\n",
     "2: expected a number of vertices (a whole number, not negative), found \"x\""},
    {"header_missing", "a.graph", "% c\n",
     "2: expected a line with vertices and edges, found the end of the file"},
    {"header_long", "a.graph", "2 1 0 0 7\n", "1: expected the end of the line, found \"7\""},
    {"format", "a.graph", "2 1 2\n2\n1\n",
     "1: expected a format of up to three digits 0 or 1, found \"2\""},
    {"weights_without_flag", "a.graph", "2 1 1 2\n2 1\n1 1\n",
     "1: expected no vertex weights in format 1, found \"2\""},
    {"flag_without_weights", "a.graph", "2 1 10 0\n",
     "1: expected at least one weight for each vertex, found \"0\""},
    {"count_edges", "a.graph", "2 2\n2\n1\n",
     "1: expected 4 entries in lists, two for each edge, found 2"},
    {"count_vertices", "a.graph", "2 1\n2\n1\n\n1\n",
     "5: expected the end of the line, found \"1\""},
    {"range", "a.graph", "2 1\n2\n3\n", "3: expected a neighbour in 1 .. 2, found \"3\""},
    {"zero", "a.graph", "2 1\n0\n1\n", "2: expected a neighbour in 1 .. 2, found \"0\""},
    {"negative", "a.graph", "2 1\n-2\n1\n",
     "2: expected a neighbour (a whole number, not negative), found \"-2\""},
    {"self_loop", "a.graph", "2 1\n1\n\n",
     "2: expected neighbours other than the vertex itself (METIS has no self-loops), found \"1\""},
    {"weight_missing", "a.graph", "2 1 1\n2\n1 1\n",
     "2: expected a weight behind the neighbour (a number), found the end of the line"},
    {"weight_nan", "a.graph", "2 1 1\n2 nan\n1 1\n",
     "2: expected a weight behind the neighbour that is finite and in range, found \"nan\""},
    {"size_missing", "a.graph", "2 1 100\n\n7 1\n",
     "2: expected a size or weight of the vertex (a whole number, not negative), found the end of "
     "the line"},
    {"vertex_weight_fraction", "a.graph", "2 1 10\n1 2\n1.5 1\n",
     "3: expected a size or weight of the vertex (a whole number, not negative), found \"1.5\""},
    {"vertex_weight_negative", "a.graph", "2 1 10\n-3 2\n1 1\n",
     "2: expected a size or weight of the vertex (a whole number, not negative), found \"-3\""},
    {"vertex_weights_many", "a.graph", "2 1 110 18446744073709551615\n2\n1\n",
     "1: expected a number of vertex weights below 4294967295, found \"18446744073709551615\""},
    {"one_sided", "a.graph", "3 1\n\n% comment\n3\n\n",
     "4: expected the edge (2, 3) in the lists of both ends with the same weight, found it in the "
     "list of 2 only"},
    {"weights_differ", "a.graph", "2 1 1\n2 5\n1 6\n",
     "2: expected the edge (1, 2) in the lists of both ends with the same weight, found it in the "
     "list of 1 only"},
};

constexpr malformed adjacency[] = {
    {"word", "a.adj", "adjacency\n1\n0\n0\n",
     "1: expected the word AdjacencyGraph or WeightedAdjacencyGraph, found \"adjacency\""},
    {"short", "a.adj", "AdjacencyGraph\n2\n2\n0\n1\n1\n",
     "1: expected 6 numbers after the first word, found 5"},
    {"long", "a.adj", "AdjacencyGraph\n1\n1\n0\n0\n9\n",
     "6: expected nothing after 4 numbers, found \"9\""},
    {"vertices", "a.adj", "AdjacencyGraph\n4294967295\n0\n",
     "2: expected a number of vertices below 4294967295, found \"4294967295\""},
    {"edges", "a.adj", "AdjacencyGraph\n1\n18446744073709551615\n",
     "3: expected at most 281474976710656 edges, found \"18446744073709551615\""},
    {"first_offset", "a.adj", "AdjacencyGraph\n1\n1\n1\n0\n",
     "4: expected an offset in 0 .. 0, found \"1\""},
    {"falling_offset", "a.adj", "AdjacencyGraph\n3\n2\n0\n2\n1\n0\n0\n",
     "6: expected an offset in 2 .. 2, found \"1\""},
    {"range", "a.adj", "AdjacencyGraph\n2\n1\n0\n1\n2\n",
     "6: expected a target in 0 .. 1, found \"2\""},
    {"negative", "a.adj", "AdjacencyGraph\n2\n1\n0\n1\n-1\n",
     "6: expected a target (a whole number, not negative), found \"-1\""},
    {"weight_nan", "a.adj", "WeightedAdjacencyGraph\n1\n1\n0\n0\nnan\n",
     "6: expected a weight that is finite and in range, found \"nan\""},
};

const auto by_name = [](const auto& param) { return std::string(param.param.name); };
INSTANTIATE_TEST_SUITE_P(mtx, malformed_text, testing::ValuesIn(matrix_market), by_name);
INSTANTIATE_TEST_SUITE_P(el, malformed_text, testing::ValuesIn(edge_lists), by_name);
INSTANTIATE_TEST_SUITE_P(dimacs, malformed_text, testing::ValuesIn(dimacs), by_name);
INSTANTIATE_TEST_SUITE_P(metis, malformed_text, testing::ValuesIn(metis), by_name);
INSTANTIATE_TEST_SUITE_P(adjacency, malformed_text, testing::ValuesIn(adjacency), by_name);

TEST(unknown_format, is_refused_with_what_is_known) {
  const std::string found = refusal_of("a.xyz", "1 2\n");
  EXPECT_TRUE(
      found.starts_with("a.xyz: expected a graph format known by its first line or its "
                        "extension (.mtx "))
      << found;
  EXPECT_TRUE(found.ends_with(", found .xyz")) << found;
  EXPECT_TRUE(refusal_of("a", "1 2\n").ends_with("found no extension"));
}

}  // namespace
