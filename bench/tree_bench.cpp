#include <benchmark/benchmark.h>

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/generate_points.hpp"

// Trees on the CPU, beside Boost.Geometry's R-tree (bulk loaded, 16 entries a node; it runs on one
// thread). Both trees of a scene are compared once, query by query, before anything is timed.
// compare_rtree.py runs them in turn and writes the ratios.

namespace tendril {
namespace {
namespace geometry = boost::geometry;

using planar = geometry::model::d2::point_xy<double>;
using entry = std::pair<planar, point_id>;
using boost_tree = geometry::index::rtree<entry, geometry::index::quadratic<16>>;

constexpr std::int64_t num_neighbours = 8;
constexpr point_id points_per_query = 10;

std::size_t count_by_boost(const boost_tree& tree, const rectangle<double>& square) {
  const geometry::model::box<planar> sides({square.sides.low.x, square.sides.low.y},
                                           {square.sides.high.x, square.sides.high.y});
  return static_cast<std::size_t>(
      std::distance(tree.qbegin(geometry::index::intersects(sides)), tree.qend()));
}

void find_by_boost(const boost_tree& tree, const point<double>& p, std::vector<entry>& found) {
  found.clear();
  tree.query(geometry::index::nearest(planar(p.x, p.y), num_neighbours), std::back_inserter(found));
}

/// Points, both trees over them, and queries near every tenth point: squares that hold about 100
/// points each, and positions.
struct scene {
  explicit scene(const std::string& text) : set(generate_points(text)) {
    for (point_id row = 0; row < set.num_points(); ++row) {
      const point<double> p = set[row];
      entries.emplace_back(planar(p.x, p.y), row);
      if (row % points_per_query == 0) {
        positions.push_back({p.x + 1e-4, p.y - 1e-4});
      }
    }
    host_engine engine;
    tree = build_quadtree(engine, set);
    other = boost_tree(entries);
    choose_squares(engine);
    agrees = answers_agree(engine);
  }

  points<double> set;
  std::vector<entry> entries;
  std::vector<rectangle<double>> squares;
  std::vector<point<double>> positions;
  quadtree<double> tree;
  boost_tree other;
  bool agrees = false;

 private:
  /// As large as the disc that holds the 100 nearest points.
  void choose_squares(host_engine& engine) {
    const auto nearest = find_nearest(engine, tree, std::span(positions), 100);
    for (std::size_t q = 0; q < positions.size(); ++q) {
      const double radius = nearest.found.data()[nearest.offsets.data()[q + 1] - 1].distance;
      const double half = radius * std::sqrt(std::acos(-1.0)) / 2;
      const point<double> p = positions[q];
      squares.push_back({{{p.x - half, p.y - half}, {p.x + half, p.y + half}}});
    }
  }

