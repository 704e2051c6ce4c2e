#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "battery.hpp"
#include "gpu/fixture.hpp"
#include "tendril/algorithms/bfs.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/oracle/boost_answers.hpp"

// What the tests of traversals on a GPU share: engines with every driver, and graphs that are large
// enough for every kernel.

namespace tendril::test {

/// All, or the first where a few searches will do.
inline std::span<const direction> ways_for(bool few) {
  return std::span(all_ways).first(few ? 1 : all_ways.size());
}

inline bfs_options search_by(direction way) {
  bfs_options options;
  options.way = way;
  return options;
}

/// An engine, cuda_engine or dynamic_cuda_engine, and what is particular about it.
template <class Engine>
struct named_engine {
  std::string name;
  Engine engine;
  bool tests_schedules;  ///< differs from another by its schedule alone: fewer searches will do
};

/// Each driver, each schedule, and each fallback that a device could force, in poisoned memory.
template <class Engine = cuda_engine>
std::vector<named_engine<Engine>> engines() {
  std::vector<named_engine<Engine>> all;
  const auto memory = std::make_shared<poisoned_memory>();
  const auto add = [&](const std::string& name, auto change) {
    cuda_options options;
    options.memory = memory;
    options.tuning.use_small = !without_polling();
    change(options);
    all.push_back({name, Engine(options), options.schedule.has_value()});
  };
  const auto add_schedules = [&](cuda_driver driver) {
    for (const schedule::any_way& way : std::initializer_list<schedule::any_way>{
             schedule::per_block{}, schedule::fixed_grid{}, schedule::ticket{},
             schedule::launch_control{.how = {.early = false}, .refused_of_65536 = 32768}}) {
      add(std::string(to_string(driver)) + ", " + describe(way), [&](cuda_options& o) {
        o.driver = driver;
        o.schedule = way;
      });
    }
  };
  add("default", [](cuda_options&) {});
  add("without small frontiers", [](cuda_options& o) { o.tuning.use_small = false; });
  add("small frontiers of at most 8", [](cuda_options& o) { o.tuning.small_limit = 8; });
  add("every push marks", [](cuda_options& o) {
    o.tuning.use_small = false;
    o.tuning.dense_vertices = 0;
    o.tuning.dense_push = 1U << 30U;
  });
  add("without cooperative launch", [](cuda_options& o) { o.tuning.use_cooperative = false; });
  add("without clusters", [](cuda_options& o) { o.tuning.use_clusters = false; });
  add("stepped", [](cuda_options& o) { o.driver = cuda_driver::stepped; });
  add("stepped, without launch control", [](cuda_options& o) {
    o.driver = cuda_driver::stepped;
    o.schedule = schedule::launch_control{.how = {.in_flight = 3}};
    o.tuning.use_launch_control = false;
  });
  add_schedules(cuda_driver::stepped);
  if constexpr (!std::is_same_v<Engine, cuda_engine>) {
    add("chained", [](cuda_options& o) { o.driver = cuda_driver::chained; });
    if (!under_slow_tool()) {
      add("chained, third launch refused", [](cuda_options& o) {
        o.driver = cuda_driver::chained;
        o.tuning.refused_launch = 3;
      });
    }
    add_schedules(cuda_driver::chained);
  }
  return all;
}

/// Beside the battery: more levels, vertices and edges than one launch, block or tile takes.
inline std::vector<battery_case> large_graphs() {
  pairs in_star;
  pairs late;
  for (vertex_id v = 1; v < 30000; ++v) {
    in_star.emplace_back(v, 0);
  }
  in_star.emplace_back(0, 29999);
  for (vertex_id v = 0; v < 2000; ++v) {
    late.emplace_back(299999, 299998 - v);
    late.emplace_back(299998 - v, 299000 - v);
  }
  std::vector<battery_case> graphs;
  const auto add = [&](const char* name, csr<> graph) {
    graphs.push_back({name, std::move(graph), {}});
  };
  add("directed star in", make_graph(30000, in_star));
  add("edges at the end of the ids", make_graph(300000, late));
  for (const char* text : {"path:20000", "star:100000", "tree:14:2", "tree:3:40", "grid:300x280:30",
                           "grid:3000x3", "rmat:14:16", "urand:13:8"}) {
    add(text, generate(text));
  }
  return graphs;
}

/// Calls check(engine, graph) for each graph of the battery and each large one, on every engine.
template <class Engine, class Check>
void on_each_graph(const Check& check) {
  auto all = engines<Engine>();
  for (const auto& graphs : {battery(), large_graphs()}) {
    for (const battery_case& one : graphs) {
      for (named_engine<Engine>& each : all) {
        SCOPED_TRACE(one.name + ", " + each.name);
        ASSERT_NO_FATAL_FAILURE(check(each.engine, one.graph));
      }
    }
  }
}

/// First, middle and last.
inline std::vector<vertex_id> some_sources(vertex_id n) {
  if (n < 3) {
    return n == 0 ? std::vector<vertex_id>{} : std::vector<vertex_id>{0};
  }
  return {0, n / 2, n - 1};
}

}  // namespace tendril::test
