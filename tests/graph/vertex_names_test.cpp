#include "tendril/graph/vertex_names.hpp"

#include <gtest/gtest.h>

#include "tendril/core/error.hpp"

namespace {

using tendril::vertex_id;
using tendril::vertex_names;

using numbers = std::vector<std::uint64_t>;
using texts = std::vector<std::string>;

// Every vertex is found by its name.
void expect_round_trip(const vertex_names& names) {
  for (vertex_id v = 0; v < names.num_vertices(); ++v) {
    EXPECT_EQ(names.find(names.name(v)), v);
  }
}

TEST(vertex_names, of_a_dense_file_count_from_the_base) {
  const vertex_names names(34, 1);
  expect_round_trip(names);
  EXPECT_EQ(names.name(0), "1");
  EXPECT_EQ(names.name(33), "34");
  EXPECT_EQ(names.find("34"), 33U);
  EXPECT_EQ(names.base(), 1U);
  EXPECT_EQ(names.range(), "1 .. 34");
  for (const char* absent :
       {"0", "35", "-1", "1.0", "", " 1", "1 ", "+1", "one", "99999999999999999999"}) {
    EXPECT_FALSE(names.find(absent)) << absent;
  }
}

TEST(vertex_names, of_a_sparse_file_are_numbers_of_any_size) {
  const vertex_names names(numbers{1, 7, 5'000'000'000, 18'446'744'073'709'551'615U});
  expect_round_trip(names);
  EXPECT_EQ(names.find("5000000000"), 2U);
  EXPECT_FALSE(names.find("2"));
  EXPECT_FALSE(names.find("18446744073709551616"));
  EXPECT_EQ(names.base(), 0U);
  EXPECT_EQ(names.range(), "1 .. 18446744073709551615 (4 of them occur)");
  EXPECT_EQ(vertex_names(numbers{3, 4, 5}).range(), "3 .. 5");
}

TEST(vertex_names, may_be_words_in_any_order) {
  for (const texts& words : {texts{"bash", "libc6", "zlib1g"}, texts{"zlib1g", "bash", "libc6"}}) {
    const vertex_names names(words);
    expect_round_trip(names);
    EXPECT_EQ(names.range(), "3 names");
    EXPECT_FALSE(names.find("libc"));
    EXPECT_FALSE(names.find("libc66"));
    EXPECT_FALSE(names.find("0"));
    EXPECT_FALSE(names.find("zz"));
  }
  EXPECT_EQ(vertex_names(texts{"zlib1g", "bash"}).find("bash"), 1U);
}

TEST(vertex_names, say_what_is_valid_when_one_is_not) {
  try {
    (void)vertex_names(34, 1).at("35");
    FAIL() << "accepted";
  } catch (const tendril::input_error& error) {
    EXPECT_STREQ(error.what(), "vertex: expected one of 1 .. 34, found '35'");
  }
  EXPECT_EQ(vertex_names(34, 1).at("34"), 33U);
}

TEST(vertex_names, of_small_graphs_have_a_range_too) {
  EXPECT_EQ(vertex_names().range(), "no vertices");
  EXPECT_EQ(vertex_names(1, 1).range(), "1");
  EXPECT_EQ(vertex_names(texts{"a"}).range(), "1 name");
  EXPECT_FALSE(vertex_names().find("0"));
  EXPECT_FALSE(vertex_names(numbers{}).find("0"));
  EXPECT_FALSE(vertex_names(texts{}).find(""));
}

TEST(vertex_names, refuse_tables_that_cannot_be_names) {
  EXPECT_THROW(vertex_names(numbers{1, 1}), tendril::usage_error);
  EXPECT_THROW(vertex_names(numbers{2, 1}), tendril::usage_error);
  EXPECT_THROW(vertex_names(texts{"a", "b", "a"}), tendril::usage_error);
  EXPECT_THROW(vertex_names(texts{"a", "a"}), tendril::usage_error);
  EXPECT_THROW(vertex_names(4'000'000'000U, 400'000'000U), tendril::usage_error);
}

}  // namespace
