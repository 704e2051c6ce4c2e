// Breadth-first search and shortest distances on a GPU: the table of bench/README. For each graph:
// placing it (copy, preparation), then medians over seeded sources in the largest component, kernel
// time by events (filling the results included) and the whole call by the host's clock. The answers
// of the first source are compared with the host engine's.
//
//   bench_traverse_gpu OUT.json GRAPH... [--variants]

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tendril/algorithms/bfs.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/traverse.cuh"
#include "tendril/graph/analyse.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/host/engine.hpp"

namespace {

using namespace tendril;
using json = nlohmann::json;

constexpr int num_sources = 16;

struct hops {
  using kind = first_visit;
  std::int32_t* depth;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
};

struct hops_and_parents {
  using kind = first_visit;
  std::int32_t* depth;
  vertex_id* parent;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const {
    depth[v] = level;
    parent[v] = v;
  }
  TENDRIL_HD void arrive(edge<> e, std::int32_t level) const {
    depth[e.target] = level;
    parent[e.target] = e.source;
  }
};

struct cheapest_path {
  using kind = relaxing;
  float* distance;
  TENDRIL_HD void start(vertex_id v) const { distance[v] = 0; }
  TENDRIL_HD bool visit(edge<float> e) const {
    return lower(distance[e.target], load(distance[e.source]) + e.weight);
  }
};

template <class T>
T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

template <weight W>
std::vector<vertex_id> choose_sources(const csr<W>& graph, host_engine& host) {
  std::mt19937_64 random(20260101);
  const vertex_id n = graph.num_vertices();
  const auto placed = host.place(without_weights(graph));
  // A vertex from which more than half of all vertices with edges are reached lies in the largest.
  vertex_id with_edges = 0;
  for (vertex_id v = 0; v < n; ++v) {
    with_edges += graph.view().degree(v) != 0 ? 1 : 0;
  }
  std::vector<std::int32_t> depth;
  for (int tries = 0; tries < 50; ++tries) {
    const auto v = static_cast<vertex_id>(random() % n);
    auto found = host.array(n, unreached);
    const auto report = traverse(host, placed, {v}, hops{found.data()});
    if (report.entered > with_edges / 2) {
      depth = found.to_host();
      break;
    }
  }
  std::vector<vertex_id> sources;
  while (sources.size() < num_sources && !depth.empty()) {
    const auto v = static_cast<vertex_id>(random() % n);
    if (depth[v] != unreached) {
      sources.push_back(v);
    }
  }
  return sources;
}

struct timing {
  std::vector<float> kernel_ms;
  std::vector<double> call_ms;
  std::vector<double> edges_per_ms;
  std::vector<double> us_per_level;
  traverse_report last;
};

template <class Fill, class Run>
timing measure(cuda_engine& engine, const std::vector<vertex_id>& sources, const Fill& fill,
               const Run& run) {
  timing all;
  const tendril::cuda::event before;
  const tendril::cuda::event after;
  fill();
  run(sources[0]);
  for (const vertex_id source : sources) {
    engine.context().synchronize();
    const auto start = std::chrono::steady_clock::now();
    before.record(engine.stream());
    fill();
    after.record(engine.stream());
    all.last = run(source);
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start;
    const float kernel = tendril::cuda::elapsed_ms(before, after) + engine.device_ms();
    std::uint64_t edges = 0;
    for (const auto& level : all.last.levels) {
      edges += level.frontier_edges;
    }
    all.kernel_ms.push_back(kernel);
    all.call_ms.push_back(passed.count());
    all.us_per_level.push_back(kernel * 1e3 / static_cast<double>(all.last.levels.size()));
    all.edges_per_ms.push_back(static_cast<double>(edges) / kernel);
  }
  return all;
}

json to_json(const timing& t) {
  json levels = json::array();
  for (std::size_t i = 0; i < std::min<std::size_t>(t.last.levels.size(), 40); ++i) {
    const auto& l = t.last.levels[i];
    levels.push_back({{"level", l.level},
                      {"way", to_string(l.way)},
                      {"frontier", l.frontier},
                      {"edges", l.frontier_edges},
                      {"us", l.ms * 1e3}});
  }
  return {{"median_kernel_ms", median(t.kernel_ms)},
          {"min_kernel_ms", *std::min_element(t.kernel_ms.begin(), t.kernel_ms.end())},
          {"max_kernel_ms", *std::max_element(t.kernel_ms.begin(), t.kernel_ms.end())},
          {"median_call_ms", median(t.call_ms)},
          {"adjacency_entries_per_second", median(t.edges_per_ms) * 1e3},
          {"num_levels", t.last.levels.size()},
          {"us_per_level", median(t.us_per_level)},
          {"levels_of_last_source", levels}};
}

void print(const std::string& graph, const std::string& what, const timing& t) {
  std::cout << graph << '\t' << what << "\tkernel " << median(t.kernel_ms) << " ms\tcall "
            << median(t.call_ms) << " ms\t" << median(t.us_per_level) << " us/level\t"
            << median(t.edges_per_ms) / 1e6 << " G entries/s\n"
            << std::flush;
}

struct variant {
  std::string name;
  cuda_tuning tuning;
  cuda_driver driver = cuda_driver::automatic;
};

std::vector<variant> variants(bool all) {
  std::vector<variant> list{{"default", {}}};
  if (all) {
    for (const float bias : {0.5F, 1.0F, 4.0F, 16.0F}) {
      list.push_back({"pull_bias " + std::to_string(bias), {.pull_bias = bias}});
    }
    for (const std::uint32_t dense : {0U, 2U, 32U}) {
      list.push_back({"dense_push " + std::to_string(dense), {.dense_push = dense}});
    }
    list.push_back({"no small", {.use_small = false}});
    list.push_back({"small 4096", {.small_limit = 4096}});
    list.push_back({"small 65536", {.small_limit = 65536}});
    list.push_back({"stepped", {}, cuda_driver::stepped});
  }
  return list;
}

bool search(const std::string& text, bool all, json& results) {
  host_engine host;
  const auto start = std::chrono::steady_clock::now();
  const csr<> graph = generate(text);
  const std::chrono::duration<double> generated = std::chrono::steady_clock::now() - start;
  const auto sources = choose_sources(graph, host);
  const vertex_id n = graph.num_vertices();
  auto on_host = host.array(n, unreached);
  traverse(host, host.place(graph), {sources[0]}, hops{on_host.data()});
  const auto expected = on_host.to_host();
  json result{{"graph", text}, {"num_vertices", n}, {"num_edges", graph.num_edges()}};
  bool right = true;
  for (const auto& [name, tuning, driver] : variants(all)) {
    cuda_options options;
    options.tuning = tuning;
    options.driver = driver;
    cuda_engine engine(options);
    const auto placed = engine.place(graph);
    auto depth = engine.array(n, unreached);
    const auto fill = [&] {
      tendril::cuda::fill_device(depth.data(), &unreached, sizeof unreached, n, engine.stream());
    };
    const auto run = [&](vertex_id source) {
      return traverse(engine, placed, {source}, hops{depth.data()});
    };
    const auto t = measure(engine, sources, fill, run);
    fill();
    run(sources[0]);
    const bool same = depth.to_host() == expected;
    right = right && same;
    print(text, name, t);
    if (!same) {
      std::cout << text << '\t' << name << "\tWRONG\n";
    }
    json entry = to_json(t);
    entry["right"] = same;
    if (name == "default") {
      result["device"] = engine.device().name;
      result["copy_ms"] = placed.copy_ms();
      result["prepare_ms"] = placed.prepare_ms();
      result["row_bytes"] = placed.row_bytes();
      result["added_bytes"] = placed.added_bytes();
      result["working_bytes"] = engine.working_bytes(placed, false);
      std::cout << text << "\tgenerate " << generated.count() << " s, copy " << placed.copy_ms()
                << " ms, prepare " << placed.prepare_ms() << " ms\n";
      auto parent = engine.array(n, no_vertex);
      const auto with_parents = measure(
          engine, sources,
          [&] {
            fill();
            tendril::cuda::fill_device(parent.data(), &no_vertex, sizeof no_vertex, n,
                                       engine.stream());
          },
          [&](vertex_id source) {
            return traverse(engine, placed, {source},
                            hops_and_parents{depth.data(), parent.data()});
          });
      print(text, "with parents", with_parents);
      result["variants"]["with parents"] = to_json(with_parents);
    }
    result["variants"][name] = entry;
  }
  results.push_back(result);
  return right;
}

void distances(const std::string& text, json& results) {
  host_engine host;
  const auto graph = generate<float>(text);
  const auto sources = choose_sources(graph, host);
  cuda_engine engine;
  const auto placed = engine.place(graph);
  constexpr float infinite = 1e30F;
  auto distance = engine.array(graph.num_vertices(), infinite);
  const auto t = measure(
      engine, sources,
      [&] {
        tendril::cuda::fill_device(distance.data(), &infinite, sizeof infinite,
                                   graph.num_vertices(), engine.stream());
      },
      [&](vertex_id source) {
        return traverse(engine, placed, {source}, cheapest_path{distance.data()});
      });
  print(text, "sssp", t);
  json entry = to_json(t);
  entry["graph"] = text;
  results.push_back(entry);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() < 2) {
      std::cerr << "usage: bench_traverse_gpu OUT.json GRAPH... [--variants]; sssp:GRAPH measures "
                   "shortest distances\n";
      return 2;
    }
    const bool all = arguments.back() == "--variants";
    json report{{"bfs", json::array()}, {"sssp", json::array()}};
    bool right = true;
    for (std::size_t i = 1; i < arguments.size() - (all ? 1 : 0); ++i) {
      if (arguments[i].rfind("sssp:", 0) == 0) {
        distances(arguments[i].substr(5), report["sssp"]);
      } else {
        right = search(arguments[i], all, report["bfs"]) && right;
      }
      std::ofstream(arguments[0]) << report.dump(1) << '\n';
    }
    return right ? 0 : 1;
  } catch (const resource_error& missing) {
    std::cerr << missing.what() << '\n';
    return 4;
  } catch (const std::exception& failed) {
    std::cerr << failed.what() << '\n';
    return 1;
  }
}
