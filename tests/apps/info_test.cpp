#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"
#include "support/memory.hpp"
#include "support/text.hpp"
#include "tendril/algorithms/distance.hpp"
#include "tendril/cuda/detail/workspace.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/host/graph.hpp"
#include "tendril/host/workspace.hpp"

namespace tendril::test {
namespace {

using json = nlohmann::json;

std::size_t bytes_of(const detail::workspace& space) {
  return (space.visited.size() + space.frontier.size() + space.next.size()) *
             sizeof(detail::bitmap_word) +
         (space.queue.size() + space.second_queue.size() + space.origin.size()) * sizeof(vertex_id);
}

TEST(program_info, counts_a_directed_graph) {
  const program_folder folder;
  folder.write("four.el", "0 1\n0 1\n1 1\n2 3\n");
  EXPECT_EQ(report_of(folder, {"info", "four.el"}),
            json::parse(R"({"command": "info", "version": ")" TENDRIL_VERSION R"(",
      "input": "four.el", "format": "el", "gzipped": false, "header_line": 0, "directed": true, "index_base": 0,
      "names": "0 .. 3", "num_vertices": 4, "num_edges": 4, "num_simple_edges": 2,
      "num_self_loops": 1, "num_duplicates": 1, "num_isolated": 0, "num_components": 2,
      "largest_component": 2, "mean_degree": 1.0, "max_degree": 1,
      "degree_histogram": [{"degree_from": 0, "vertices": 1}, {"degree_from": 1, "vertices": 2},
                           {"degree_from": 2, "vertices": 1}],
      "weights": null,
      "memory": {"host": {"graph_bytes": 56, "bfs_bytes": 88, "transpose_bytes": 64,
                          "sssp_bytes": 80, "components_bytes": 96},
                 "cuda": {"position_bytes": 4, "graph_bytes": 36, "added_bytes": 72,
                          "bfs_bytes": 395040, "bfs_work_bytes": 395008, "transpose_bytes": 52,
                          "sssp_bytes": 395808, "sssp_work_bytes": 395776,
                          "components_bytes": 396048,
                          "reach_batch_bytes": 72192, "reach_block_bytes": 1536}}})"));
}

TEST(program_info, counts_an_undirected_weighted_graph) {
  const program_folder folder;
  folder.write("diagonal.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n4 4 7\n"
               "1 1 2\n2 1 1\n2 2 2\n3 2 1\n3 3 2\n4 3 1\n4 4 2\n");
  const json info = report_of(folder, {"info", "diagonal.mtx"});
  EXPECT_EQ(info["format"], "mtx");
  EXPECT_EQ(info["directed"], false);
  EXPECT_EQ(info["index_base"], 1);
  EXPECT_EQ(info["names"], "1 .. 4");
  EXPECT_EQ(info["num_edges"], 10);
  EXPECT_EQ(info["num_self_loops"], 4);
  EXPECT_EQ(info["num_simple_edges"], 3);
  EXPECT_EQ(info["num_duplicates"], 0);
  EXPECT_EQ(info["num_components"], 1);
  EXPECT_EQ(info["weights"], json::parse(R"({"type": "int32", "lowest": 1.0, "highest": 2.0,
                                             "num_negative": 0})"));
  EXPECT_EQ(info["memory"]["host"],
            json::parse(R"({"graph_bytes": 120, "transpose_bytes": 0, "bfs_bytes": 88,
                            "sssp_bytes": 80, "components_bytes": 96})"));
  EXPECT_EQ(info["memory"]["cuda"]["graph_bytes"], 100);
  EXPECT_EQ(info["memory"]["cuda"]["added_bytes"], 88);
  EXPECT_EQ(info["memory"]["cuda"]["transpose_bytes"], 0);
}

TEST(program_info, reads_for_people) {
  const program_folder folder;
  folder.write("negative.wel", "0 1 -1.5\n0 2 4\n");
  const std::string out = folder.run({"info", "negative.wel"}).out;
  for (const std::string line :
       {"graph        negative.wel (el)\n", "vertices     3 (0 .. 2), 0 without neighbours\n",
        "edges        2 stored, directed; 2 pairs of different vertices\n",
        "weights      double, from -1.5 to 4, 1 of them negative\n",
        "degree       0.67 edges on average; at most 2 neighbours (vertex 0)\n",
        "components   1, the largest of 3 vertices\n",
        "memory       host: 56 B for the graph; + 72 B for bfs (+ 48 B to pull), 64 B for sssp, ",
        " for sssp, 76 B for components\n",
        "             cuda: 40 B for the graph, 55 B that place() adds; + 386 KiB for bfs (+ 36 B ",
        "to pull), 387 KiB for sssp, 387 KiB for components\n",
        "             cuda work, positions of 32 bits: bfs 12.25 bytes per vertex, sssp 24.25\n",
        "             cuda reach: 70.5 KiB for 64 queries together, 1.50 KiB for a block\n"}) {
    EXPECT_NE(out.find(line), std::string::npos) << line << out;
  }
}

TEST(program_info, histogram_goes_by_powers_of_two) {
  const json info = report_of(program_folder(), {"info", "star:1001"});
  EXPECT_EQ(info["format"], "generator");
  const json& histogram = info["degree_histogram"];
  ASSERT_EQ(histogram.size(), 11U);  // the centre's 1000 edges lie in 512 .. 1023
  EXPECT_EQ(histogram[1], json::parse(R"({"degree_from": 1, "vertices": 1000})"));
  EXPECT_EQ(histogram[10], json::parse(R"({"degree_from": 512, "vertices": 1})"));
  EXPECT_EQ(histogram[5]["vertices"], 0);
}

TEST(program_info, empty_graph) {
  const program_folder folder;
  folder.write("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
  const program_result result = folder.run({"info", "empty.mtx"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("edges        0 stored"), std::string::npos) << result.out;
}

TEST(program_info, memory_is_what_the_host_engine_takes) {
  for (const orientation kind : {orientation::directed, orientation::undirected}) {
    for (const vertex_id n : {0U, 1U, 64U, 65U, 1000U}) {
      edge_list<float> edges;
      for (vertex_id v = 1; v < n; ++v) {
        edges.append({{v - 1, v, 1.5F}, {0, v, 2.5F}});
      }
      const csr<float> graph = build_csr(std::move(edges), n, {.kind = kind});
      const app::host_memory memory = app::host_engine_memory(
          {n, graph.num_edges(), sizeof(float), sizeof(distance_type<float>), kind});
      EXPECT_EQ(memory.graph_bytes, graph.offsets().size() * sizeof(edge_offset) +
                                        graph.targets().size() * sizeof(vertex_id) +
                                        graph.weights().size() * sizeof(float));

      detail::workspace first_visit;
      detail::reserve_first_visit(first_visit, n);
      constexpr std::size_t depth_and_parent_bytes = sizeof(std::int32_t) + sizeof(vertex_id);
      EXPECT_EQ(memory.bfs_bytes, bytes_of(first_visit) + n * depth_and_parent_bytes);

      detail::workspace relaxing;
      detail::reserve_relaxing(relaxing, n);
      EXPECT_EQ(memory.sssp_bytes, bytes_of(relaxing) + n * sizeof(distance_type<float>));
      // The labels, a list of all vertices, and that list checked and sorted.
      EXPECT_EQ(memory.components_bytes, bytes_of(relaxing) + 3 * sizeof(vertex_id) * n);

      if (kind == orientation::directed) {
        const host_graph<none> placed(without_weights(graph));
        const auto& incoming = placed.incoming();
        EXPECT_EQ(memory.transpose_bytes,
                  incoming.transposed.offsets().size() * sizeof(edge_offset) +
                      incoming.transposed.targets().size() * sizeof(vertex_id) +
                      incoming.without.size() * sizeof(detail::bitmap_word));
      } else {
        EXPECT_EQ(memory.transpose_bytes, 0U);
      }
    }
  }
}

app::cuda_memory cuda_memory_of(std::uint64_t n, std::uint64_t m) {
  return app::cuda_engine_memory({.num_vertices = n, .num_edges = m});
}

TEST(program_info, memory_is_what_the_cuda_engine_lays_out) {
  constexpr std::uint64_t most_narrow = 0xFFFF'FFFFU;
  for (const vertex_id n : {0U, 1U, 64U, 65U, 1000U, 1U << 24U}) {
    for (const std::uint64_t m : {most_narrow, most_narrow + 1}) {
      const app::cuda_memory memory = cuda_memory_of(n, m);
      EXPECT_EQ(memory.position_bytes,
                m == most_narrow ? sizeof(std::uint32_t) : sizeof(edge_offset));
      EXPECT_EQ(memory.bfs_work_bytes,
                cuda::first_visit_layout(n, 1, memory.position_bytes, true).all.size());
      EXPECT_EQ(memory.sssp_work_bytes,
                cuda::relaxing_layout(n, 1, memory.position_bytes).all.size());
      // Parents come from a first-visit traversal in the same working memory.
      EXPECT_EQ(memory.sssp_with_parents_bytes, memory.sssp_bytes + n * sizeof(vertex_id));
      EXPECT_LE(memory.bfs_work_bytes, memory.sssp_work_bytes);
    }
  }
}

TEST(program_info, memory_of_the_cuda_engine_keeps_its_bounds) {
  constexpr std::uint64_t n = std::uint64_t{1} << 30U;
  const app::cuda_memory narrow = cuda_memory_of(n, n);
  EXPECT_LE(narrow.bfs_work_bytes, 24 * n);
  EXPECT_EQ(narrow.bfs_work_bytes / (n / 4), 49U);   // the 12.25 bytes per vertex that are printed
  EXPECT_EQ(narrow.sssp_work_bytes / (n / 4), 97U);  // 24.25
  const app::cuda_memory wide = cuda_memory_of(n, 16 * n);
  EXPECT_LE(wide.bfs_work_bytes, 40 * n);
  EXPECT_EQ(wide.bfs_work_bytes / (n / 4), 81U);    // 20.25
  EXPECT_EQ(wide.sssp_work_bytes / (n / 4), 161U);  // 40.25
}

TEST(program_info, help_states_the_formula_of_the_numbers) {
  constexpr std::uint64_t n = std::uint64_t{1} << 20U;
  const app::host_memory host = app::host_engine_memory({.num_vertices = n});
  const std::uint64_t bfs = (host.bfs_bytes - 24 * (n / 64)) / n;
  const std::string fixed = app::grouped(cuda_memory_of(0, 0).bfs_work_bytes);
  const std::string help = program_folder().run({"info", "--help"}).out;
  for (const std::string& part :
       {"bfs " + std::to_string(bfs) + " n + 24 [n / 64]", "Work starts at " + fixed + " bytes"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << help;
  }
}

TEST(program_info, short_rows_are_packed_up_to_a_degree) {
  const json packed = report_of(program_folder(), {"info", "star:65"});  // the centre has 64 edges
  const json longer = report_of(program_folder(), {"info", "star:66"});
  EXPECT_EQ(packed["memory"]["cuda"]["added_bytes"], 4 * 3 + 65 + 4 * 65 + 16 * 65);
  EXPECT_EQ(longer["memory"]["cuda"]["added_bytes"], 4 * 3 + 66 + 4 * 66);
}

}  // namespace
}  // namespace tendril::test
