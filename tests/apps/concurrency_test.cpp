#include "support/concurrency.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"
#include "support/child.hpp"
#include "tendril/cuda/overlap.hpp"

// What `tendril devices --concurrency` expects and tells, without a GPU.

namespace tendril::test {
namespace {

namespace expected = app::expected;

// Of NVIDIA's sample: 2 n t if nothing overlaps, 2 t if everything does, and (n + 1) t where all
// streams share one queue.
TEST(expected_times, of_kernels_are_those_of_the_sample) {
  EXPECT_DOUBLE_EQ(expected::serial_ms(32, 10, 10), 640);
  EXPECT_DOUBLE_EQ(expected::concurrent_kernels_ms(10), 20);
  EXPECT_DOUBLE_EQ(expected::depth_first_kernels_ms(32, 1, 10), 330);
}

// Measured on an H200 with kernels of 1 ms: 2.07, 3.07, 5.11, 9.12 and 17.2 ms.
TEST(expected_times, of_kernels_go_by_the_streams_of_a_connection) {
  const auto expect = [](std::size_t streams, std::size_t connections, double ms) {
    EXPECT_DOUBLE_EQ(expected::depth_first_kernels_ms(streams, connections, 1), ms);
  };
  expect(1, 8, 2);
  expect(8, 8, 2);
  expect(9, 8, 3);
  expect(16, 8, 3);
  expect(128, 8, 17);
  expect(128, 32, 5);
}

TEST(expected_times, of_copies_share_one_link) {
  EXPECT_DOUBLE_EQ(expected::serial_ms(4, 0.5, 1), 6);
  EXPECT_DOUBLE_EQ(expected::concurrent_copies_ms(4, 0.5, 1), 3);
}

TEST(most_at_once, counts_stretches_that_have_a_moment_in_common) {
  EXPECT_EQ(most_at_once({}), 0U);
  EXPECT_EQ(most_at_once({{0, 10}}), 1U);
  EXPECT_EQ(most_at_once({{0, 10}, {10, 20}}), 1U);
  EXPECT_EQ(most_at_once({{15, 30}, {0, 10}, {5, 16}}), 2U);
  EXPECT_EQ(most_at_once({{0, 100}, {10, 20}, {15, 30}, {40, 50}}), 3U);
}

app::concurrency_report small_report() {
  app::concurrency_table table;
  table.connections = 8;
  table.kernel_ms = 1;
  table.copy_ms = 0.25;
  table.asked_clocks = 1000;
  table.least_clocks = 1001;
  table.kernels = {{1, 2, 2, 2.01, 2, 1, 2.02, 1}, {16, 32, 2, 3.07, 3, 16, 2.05, 17}};
  table.copies = {{16, 20, 5, 5.5, 5.25}};
  return {"Hopper", 5, {table}};
}

TEST(concurrency_report, is_a_table_for_people) {
  EXPECT_EQ(
      app::to_text(small_report()),
      "GPU      Hopper; medians of 5 runs\n"
      "kernels  8 connections, 2 kernels of 1.00 ms in each stream; depth: stream by stream, "
      "breadth: all first kernels first\n"
      "         streams     serial concurrent      depth   expected    at once    breadth    "
      "at once\n"
      "               1    2.00 ms    2.00 ms    2.01 ms    2.00 ms          1    2.02 ms    "
      "      1\n"
      "              16    32.0 ms    2.00 ms    3.07 ms    3.00 ms         16    2.05 ms    "
      "     17\n"
      "copies   8 connections, a copy of 250 us to the GPU, then a kernel of 1.00 ms, in each "
      "stream\n"
      "         streams     serial concurrent      depth    breadth\n"
      "              16    20.0 ms    5.00 ms    5.50 ms    5.25 ms\n"
      "at once  over 8 connections 16 submitted stream by stream, 17 breadth-first\n"
      "check    passed: every kernel counted the clocks that it was asked for\n");
}

TEST(concurrency_report, is_read_back_from_its_json) {
  const std::string text = app::to_json(small_report());
  EXPECT_EQ(app::to_json(app::concurrency_from_json(text)), text);
  const auto fields = nlohmann::json::parse(text);
  EXPECT_EQ(fields["command"], "devices");
  EXPECT_EQ(fields["check"], "passed");
  EXPECT_EQ(fields["tables"][0]["kernels"][1]["expected_depth_first_ms"], 3.0);
  EXPECT_EQ(fields["tables"][0]["copies"][0]["breadth_first_ms"], 5.25);
}

TEST(concurrency_report, fails_where_a_kernel_was_shorter_than_asked) {
  app::concurrency_report report = small_report();
  report.tables.push_back(report.tables.front());
  EXPECT_TRUE(report.check().passed);
  report.tables.back().least_clocks = 999;
  EXPECT_FALSE(report.check().passed);
  EXPECT_NE(app::to_text(report).find("FAILED: a kernel counted 999 clocks, asked 1,000"),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(app::to_json(report))["check"], "failed");
}

// This program is the test itself.
TEST(run_again, hands_over_arguments_and_output) {
  const app::child_result result =
      app::run_again({"--gtest_list_tests", "--gtest_filter=run_again.*"});
  EXPECT_EQ(result.status, app::exit_status::done);
  EXPECT_NE(result.out.find("run_again.\n  hands_over_arguments_and_output\n"), std::string::npos)
      << result.out;
}

TEST(program_devices, concurrency_needs_a_gpu_and_says_why_once) {
  const hidden_gpus hidden;
  const program_folder folder;
  const std::vector<std::string> all[] = {
      {"devices", "--concurrency"},
      {"devices", "--concurrency", "--connections", "32"},
      {"devices", "--concurrency", "--device", "0", "--json", "c.json"}};
  for (const auto& given : all) {
    const program_result result = folder.run(given);
    EXPECT_EQ(result.status, 4);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("tendril: ")) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << result.err;
  }
  EXPECT_FALSE(folder.exists("c.json"));
}

TEST(program_devices, concurrency_refuses_what_means_nothing) {
  const program_folder folder;
  EXPECT_EQ(folder.run({"devices", "--connections", "8"}).status, 2);
  EXPECT_EQ(folder.run({"devices", "--device", "0"}).status, 2);
  for (const char* connections : {"0", "33", "x"}) {
    EXPECT_EQ(folder.run({"devices", "--concurrency", "--connections", connections}).status, 2);
  }
  EXPECT_EQ(folder.run({"devices", "--concurrency", "--json", "no/such/c.json"}).status, 4);
}

}  // namespace
}  // namespace tendril::test
