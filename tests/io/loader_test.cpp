#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "io/io_support.hpp"

// Inputs that broke other readers (tests/cases), with the answers derived by hand.

namespace {

using io_test::listing;
using io_test::refusal;
using tendril::none;

std::filesystem::path input(const char* name) {
  return std::filesystem::path(TENDRIL_TEST_CASES) / name;
}

TEST(loader, H01_mtx_freeform) {
  EXPECT_EQ(listing<double>(input("mtx_freeform.mtx")),
            "4 directed: 1>2*0.25 1>4*3 2>3*4 3>4*5 4>1*8");
  EXPECT_EQ(listing<double>(input("mtx_freeform_midcomment.mtx")),
            "4 directed: 1>2*0.25 1>4*3 2>3*4 3>4*5 4>1*8");
}

TEST(loader, H02_mtx_single_percent) {
  EXPECT_EQ(listing<float>(input("mtx_single_percent.mtx")),
            "5 undirected: 1>2 1>3 2>1 3>1 3>4 3>5 4>3 5>3");
}

TEST(loader, H03_mtx_symmetric_diagonal) {
  EXPECT_EQ(listing<float>(input("mtx_sym_diag.mtx")),
            "4 undirected: 1>1*2 1>2 2>1 2>2*2 2>3 3>2 3>3*2 3>4 4>3 4>4*2");
  tendril::read_options options;
  options.loops = tendril::build_options::self_loops::drop;
  EXPECT_EQ(listing<float>(input("mtx_sym_diag.mtx"), options),
            "4 undirected: 1>2 2>1 2>3 3>2 3>4 4>3");
}

TEST(loader, H04_mtx_skew) {
  EXPECT_EQ(listing<std::int32_t>(input("mtx_skew.mtx")),
            "3 directed: 1>2*-4 1>3*2 2>1*4 2>3*-7 3>1*-2 3>2*7");
  EXPECT_EQ(listing<none>(input("mtx_skew.mtx")), "3 undirected: 1>2 1>3 2>1 2>3 3>1 3>2");
}

TEST(loader, H05_mtx_zero_index) {
  EXPECT_EQ(refusal(input("mtx_zero_index.mtx")),
            "mtx_zero_index.mtx:3: expected a row in 1 .. 4, found \"0\"");
  EXPECT_EQ(refusal(input("mtx_index_above_n.mtx")),
            "mtx_index_above_n.mtx:6: expected a column in 1 .. 4, found \"5\"");
}

TEST(loader, H06_mtx_count_mismatch) {
  EXPECT_EQ(refusal(input("mtx_count_short.mtx")),
            "mtx_count_short.mtx:2: expected 6 entries, found 4");
  EXPECT_EQ(refusal(input("mtx_count_long.mtx")),
            "mtx_count_long.mtx:2: expected 2 entries, found 4");
}

TEST(loader, H07_mtx_size_overflow) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal<float>(input("mtx_nnz_overflow.mtx")),
            "mtx_nnz_overflow.mtx:2: expected 18446744073709551615 entries, found 2");
  EXPECT_EQ(refusal(input("mtx_dim_overflow.mtx")),
            "mtx_dim_overflow.mtx:2: expected a number of rows below 4294967295, found "
            "\"4294967297\"");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(loader, H08_snap_crlf_tabs) {
  EXPECT_EQ(listing(input("snap_crlf.txt")), "5 directed: 0>1 0>2 1>3 2>3 3>4");
}

TEST(loader, H09_byte_order_mark) {
  EXPECT_EQ(listing(input("el_bom.el")), "4 directed: 0>1 1>2 2>0 2>3");
  EXPECT_EQ(listing(input("mtx_bom.mtx")), "3 directed: 1>2 2>3");
}

TEST(loader, H10_el_ids_beyond_32_bit) {
  EXPECT_EQ(listing(input("el_ids_64.el")),
            "5 directed: 0>4294967296 1>2147483648 2147483648>4294967297 4294967296>1");
  EXPECT_EQ(refusal(input("el_ids_negative.el")),
            "el_ids_negative.el:2: expected a target id (a whole number, not negative), found "
            "\"-1\"");
}

