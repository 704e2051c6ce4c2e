#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/program.hpp"
#include "support/schedule_report.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;

TEST(program_schedule, compares_every_way_and_adds_up) {
  const program_folder folder;
  const program_result result = folder.run(
      {"schedule", "--engine", "host", "--tiles", "3000", "--costs", "uniform:3", "--prologue", "5",
       "--runs", "2", "--threads", "1", "--json", "-", "--plot", "who.svg", "--trace", "who.json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report.at("engine"), "host");
  EXPECT_EQ(report.at("threads"), 1);
  EXPECT_EQ(report.at("costs"), "uniform:3");
  EXPECT_EQ(report.at("hardware_launch_control"), "hardware launch control: not run (no device)");
  ASSERT_EQ(report.at("rows").size(), 5u);
  for (const json& row : report.at("rows")) {
    EXPECT_EQ(row.at("check"), "ok");
    EXPECT_EQ(row.at("started").get<int>() + row.at("stolen").get<int>(), 3000);
  }
  EXPECT_EQ(report.at("rows")[0].at("prologues"), 3000);
  EXPECT_EQ(folder.read("who.svg").rfind("<svg ", 0), 0u);
  EXPECT_FALSE(json::parse(folder.read("who.json")).at("traceEvents").empty());
}

TEST(program_schedule, prints_a_table) {
  const program_folder folder;
  const program_result result =
      folder.run({"schedule", "--engine", "host", "--tiles", "1", "--runs", "1", "--threads", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("1 tile of ")) << result.out;
  for (const char* part : {"on host, 1 thread of ", "median of 1 run\n", "per-block", "fixed-grid",
                           "ticket", "launch-control", "prologues"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
  }
}

TEST(schedule_report, fails_where_a_tile_did_not_run_once) {
  app::schedule_report report;
  report.rows = {{schedule::ticket{}}, {schedule::per_block{}}};
  report.rows[0].correct = true;
  EXPECT_FALSE(report.check().passed);
  EXPECT_EQ(report.check().text, "per-block: not every tile ran once with the right result");
  report.rows[1].correct = true;
  EXPECT_TRUE(report.check().passed);
}

TEST(program_schedule, refuses_costs_it_cannot_read) {
  const program_folder folder;
  for (const char* costs : {"pareto:x", "pareto:0", "pareto:1.1:500:100", "uniform:3:4", "gauss",
                            "pareto:1.1:-3", ""}) {
    const program_result result =
        folder.run({"schedule", "--engine", "host", "--tiles", "10", "--costs", costs});
    EXPECT_EQ(result.status, 2) << costs;
    EXPECT_TRUE(result.out.empty()) << costs;
  }
}

}  // namespace
}  // namespace tendril::test
