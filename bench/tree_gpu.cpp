// Quadtrees on a GPU:
//   POINTS/WAY: an iteration builds a tree of float points that lie in device memory, leaf size 32,
//   16 levels. The time is the device's, by events before and after the call: bounding box, keys,
//   order, nodes, and the memory for them. pool=N: with as many pending launches.
// The tree of the last iteration is compared with the host engine's, outside the timing.
// floor_bytes: points read once, the tree written once.
// And what is done with trees: tree_queries_gpu.cpp.
// The context names the device, and the commit that the environment's TENDRIL_COMMIT names.

#include <benchmark/benchmark.h>

#include <cstring>
#include <functional>
#include <string>

#include "gpu_main.hpp"
#include "gpu_times.hpp"
#include "last_made.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/grow_tree.hpp"
#include "tendril/cuda/pending_launches.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/generate_points.hpp"
#include "tree_queries_gpu.hpp"

namespace {

using namespace tendril;

constexpr int iterations = 31;
constexpr quadtree_options options{.leaf_size = 32, .max_depth = 16};

/// Points and the host's tree of them.
struct subject {
  explicit subject(const std::string& text)
      : set(generate_points<float>(text)), tree([this] {
          host_engine host;
          return build_quadtree(host, set, options);
        }()) {}
  points<float> set;
  quadtree<float> tree;
};

template <class T>
bool same_bits(const shared_array<T>& a, const shared_array<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// What one way of building made, and with how many launches.
using build_function =
    std::function<grown_quadtree<float>(cuda_engine&, const points_view<float>&)>;

grown_quadtree<float> sort_tree(cuda_engine& engine, const points_view<float>& from) {
  return {build_quadtree(engine, from, options), {}};
}
build_function grow_by(tree_growth way) {
  return [way](cuda_engine& engine, const points_view<float>& from) {
    return grow_quadtree(engine, from, options, {.way = way});
  };
}

void run_build(benchmark::State& state, const std::string& text, const build_function& build) {
  const subject& s = bench::last_made<subject>(text);
  cuda_engine engine;
  const auto copy = tendril::cuda::to_device(s.set.positions(), engine.stream());
  const points_view<float> from{copy.data(), s.set.num_points()};
  grown_quadtree<float> built = build(engine, from);
  bench::time_on_device(state, engine, [&] { built = build(engine, from); });
  const quadtree<float> found = built.tree.to_host();
  if (!same_bits(found.nodes(), s.tree.nodes()) || !same_bits(found.rows(), s.tree.rows()) ||
      !same_bits(found.positions(), s.tree.positions())) {
    state.SkipWithError("the tree differs from the host engine's");
  }
  state.counters["nodes"] = found.num_nodes();
  state.counters["child_grids"] = built.report.child_grids;
  state.counters["tail_launches"] = built.report.tail_launches;
  state.counters["refused"] = built.report.refused;
  state.counters["floor_bytes"] =
      static_cast<double>(found.num_points()) * (2 * sizeof(point<float>) + sizeof(point_id)) +
      static_cast<double>(found.num_nodes()) * sizeof(quadtree_node<float>);
}

void add(const std::string& points_text, const std::string& way, const build_function& build,
         std::size_t pool = 0, int times = iterations) {
  const std::string name =
      points_text + '/' + way + (pool == 0 ? "" : "/pool=" + std::to_string(pool));
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 const std::size_t usual = tendril::cuda::pending_launches();
                                 try {
                                   tendril::cuda::set_pending_launches(pool == 0 ? usual : pool);
                                   run_build(state, points_text, build);
                                 } catch (const tendril::error& e) {
                                   state.SkipWithError(e.what());
                                 }
                                 tendril::cuda::set_pending_launches(usual);
                               })
      ->Iterations(times)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void register_all() {
  for (const char* text : {"uniform:10000000", "clusters:10000000:64", "uniform:1000000",
                           "uniform:100000", "clusters:100000:64"}) {
    add(text, "sort", sort_tree);
    add(text, "child-grid", grow_by(tree_growth::child_grid));
    add(text, "level", grow_by(tree_growth::level));
    if (std::string(text) == "clusters:10000000:64") {
      for (const std::size_t pool : {64U, 32768U}) {
        add(text, "child-grid", grow_by(tree_growth::child_grid), pool);
        add(text, "level", grow_by(tree_growth::level), pool);
      }
    }
  }
  bench::register_tree_queries();
  constexpr int few = 7;
  add("uniform:100000000", "sort", sort_tree, 0, few);
  add("uniform:100000000", "child-grid", grow_by(tree_growth::child_grid), 0, few);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_on_gpu(argc, argv, register_all);
}
