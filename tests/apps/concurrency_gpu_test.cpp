#include <gtest/gtest.h>

#include "apps/gpu_program.hpp"

// `tendril devices --concurrency` on a GPU.

namespace tendril::test {
namespace {

const json& last_kernels(const json& report, std::size_t table) {
  return report["tables"].at(table)["kernels"].back();
}

TEST_F(program_gpu, concurrency_is_measured_for_8_and_32_connections) {
  const json report = silent_report_of(program_folder(), {"devices", "--concurrency"});
  EXPECT_EQ(report["command"], "devices");
  EXPECT_EQ(report["check"], "passed");
  ASSERT_EQ(report["tables"].size(), 2U);
  EXPECT_EQ(report["tables"][0]["connections"], 8);
  EXPECT_EQ(report["tables"][1]["connections"], 32);
  for (const json& table : report["tables"]) {
    EXPECT_GT(table["asked_clocks"], 100'000);
    EXPECT_GE(table["least_clocks"], table["asked_clocks"]);
    ASSERT_EQ(table["kernels"].size(), 8U);
    ASSERT_EQ(table["copies"].size(), 8U);
    for (const json& row : table["kernels"]) {
      SCOPED_TRACE(row);
      for (const char* order : {"depth_first", "breadth_first"}) {
        const double ms = row[std::string(order) + "_ms"];
        EXPECT_GE(ms, 0.95 * row["concurrent_ms"].get<double>());
        EXPECT_LE(ms, 1.1 * row["serial_ms"].get<double>() + 0.5);
        const std::size_t at_once = row[std::string(order) + "_at_once"];
        EXPECT_GE(at_once, 1U);
        EXPECT_LE(at_once, 2 * row["streams"].get<std::size_t>());
      }
    }
    EXPECT_EQ(table["kernels"][0]["breadth_first_at_once"], 1);  // one waits for the other
  }
  // What the connections are for: streams that share one wait for each other.
  EXPECT_GT(last_kernels(report, 0)["depth_first_ms"],
            2 * last_kernels(report, 1)["depth_first_ms"].get<double>());
  EXPECT_LT(last_kernels(report, 0)["depth_first_at_once"],
            last_kernels(report, 1)["depth_first_at_once"]);
  EXPECT_GT(last_kernels(report, 0)["breadth_first_at_once"], 64);
}

TEST_F(program_gpu, concurrency_of_a_number_of_connections_is_told_in_a_table) {
  const program_folder folder;
  const program_result result =
      folder.run({"devices", "--concurrency", "--connections", "1", "--device", "0"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("kernels  1 connection, 2 kernels of 1.0"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("check    passed: every kernel counted"), std::string::npos);
  EXPECT_EQ(folder.run({"devices", "--concurrency", "--device", "999"}).status, 4);
}

}  // namespace
}  // namespace tendril::test
