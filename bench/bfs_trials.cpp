// Half of bench/compare_gap.sh: one line per search, so that another program's searches can run
// between ours.
//   bench_bfs_trials write GRAPH FILE.sg COUNT   writes the graph, prints COUNT sources
//   bench_bfs_trials run FILE.sg THREADS SOURCE RUNS   prints milliseconds per search

#include <chrono>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "tendril/algorithms/bfs.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/graph/read.hpp"
#include "tendril/graph/write.hpp"
#include "tendril/host/engine.hpp"

namespace {

using namespace tendril;

/// Seeded choices among vertices with edges.
void print_sources(const csr<>& graph, int count) {
  std::mt19937_64 random(1);
  while (count > 0) {
    const auto v = static_cast<vertex_id>(random() % graph.num_vertices());
    if (graph.view().degree(v) != 0) {
      std::printf("%u\n", v);
      --count;
    }
  }
}

void print_trials(const csr<>& graph, int threads, vertex_id source, int runs) {
  using clock = std::chrono::steady_clock;
  host_engine engine({.threads = threads});
  const auto placed = engine.place(graph);
  for (int run = 0; run < runs; ++run) {
    const auto start = clock::now();
    const auto found = bfs(engine, placed, {source});
    const std::chrono::duration<double, std::milli> elapsed = clock::now() - start;
    std::printf("%.4f\n", elapsed.count());
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "write") {
    const csr<> graph = generate(arguments[1]);
    write_graph(arguments[2], graph);
    print_sources(graph, std::stoi(arguments[3]));
    return 0;
  }
  if (arguments.size() == 5 && arguments[0] == "run") {
    print_trials(read_graph(arguments[1]), std::stoi(arguments[2]),
                 static_cast<vertex_id>(std::stoul(arguments[3])), std::stoi(arguments[4]));
    return 0;
  }
  std::fprintf(stderr,
               "usage: bench_bfs_trials write GRAPH FILE.sg COUNT | "
               "run FILE.sg THREADS SOURCE RUNS\n");
  return 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_bfs_trials: %s\n", e.what());
  return 1;
}
