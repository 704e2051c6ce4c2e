#include <gtest/gtest.h>

#include <string>

#include "apps/gpu_program.hpp"
#include "support/memory.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/reach.hpp"
#include "tendril/graph/generate.hpp"

// `tendril reach` on a GPU.

namespace tendril::test {
namespace {

TEST_F(program_gpu, queries_are_checked_in_every_way_and_agree_with_the_cpu) {
  for (const std::string& input : {dataset("packages.tsv.gz"), dataset("karate.mtx.gz"),
                                   std::string("rmat:12:16"), std::string("grid:60x50:30")}) {
    const program_folder folder;
    const auto run_on = [&](const std::string& engine, const std::string& way) {
      return silent_report_of(folder, {"reach", input, "--sources", "random:20", "--engine", engine,
                                       "--way", way, "--check", "--histogram", "--runs", "2"});
    };
    const json host = run_on("host", "auto");
    for (const std::string way : {"auto", "batch", "blocks"}) {
      SCOPED_TRACE(testing::Message() << input << ' ' << way);
      const json cuda = run_on("cuda", way);
      EXPECT_EQ(cuda["engine"], "cuda");
      EXPECT_EQ(cuda["check"], "passed");
      EXPECT_EQ(cuda["queries"], host["queries"]);
      EXPECT_EQ(cuda["times_ms"].size(), 2U);
      EXPECT_GT(cuda["place"]["copy_ms"], 0.0);
      EXPECT_TRUE(cuda["threads"].is_null());
      EXPECT_EQ(cuda["way_reason"].get<std::string>().starts_with("a query enters "),
                way == "auto");
      if (way != "auto") {
        EXPECT_EQ(cuda["way"], way);
      }
      EXPECT_EQ(cuda["slots"], cuda["way"] == "blocks" ? 20 : 0);
      EXPECT_EQ(cuda["lanes"], cuda["way"] == "blocks" ? 0 : 64);
    }
  }
}

TEST_F(program_gpu, auto_takes_blocks_for_narrow_queries_and_lanes_for_broad_ones) {
  const program_folder folder;
  const json narrow =
      silent_report_of(folder, {"reach", "grid:300x200:20", "--sources", "random:70"});
  EXPECT_EQ(narrow["engine"], "cuda");
  EXPECT_EQ(narrow["way"], "blocks");
  const json broad = silent_report_of(folder, {"reach", "rmat:17:16", "--sources", "random:70"});
  EXPECT_EQ(broad["way"], "batch");
  EXPECT_EQ(broad["lanes"], 128);
}

TEST_F(program_gpu, a_query_named_twice_is_answered_twice_on_so_many_slots) {
  const program_folder folder;
  folder.write("small.el", "1 2\n2 3\n1 3\n9 1\n");
  folder.write("from.txt", "9\n1\n9\n");
  for (const std::string way : {"batch", "blocks"}) {
    const json report = silent_report_of(
        folder, {"reach", "small.el", "--sources", "from.txt", "--way", way, "--engine", "cuda"});
    ASSERT_EQ(report["queries"].size(), 3U);
    EXPECT_EQ(report["queries"][0], json::parse(R"({"source": 9, "reached": 4, "depth": 2,
                                                    "mean_depth": 1.25, "closeness": 0.6})"));
    EXPECT_EQ(report["queries"][2], report["queries"][0]);
    EXPECT_EQ(report["queries"][1]["reached"], 3);
  }
  const json one = silent_report_of(
      folder, {"reach", "small.el", "--sources", "from.txt", "--way", "blocks", "--slots", "2"});
  EXPECT_EQ(one["slots"], 2);
}

TEST_F(program_gpu, timelines_have_blocks_and_passes) {
  const program_folder folder;
  const auto picture_of = [&](const argument_list& options) {
    argument_list all = {"reach", "rmat:12:16", "--sources", "random:300", "--plot", "p.svg"};
    all.insert(all.end(), options.begin(), options.end());
    static_cast<void>(silent_report_of(folder, all));
    return folder.read("p.svg");
  };
  EXPECT_NE(picture_of({"--way", "blocks"}).find(">block 0</text>"), std::string::npos);
  const std::string batch = picture_of({"--way", "batch", "--lanes", "128"});
  EXPECT_NE(batch.find(">passes</text>"), std::string::npos);
  EXPECT_NE(batch.find("batch, 128 lanes, 3 passes"), std::string::npos);
}

TEST_F(program_gpu, refuses_queries_that_it_cannot_run) {
  const program_folder folder;
  const auto status_of = [&](argument_list options) {
    options.insert(options.begin(), {"reach", "path:9", "--source", "1"});
    return folder.run(options).status;
  };
  EXPECT_EQ(status_of({"--engine", "cuda", "--way", "streams"}), 2);
  EXPECT_EQ(status_of({"--engine", "cuda", "--device", "999"}), 4);
  EXPECT_EQ(folder.run({"reach", "path:9", "--source", "77", "--engine", "cuda"}).status, 3);
  const json empty =
      silent_report_of(folder, {"reach", "path:1", "--sources", "all", "--way", "blocks"});
  EXPECT_EQ(empty["num_queries"], 1);
}

TEST_F(program_gpu, formula_of_a_batch_is_what_it_takes) {
  for (const std::string text : {"path:1000", "rmat:10:16", "star:100000"}) {
    SCOPED_TRACE(text);
    const csr<none> graph = generate<none>(text);
    app::graph_size size = app::size_of(graph);
    size.num_sources = 64;
    const std::uint64_t needed = app::cuda_engine_memory(size).reach_batch_bytes;
    cuda_engine engine = limited_engine(std::size_t{64} << 20U);
    const auto placed = engine.place(graph);
    const std::size_t before = engine.context().memory()->available_bytes();
    static_cast<void>(
        reach(engine, placed, std::vector<vertex_id>(64, 5), {.way = reach_way::batch}));
    EXPECT_EQ(before - engine.context().memory()->available_bytes(), needed);
  }
}

TEST_F(program_gpu, queries_that_do_not_fit_are_refused_before_the_graph_is_placed) {
  const csr<none> graph = generate<none>("path:100000");
  const app::cuda_memory memory = app::cuda_engine_memory(app::size_of(graph));
  const std::uint64_t needed = memory.graph_bytes + memory.added_bytes + memory.reach_block_bytes;
  cuda_engine small = limited_engine(needed - 1);
  app::graph_report report;
  report.sources.ids = {0};
  try {
    static_cast<void>(app::place(small, graph, &app::cuda_memory::reach_block_bytes, report));
    FAIL() << "placed a graph larger than the budget";
  } catch (const resource_error& refused) {
    EXPECT_NE(std::string(refused.what())
                  .find("needed " + std::to_string(needed) + " bytes, free " +
                        std::to_string(needed - 1)),
              std::string::npos)
        << refused.what();
  }
}

}  // namespace
}  // namespace tendril::test
