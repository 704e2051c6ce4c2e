#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"
#include "support/gpu_list.hpp"
#include "support/search_report.hpp"

// What the program says of GPUs and of searches on them, where there is none.

namespace tendril::test {
namespace {

using json = nlohmann::json;

/// How the reason begins, whatever CUDA calls it.
const std::string no_gpu =
    app::has_gpu_engine ? "no GPU: cudaError" : "this tendril was built without the GPU engine";

const std::string fallback = "tendril: --engine auto takes the CPU: ";

bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.ends_with('\n');
}

cuda_devices two_generations() {
  constexpr std::size_t gib = std::size_t{1} << 30U;
  cuda_device hopper;
  hopper.name = "Hopper";
  hopper.compute_capability = 90;
  hopper.num_multiprocessors = 132;
  hopper.memory_bytes = 140 * gib;
  hopper.free_bytes = 100 * gib;
  hopper.shared_bytes = 232448;
  hopper.cooperative = true;
  hopper.clusters = true;
  hopper.child_grids = true;
  cuda_device blackwell = hopper;
  blackwell.id = 3;
  blackwell.name = "Blackwell";
  blackwell.compute_capability = 100;
  blackwell.cooperative = false;
  blackwell.launch_control = true;
  return {{hopper, blackwell}, "", {}};
}

TEST(program_devices, without_a_gpu_says_why_in_one_line_and_ends_with_0) {
  const hidden_gpus hidden;
  const program_folder folder;
  const program_result result = folder.run({"devices"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with(no_gpu)) << result.out;
  EXPECT_TRUE(is_one_line(result.out)) << result.out;
  EXPECT_EQ(result.err, "");

  const program_result as_json = folder.run({"devices", "--json", "-"});
  EXPECT_EQ(as_json.status, 0);
  const json report = json::parse(as_json.out);
  EXPECT_EQ(report["command"], "devices");
  EXPECT_EQ(report["gpu_engine"], app::has_gpu_engine);
  EXPECT_EQ(report["devices"], json::array());
  EXPECT_EQ(report["reason"].get<std::string>() + '\n', result.out);
}

TEST(program_devices, tells_each_gpu_and_what_it_can_do) {
  EXPECT_EQ(
      app::to_text(two_generations()),
      "GPU 0    Hopper, compute capability 9.0, 132 multiprocessors\n"
      "memory   140 GiB, 100 GiB of it free; 227 KiB shared in a block\n"
      "can do   cooperative launch: yes; clusters: yes; launch control: in software; "
      "child grids: yes\n"
      "GPU 3    Blackwell, compute capability 10.0, 132 multiprocessors\n"
      "memory   140 GiB, 100 GiB of it free; 227 KiB shared in a block\n"
      "can do   cooperative launch: no; clusters: yes; launch control: yes; child grids: yes\n");
  const json report = json::parse(app::to_json(two_generations()));
  EXPECT_EQ(report["reason"], "");
  ASSERT_EQ(report["devices"].size(), 2U);
  EXPECT_EQ(report["devices"][1], json::parse(R"({"id": 3, "name": "Blackwell",
      "compute_capability": "10.0", "num_multiprocessors": 132, "memory_bytes": 150323855360,
      "free_bytes": 107374182400, "shared_bytes": 232448, "cooperative": false, "clusters": true,
      "launch_control": true, "child_grids": true})"));
}

TEST(program_devices, tells_why_a_gpu_beside_a_usable_one_is_not) {
  cuda_devices gpus = two_generations();
  gpus.usable.pop_back();
  gpus.unusable = {{1, "Ampere has compute capability 80, needed 90"}};
  const std::string text = app::to_text(gpus);
  EXPECT_TRUE(text.ends_with(
      "child grids: yes\nGPU 1    not usable: Ampere has compute capability 80, needed 90\n"))
      << text;
  const json report = json::parse(app::to_json(gpus));
  EXPECT_EQ(report["devices"].size(), 1U);
  EXPECT_EQ(report["unusable"], json::parse(R"([{"id": 1,
      "reason": "Ampere has compute capability 80, needed 90"}])"));
}

TEST(program_engine, h35_gpu_absent) {
  const hidden_gpus hidden;
  const program_folder folder;
  folder.write("tri.el", "0 1\n1 2\n2 0\n");
  const std::vector<std::vector<std::string>> depths = {
      {"0", "0", "-1"}, {"1", "1", "0"}, {"2", "2", "1"}};
  for (const std::string command : {"bfs", "sssp"}) {
    SCOPED_TRACE(command);
    const auto run_on = [&](const std::string& engine) {
      return folder.run({command, "tri.el", "--source", "0", "--out", engine, "--engine", engine});
    };
    const program_result host = run_on("host");
    EXPECT_EQ(host.status, 0) << host.err;
    EXPECT_EQ(host.err, "");
    EXPECT_EQ(rows_of(folder.read("host")), depths);
    EXPECT_EQ(host.out.find(no_gpu), std::string::npos) << host.out;

    const program_result automatic = run_on("auto");
    EXPECT_EQ(automatic.status, 0) << automatic.err;
    EXPECT_EQ(rows_of(folder.read("auto")), depths);
    EXPECT_NE(automatic.out.find('(' + no_gpu), std::string::npos) << automatic.out;
    if (app::has_gpu_engine) {
      EXPECT_TRUE(automatic.err.starts_with(fallback + no_gpu)) << automatic.err;
      EXPECT_TRUE(is_one_line(automatic.err)) << automatic.err;
    } else {
      EXPECT_EQ(automatic.err, "");
    }

    const program_result cuda = run_on("cuda");
    EXPECT_EQ(cuda.status, 4);
    EXPECT_EQ(cuda.out, "");
    EXPECT_TRUE(cuda.err.starts_with("tendril: --engine cuda: " + no_gpu)) << cuda.err;
    EXPECT_TRUE(is_one_line(cuda.err)) << cuda.err;
    EXPECT_FALSE(folder.exists("cuda"));
  }
}

TEST(program_engine, auto_tells_the_json_report_why_it_took_the_cpu) {
  const hidden_gpus hidden;
  const program_result result =
      program_folder().run({"bfs", "path:9", "--driver", "stepped", "--json", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["engine"], "host");
  EXPECT_TRUE(report["engine_reason"].get<std::string>().starts_with(no_gpu));
  for (const char* of_gpus : {"driver", "schedule", "schedule_form", "place", "kernels"}) {
    EXPECT_TRUE(report[of_gpus].is_null()) << of_gpus;
  }
}

TEST(program_engine, quiet_falls_back_without_a_word) {
  const hidden_gpus hidden;
  const program_result result = program_folder().run({"bfs", "path:9", "--quiet"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(program_engine, gpu_is_looked_for_before_the_input) {
  const hidden_gpus hidden;
  EXPECT_EQ(program_folder().run({"bfs", "absent.mtx", "--engine", "cuda"}).status, 4);
}

app::search_report report_of_a_gpu() {
  app::search_report report;
  report.command = "bfs";
  report.engine = {"cuda", "Hopper", ""};
  report.sources.ids = {0};
  report.names = vertex_names(1);
  report.traversal.levels = {{.frontier = 1, .frontier_edges = 3000}};
  report.times.ms = {4, 2};
  app::gpu_report gpu;
  gpu.driver = "stepped";
  gpu.driver_reason = "Hopper has no cooperative launch";
  gpu.schedule = "launch-control";
  gpu.schedule_form = "software";
  gpu.copy_ms = 12;
  gpu.prepare_ms = 34;
  gpu.kernels.ms = {1.5, 0.5};
  report.gpu = gpu;
  return report;
}

TEST(gpu_report, text_has_engine_driver_place_and_kernels) {
  const std::string text = app::to_text(report_of_a_gpu());
  EXPECT_NE(text.find("engine   cuda, Hopper, stepped driver, launch-control in software (Hopper "
                      "has no cooperative launch)\n"
                      "place    copied in 12.0 ms, prepared in 34.0 ms\n"
                      "time     3.00 ms, median of 2 runs (fastest 2.00 ms); 1.00 M edges/s\n"
                      "kernels  1.00 ms, median of 2 runs (fastest 500 us); 3.00 M edges/s\n"),
            std::string::npos)
      << text;
}

TEST(gpu_report, json_has_engine_driver_place_and_kernels) {
  const json report = json::parse(app::to_json(report_of_a_gpu()));
  EXPECT_EQ(report["engine"], "cuda");
  EXPECT_EQ(report["engine_reason"], "");
  EXPECT_EQ(report["device"], "Hopper");
  EXPECT_TRUE(report["threads"].is_null());
  EXPECT_EQ(report["driver"], "stepped");
  EXPECT_EQ(report["driver_reason"], "Hopper has no cooperative launch");
  EXPECT_EQ(report["schedule"], "launch-control");
  EXPECT_EQ(report["schedule_form"], "software");
  EXPECT_EQ(report["place"], json::parse(R"({"copy_ms": 12.0, "prepare_ms": 34.0})"));
  EXPECT_EQ(report["median_ms"], 3.0);
  EXPECT_EQ(report["kernels"], json::parse(R"({"median_ms": 1.0, "min_ms": 0.5,
      "times_ms": [1.5, 0.5], "edges_per_second": 3000000.0})"));
}

TEST(gpu_report, a_search_from_nowhere_has_neither_driver_nor_kernels) {
  app::search_report report = report_of_a_gpu();
  report.gpu = app::gpu_report();
  const std::string text = app::to_text(report);
  EXPECT_NE(text.find("engine   cuda, Hopper\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("kernels"), std::string::npos) << text;
  const json as_json = json::parse(app::to_json(report));
  EXPECT_TRUE(as_json["driver"].is_null());
  EXPECT_TRUE(as_json["schedule"].is_null());
  EXPECT_TRUE(as_json["kernels"].is_null());
}

}  // namespace
}  // namespace tendril::test