  [[nodiscard]] bool answers_agree(host_engine& engine) const {
    const auto counts = count_in(engine, tree, std::span(squares));
    const auto nearest = find_nearest(engine, tree, std::span(positions), num_neighbours);
    std::vector<entry> found;
    for (std::size_t q = 0; q < squares.size(); q += 97) {
      find_by_boost(other, positions[q], found);
      double farthest = 0;
      for (const entry& each : found) {
        farthest = std::max(farthest, distance(set[each.second], positions[q]));
      }
      const std::uint64_t last = nearest.offsets.data()[q + 1] - 1;
      if (counts.data()[q] != count_by_boost(other, squares[q]) ||
          nearest.found.data()[last].distance != farthest) {
        return false;
      }
    }
    return true;
  }
};

/// The scene of that text, made once. Null, and nothing is to be timed, where its trees disagree.
const scene* scene_of(benchmark::State& state, const std::string& text) {
  static std::map<std::string, std::unique_ptr<const scene>> scenes;
  auto& found = scenes[text];
  if (found == nullptr) {
    found = std::make_unique<const scene>(text);
  }
  if (!found->agrees) {
    state.SkipWithError("the answers differ from Boost.Geometry's");
    return nullptr;
  }
  return found.get();
}

/// Times body(engine, scene) on the threads that the argument says.
template <class Body>
void time_on_threads(benchmark::State& state, const std::string& text, const Body& body) {
  host_engine engine({.threads = static_cast<int>(state.range(0))});
  const scene* s = scene_of(state, text);
  for (auto _ : state) {
    body(engine, *s);
  }
}

void build(benchmark::State& state, const std::string& text) {
  time_on_threads(state, text, [&](host_engine& engine, const scene& s) {
    benchmark::DoNotOptimize(build_quadtree(engine, s.set).num_nodes());
  });
}

void build_boost(benchmark::State& state, const std::string& text) {
  const scene* s = scene_of(state, text);
  for (auto _ : state) {
    const boost_tree tree(s->entries);
    benchmark::DoNotOptimize(tree.size());
  }
}

void range_count(benchmark::State& state, const std::string& text) {
  time_on_threads(state, text, [&](host_engine& engine, const scene& s) {
    benchmark::DoNotOptimize(count_in(engine, s.tree, std::span(s.squares)).data());
  });
}

void range_count_boost(benchmark::State& state, const std::string& text) {
  const scene* s = scene_of(state, text);
  for (auto _ : state) {
    std::size_t sum = 0;
    for (const auto& square : s->squares) {
      sum += count_by_boost(s->other, square);
    }
    benchmark::DoNotOptimize(sum);
  }
}

void nearest(benchmark::State& state, const std::string& text) {
  time_on_threads(state, text, [&](host_engine& engine, const scene& s) {
    benchmark::DoNotOptimize(
        find_nearest(engine, s.tree, std::span(s.positions), num_neighbours).found.data());
  });
}

void nearest_boost(benchmark::State& state, const std::string& text) {
  const scene* s = scene_of(state, text);
  std::vector<entry> found;
  for (auto _ : state) {
    for (const auto& p : s->positions) {
      find_by_boost(s->other, p, found);
      benchmark::DoNotOptimize(found.data());
    }
  }
}

void gravity(benchmark::State& state, const std::string& text) {
  host_engine engine({.threads = static_cast<int>(state.range(0))});
  const auto set = generate_points(text);
  const auto tree = build_quadtree(engine, set, {.leaf_size = 16});
  const std::vector<double> masses(set.num_points(), 1.0 / set.num_points());
  for (auto _ : state) {
    const auto pulls =
        compute_gravity(engine, tree, masses.data(), {.theta = 0.5, .softening = 0.01});
    benchmark::DoNotOptimize(pulls.data());
  }
}

// Processor time is that of all threads.
#define TENDRIL_TREE_BENCH(function, name, text) \
  BENCHMARK_CAPTURE(function, name, text)        \
      ->MeasureProcessCPUTime()                  \
      ->UseRealTime()                            \
      ->Unit(benchmark::kMillisecond)
#define TENDRIL_TREE_PAIR(function)                                                             \
  TENDRIL_TREE_BENCH(function, uniform, "uniform:1000000")->ArgName("threads")->Arg(1)->Arg(2); \
  TENDRIL_TREE_BENCH(function##_boost, uniform, "uniform:1000000");                             \
  TENDRIL_TREE_BENCH(function, clusters, "clusters:1000000:64")                                 \
      ->ArgName("threads")                                                                      \
      ->Arg(1)                                                                                  \
      ->Arg(2);                                                                                 \
  TENDRIL_TREE_BENCH(function##_boost, clusters, "clusters:1000000:64")
TENDRIL_TREE_PAIR(build);
TENDRIL_TREE_PAIR(range_count);
TENDRIL_TREE_PAIR(nearest);
TENDRIL_TREE_BENCH(gravity, plummer, "plummer:100000")->ArgName("threads")->Arg(1)->Arg(2);
#undef TENDRIL_TREE_PAIR
#undef TENDRIL_TREE_BENCH

}  // namespace
}  // namespace tendril

BENCHMARK_MAIN();
