#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/gpu_program.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/generate.hpp"

// The program on a GPU: skipped where there is none.

namespace tendril::test {
namespace {

argument_list inputs() {
  return {dataset("packages.tsv.gz"), dataset("karate.mtx.gz"), "rmat:12:16", "grid:120x90:30"};
}

/// The second column of a table of --out: depths or distances.
std::vector<std::string> values_of(const std::string& table) {
  std::vector<std::string> values;
  for (const auto& row : rows_of(table)) {
    values.push_back(row.at(1));
  }
  return values;
}

void expect_a_gpu_report(const json& report, const std::string& driver) {
  EXPECT_EQ(report["engine"], "cuda");
  EXPECT_EQ(report["check"], "passed");
  EXPECT_EQ(report["driver"], driver);
  EXPECT_EQ(report["driver_reason"], "");
  EXPECT_EQ(report["schedule"].is_null(), driver == "resident");
  EXPECT_GT(report["place"]["copy_ms"], 0.0);
  EXPECT_GT(report["place"]["prepare_ms"], 0.0);
  EXPECT_EQ(report["kernels"]["times_ms"].size(), 3U);
  EXPECT_GT(report["kernels"]["min_ms"], 0.0);
  EXPECT_LE(report["kernels"]["min_ms"], report["min_ms"]);  // kernels are part of the call
}

TEST_F(program_gpu, searches_are_checked_with_every_driver_and_agree_with_the_cpu) {
  for (const std::string command : {"bfs", "sssp"}) {
    for (const std::string& input : inputs()) {
      const program_folder folder;
      const auto run_on = [&](const std::string& engine, const std::string& driver) {
        return silent_report_of(folder, {command, input, "--engine", engine, "--driver", driver,
                                         "--check", "--runs", "3", "--out", engine});
      };
      const json host = run_on("host", "auto");
      for (const std::string driver : {"resident", "stepped", "chained"}) {
        SCOPED_TRACE(testing::Message() << command << ' ' << input << ' ' << driver);
        const json cuda = run_on("cuda", driver);
        expect_a_gpu_report(cuda, driver);
        EXPECT_EQ(values_of(folder.read("cuda")), values_of(folder.read("host")));
        for (const char* same : {"source", "reached", "depth", "ending", "num_edges"}) {
          EXPECT_EQ(cuda[same], host[same]) << same;
        }
        if (command == "bfs") {
          EXPECT_EQ(cuda["frontier"], host["frontier"]);
        }
      }
    }
  }
}

TEST_F(program_gpu, schedules_apply_to_stepped_and_chained_searches_and_are_told) {
  const program_folder folder;
  for (const std::string driver : {"stepped", "chained"}) {
    for (const std::string way : {"per-block", "fixed-grid", "ticket", "launch-control"}) {
      SCOPED_TRACE(testing::Message() << driver << ' ' << way);
      const json report =
          silent_report_of(folder, {"bfs", "rmat:12:16", "--engine", "cuda", "--driver", driver,
                                    "--schedule", way, "--check"});
      EXPECT_EQ(report["check"], "passed");
      EXPECT_EQ(report["driver"], driver);
      EXPECT_EQ(report["schedule"], way);
      EXPECT_EQ(report["schedule_form"].is_null(), way != "launch-control");
    }
  }
}

TEST_F(program_gpu, auto_says_which_driver_it_picked_and_why) {
  const json report = silent_report_of(program_folder(),
                                       {"bfs", "rmat:8:8", "--engine", "cuda", "--driver", "auto"});
  EXPECT_TRUE(report["driver_reason"].get<std::string>().starts_with("to the next level: "))
      << report["driver_reason"];
}

TEST_F(program_gpu, weights_of_every_type_give_the_distances_of_the_cpu) {
  const program_folder folder;
  folder.write("mixed.wel", "0 1 3\n0 2 1\n2 1 1\n1 3 0\n3 4 7\n4 0 2\n5 5 1\n");
  for (const std::string type : {"int32", "float", "double"}) {
    SCOPED_TRACE(type);
    const json report =
        silent_report_of(folder, {"sssp", "mixed.wel", "--source", "0", "--weights", type,
                                  "--engine", "cuda", "--check", "--out", "d"});
    EXPECT_EQ(report["check"], "passed");
    EXPECT_EQ(values_of(folder.read("d")), (argument_list{"0", "2", "1", "2", "9", "-1"}));
  }
}

TEST_F(program_gpu, auto_takes_the_gpu) {
  const json report = silent_report_of(program_folder(), {"bfs", "rmat:8:8"});
  EXPECT_EQ(report["engine"], "cuda");
  EXPECT_EQ(report["engine_reason"], "");
}

TEST_F(program_gpu, directions_and_limits_hold) {
  const program_folder folder;
  const std::string input = dataset("packages.tsv.gz");
  for (const std::string direction : {"push", "pull", "auto"}) {
    SCOPED_TRACE(direction);
    const json report = silent_report_of(
        folder, {"bfs", input, "--source", "bash", "--engine", "cuda", "--direction", direction,
                 "--depth-limit", "3", "--check", "--runs", "2"});
    EXPECT_EQ(report["check"], "passed");
    EXPECT_EQ(report["ending"], "depth limit");
    EXPECT_EQ(report["depth"], 3);
  }
}

TEST_F(program_gpu, graphs_without_edges_or_vertices_are_searched) {
  const program_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  folder.write("edgeless.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n");
  for (const std::string command : {"bfs", "sssp"}) {
    SCOPED_TRACE(command);
    const json empty = silent_report_of(
        folder, {command, "empty.mtx", "--engine", "cuda", "--check", "--out", "empty"});
    EXPECT_EQ(empty["reached"], 0);
    EXPECT_TRUE(empty["driver"].is_null());
    EXPECT_TRUE(empty["kernels"].is_null());
    const json edgeless = silent_report_of(
        folder, {command, "edgeless.mtx", "--engine", "cuda", "--check", "--out", "edgeless"});
    EXPECT_EQ(edgeless["reached"], 1);
    EXPECT_EQ(values_of(folder.read("edgeless")), (argument_list{"0", "-1", "-1"}));
  }
}

TEST_F(program_gpu, devices_are_listed) {
  const program_folder folder;
  EXPECT_NE(folder.run({"devices"}).out.find("can do   cooperative launch: "), std::string::npos);
  const json devices = silent_report_of(folder, {"devices"})["devices"];
  ASSERT_FALSE(devices.empty());
  EXPECT_LE(devices[0]["free_bytes"], devices[0]["memory_bytes"]);
}

TEST_F(program_gpu, a_device_that_is_not_there_ends_with_4) {
  const program_result result =
      program_folder().run({"bfs", "path:9", "--engine", "cuda", "--device", "999"});
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("tendril: --engine cuda: GPU 999 is not usable here"))
      << result.err;
}

TEST_F(program_gpu, refuses_what_does_not_fit_before_it_allocates) {
  const csr<none> graph = generate<none>("path:100000");
  const app::cuda_memory memory = app::cuda_engine_memory(app::size_of(graph));
  const std::uint64_t needed = memory.graph_bytes + memory.added_bytes + memory.bfs_bytes;
  app::graph_report report;
  report.sources.ids = {0};
  cuda_engine small = limited_engine(needed - 1);
  try {
    static_cast<void>(app::place(small, graph, &app::cuda_memory::bfs_bytes, report));
    FAIL() << "placed a graph larger than the budget";
  } catch (const resource_error& refused) {
    EXPECT_EQ(std::string(refused.what()), "GPU memory for the graph and the search: needed " +
                                               std::to_string(needed) + " bytes, free " +
                                               std::to_string(needed - 1));
  }
  EXPECT_FALSE(report.gpu);
  EXPECT_EQ(small.context().memory()->available_bytes(), needed - 1);
}

csr<none> hub_and_path(vertex_id num_leaves, orientation kind) {
  edge_list<none> edges;
  for (vertex_id leaf = 1; leaf <= num_leaves; ++leaf) {
    edges.append({{leaf, 0, {}}, {leaf - 1, leaf, {}}});
  }
  return build_csr(std::move(edges), num_leaves + 1, {.kind = kind});
}

void expect_formula(const csr<none>& graph) {
  cuda_engine engine;
  const app::cuda_memory memory = app::cuda_engine_memory(app::size_of(graph));
  const auto placed = engine.place(graph);
  const std::uint64_t slack = graph.num_edges() / 512;  // for parts of long rows
  EXPECT_EQ(placed.row_bytes(), memory.graph_bytes);
  EXPECT_LE(placed.added_bytes(), memory.added_bytes);
  EXPECT_GE(placed.added_bytes() + slack, memory.added_bytes);
  EXPECT_EQ(engine.working_bytes(placed, true), memory.bfs_work_bytes);
  placed.prepare_pull();
  EXPECT_LE(placed.added_bytes(), memory.added_bytes + memory.transpose_bytes);
  EXPECT_GE(placed.added_bytes() + slack, memory.added_bytes + memory.transpose_bytes);
}

TEST_F(program_gpu, formula_of_info_is_what_the_engine_takes) {
  for (const std::string text : {"path:1", "path:1000", "star:65", "star:66", "star:100000",
                                 "rmat:10:16", "grid:100x90:30"}) {
    SCOPED_TRACE(text);
    expect_formula(generate<none>(text));
  }
  for (const orientation kind : {orientation::directed, orientation::undirected}) {
    for (const vertex_id leaves : {64U, 65U, 8192U, 8193U, 50000U}) {
      SCOPED_TRACE(leaves);
      expect_formula(hub_and_path(leaves, kind));
    }
  }
}

}  // namespace
}  // namespace tendril::test