TEST(loader, H11_el_id_gap) {
  EXPECT_EQ(listing(input("el_gap.el")), "3 directed: 7>1000000000 42>7 1000000000>42");
}

TEST(loader, H12_wel_number_spellings) {
  EXPECT_EQ(listing<double>(input("wel_numbers.wel")),
            "6 directed: 0>1*1000 0>4*1002.5 1>2*0.25 2>3*0.75 3>4*2 4>5*9.9999999999999694e-311");
  EXPECT_EQ(listing<float>(input("wel_numbers.wel")),
            "6 directed: 0>1*1000 0>4*1002.5 1>2*0.25 2>3*0.75 3>4*2 4>5*0");
  EXPECT_EQ(refusal<std::int32_t>(input("wel_numbers.wel")),
            "wel_numbers.wel:2: expected a weight that int32 holds exactly, found \"2.5E-1\"");
}

TEST(loader, H13_wel_nan_inf) {
  EXPECT_EQ(refusal<double>(input("wel_nan_inf.wel")),
            "wel_nan_inf.wel:2: expected a weight that is finite and in range, found \"nan\"");
}

TEST(loader, H14_metis_isolated_blank_lines) {
  const char* const expected = "6 undirected: 1>3 3>1 3>5 5>3";
  EXPECT_EQ(listing(input("metis_isolated.graph")), expected);
  EXPECT_EQ(listing(input("metis_isolated_eof.graph")), expected);
  EXPECT_EQ(refusal(input("metis_one_sided.graph")),
            "metis_one_sided.graph:3: expected the edge (2, 3) in the lists of both ends with the "
            "same weight, found it in the list of 2 only");
}

TEST(loader, H15_metis_fmt11_ncon2) {
  const char* const expected = "4 undirected: 1>2*7 1>3 2>1*7 2>3*2 3>1 3>2*2 3>4*9 4>3*9";
  EXPECT_EQ(listing<std::int32_t>(input("metis_fmt11_ncon2.graph")), expected);
  EXPECT_EQ(listing<std::int32_t>(input("metis_fmt011_ncon2.graph")), expected);
  EXPECT_EQ(listing<std::int32_t>(input("metis_fmt10.graph")),
            "4 undirected: 1>2 1>3 2>1 2>3 3>1 3>2 3>4 4>3");
}

TEST(loader, H16_gr_parallel_arcs) {
  EXPECT_EQ(listing<std::int32_t>(input("gr_parallel.gr")),
            "4 directed: 1>2*4 1>2*6 1>2*9 2>3*5 3>3*0 3>4*2 4>1");
  tendril::read_options options;
  options.parallel_edges = tendril::build_options::duplicates::merge;
  EXPECT_EQ(listing<std::int32_t>(input("gr_parallel.gr"), options),
            "4 directed: 1>2*4 2>3*5 3>3*0 3>4*2 4>1");
}

TEST(loader, H17_gr_long_comment) {
  EXPECT_EQ(listing<std::int32_t>(input("gr_long_comment.gr")), "3 directed: 1>2*5 2>3*5");
}

TEST(loader, H19_all_self_loops) {
  EXPECT_EQ(listing(input("all_self_loops.mtx")), "4 directed: 1>1 2>2 3>3 4>4");
  tendril::read_options options;
  options.loops = tendril::build_options::self_loops::drop;
  EXPECT_EQ(listing(input("all_self_loops.mtx"), options), "4 directed:");
}

TEST(loader, H34_nothing_to_read) {
  EXPECT_EQ(listing(input("empty.mtx")), "0 directed:");
  EXPECT_EQ(listing(input("edgeless3.mtx")), "3 directed:");
  EXPECT_EQ(refusal(input("empty.el")), "empty.el: expected data, found an empty file");
}

}  // namespace
