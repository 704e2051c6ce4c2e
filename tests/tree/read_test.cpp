#include "tendril/tree/read_points.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tendril/core/error.hpp"

namespace tendril::testing {
namespace {

class point_files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("tendril_points_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path file(const std::string& text,
                                           const char* name = "points.csv") const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  void expect_points(const std::string& text, const std::vector<point<double>>& expected,
                     const point_file_options& options = {}) const {
    const points<double> read = read_points(file(text), options);
    EXPECT_EQ(std::vector<point<double>>(read.positions().begin(), read.positions().end()),
              expected)
        << text;
  }

  void expect_refused(const std::string& text, const std::string& message,
                      const point_file_options& options = {}) const {
    try {
      static_cast<void>(read_points(file(text), options));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const input_error& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(point_files, take_the_usual_separators) {
  const std::vector<point<double>> expected{{1, 2}, {-3.5, 4e2}};
  expect_points("1 2\n-3.5 4e2\n", expected);
  expect_points("1\t2\r\n\r\n-3.5\t4e2", expected);
  expect_points("  1   2  \n-3.5 4e2 7\n", expected);
  expect_points("1,2\n -3.5 , +400 \n", expected);
  expect_points("1;2\n-3.5;4e2\n", expected);
  expect_points("name\tx\ty\tz\nA\t1\t2\t9\n\t-3.5\t4e2\t9\n", expected);
  expect_points("# a remark\n\n% another\n1 2\n# more\n-3.5 4e2\n", expected);
  expect_points(
      "\xEF\xBB\xBF"
      "1 2\n-3.5 4e2\n",
      expected);
  expect_points("", {});
  expect_points("# nothing\n", {});
}

TEST_F(point_files, find_columns_by_name_or_number) {
  const std::string text =
      "name,latitude,longitude,n\n\"Sao, \"\"Paulo\"\"\",-23.5,\"-46.6\",3\nplain,1,2,\n";
  expect_points(text, {{-46.6, -23.5}, {2, 1}});
  expect_points(text, {{-23.5, -46.6}, {1, 2}}, {.columns = {"Latitude", "longitude"}});
  expect_points(text, {{-46.6, -23.5}, {2, 1}}, {.columns = {"3", "2"}});
  expect_points("y,x\n1,2\n", {{2, 1}});
  expect_points("\"the \"\"x\"\"\",y\n1,2\n", {{2, 1}}, {.columns = {"y", "the \"x\""}});
  expect_points("a b\n1 2\n", {{1, 2}});
  expect_refused(text, "points.csv:1: expected a column 'height', found 1 .. 4: name, latitude",
                 {.columns = {"height", "n"}});
  expect_refused(text, "points.csv:1: expected a column '5'", {.columns = {"5", "1"}});
  EXPECT_THROW(static_cast<void>(read_points(file(text), {.columns = {"2"}})), usage_error);
}

TEST_F(point_files, keep_extreme_numbers) {
  expect_points("1e300 1e-300\n4.9e-324 -1.7976931348623157e308\n1e-400 9007199254740993\n",
                {{1e300, 1e-300}, {4.9e-324, -1.7976931348623157e308}, {0, 9007199254740992.0}});
}

TEST_F(point_files, name_the_line_of_what_is_wrong) {
  expect_refused("1 2\n3 nan\n", "points.csv:2: expected a finite number, found 'nan'");
  expect_refused("1 2\n\n-inf 3\n", "points.csv:3: expected a finite number, found '-inf'");
  expect_refused("1 2\n3 1e999\n", "points.csv:2: expected a finite number, found '1e999'");
  expect_refused("1 2\n3\n", "points.csv:2: expected 2 columns or more");
  expect_refused("x,y\n1,2\n3,\n", "points.csv:3: expected a finite number, found nothing");
  expect_refused("x,y\n1,two\n", "points.csv:2: expected a finite number, found 'two'");
  expect_refused("x,y,n\n1,2,\"open\n3,4,5\n", "points.csv:2", {.columns = {"n", "x"}});
  expect_refused("N/A,2\n3,4\n",
                 "points.csv:1: expected a row of numbers or a header of names, found a number and "
                 "N/A");
  expect_refused("3,1\n5,6\n", "points.csv:1: expected a column '3'", {.columns = {"3", "1"}});
  expect_refused("x,\"y\n1,2\n", "points.csv:1: expected a closing quote");
  expect_refused("x,y\n\"1\"2,3\n", "points.csv:2: expected ',' or the end of the line");
  expect_refused("x,y\n\n1,\"2\"\"\"\n", "points.csv:3: expected a finite number, found '2\"'");
  expect_refused("7\n8\n", "points.csv:1: expected x and y, found 1 column");
  expect_refused(std::string("1 2\n3 \0\n", 8), "points.csv:2: expected text, found binary data");
}

TEST_F(point_files, cut_what_is_long_in_messages) {
  const std::string line(1000, 'x');
  const std::string shown = std::string(40, 'x') + "...";
  const auto end_with = [&](const std::string& text, const std::string& end) {
    try {
      static_cast<void>(read_points(file(text), {.columns = {"31", "1"}}));
      ADD_FAILURE() << "accepted";
    } catch (const input_error& error) {
      EXPECT_TRUE(std::string(error.what()).ends_with(end)) << error.what();
    }
  };
  end_with(line + " y\n", "found 1 .. 2: " + shown + ", y");
  expect_refused(line + " 1\n", "a number and " + shown);
  expect_refused("1 2\n1 " + line + "\n", "found '" + shown + "'");
  std::string row = line;
  for (int i = 1; i < 30; ++i) {
    row += "," + std::to_string(i);
  }
  end_with(row + "\n", "found 1 .. 30: " + shown +
                           ", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, "
                           "14, 15, 16, 17, 18, 19, ...");
}

TEST_F(point_files, may_be_longer_than_a_block) {
  std::string text = "id,x,y\n";
  std::vector<point<double>> expected;
  for (int i = 0; i < 200'000; ++i) {
    text += std::to_string(i) + ",0.5," + std::to_string(i) + "\n";
    expected.push_back({0.5, static_cast<double>(i)});
  }
  expect_points(text, expected);
  expect_refused(text + "9,1,x\n", "points.csv:200002: ");
}

TEST_F(point_files, may_be_gzipped) {
  const auto path = file("", "points.txt.gz");
  gzFile out = gzopen(path.c_str(), "wb");
  gzputs(out, "5 6\n7 8\n");
  gzclose(out);
  EXPECT_EQ(read_points(path)[1], (point<double>{7, 8}));
}

TEST_F(point_files, cut_gzip_is_refused) {
  std::string cut(20, '\0');
  const auto path = file("", "points.gz");
  gzFile out = gzopen(path.c_str(), "wb");
  gzputs(out, "5 6\n7 8\n9 10\n");
  gzclose(out);
  std::ifstream(path, std::ios::binary).read(cut.data(), 20);
  expect_refused(cut, "points.csv: expected data, found gzip data that are cut short");
}

TEST_F(point_files, dimacs_coordinates) {
  const std::vector<point<double>> expected{{-73, 41}, {10, 20}};
  expect_points("c a road network\np aux sp co 2\nv 1 -73 41\nv 2 10 20\n", expected);
  expect_points("c\n\nc\tx\n p aux sp  co 2 \r\nc\nv\t1 -73 41\n% more\nv 2 10 20\nc", expected);
  expect_points("p aux sp co 2\nv 1 -73 41\nv 2 10 20\n", {{41, -73}, {20, 10}},
                {.columns = {"y", "3"}});
  expect_points("p aux sp co 0\n", {});
}

TEST_F(point_files, dimacs_coordinates_are_as_many_as_declared) {
  expect_refused("c\np aux sp co 3\nv 1 -73 41\n", "points.csv:2: expected 3 points, found 1");
  expect_refused("p aux sp co 1\n", "points.csv:1: expected 1 point, found 0");
  expect_refused("p aux sp co\nv 1 2 3\n", "points.csv:1: expected a number of points (a whole");
  expect_refused("p aux sp co 1\nv 1 2 3\nw 2 3 4\n",
                 "points.csv:3: expected a point (v ID X Y) or a comment (c), found \"w\"");
  expect_refused("p aux sp co 1\nv 1 2\n", "points.csv:2: expected 4 columns or more");
  expect_refused("p aux sp co 1\nv 1 2 3\n", "points.csv:1: expected a column '5', found 1 .. 4",
                 {.columns = {"3", "5"}});
  expect_refused("p aux sp co 1\nv 1 2 3\n", "points.csv:2: expected a finite number, found 'v'",
                 {.columns = {"1", "2"}});
}

// In a DIMACS file the first row would be a comment.
TEST_F(point_files, columns_may_be_called_c) {
  expect_points("c d\n1 2\n", {{1, 2}});
  expect_points("c\td\n1\t2\n", {{2, 1}}, {.columns = {"d", "c"}});
}

}  // namespace
}  // namespace tendril::testing
