#include <benchmark/benchmark.h>

#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cstdint>
#include <iterator>
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

// Trees on the CPU, beside Boost.Geometry's R-tree (packed, 16 entries a node; it runs on one
// thread). Each area verifies once that both give the same answers, then times them.

namespace tendril {
namespace {
namespace geometry = boost::geometry;

using planar = geometry::model::d2::point_xy<double>;
using entry = std::pair<planar, point_id>;
using boost_tree = geometry::index::rtree<entry, geometry::index::quadratic<16>>;

constexpr std::int64_t num_neighbours = 8;

std::vector<entry> entries_of(const points<double>& set) {
  std::vector<entry> entries;
  for (point_id row = 0; row < set.num_points(); ++row) {
    entries.emplace_back(planar(set[row].x, set[row].y), row);
  }
  return entries;
}

/// Squares around every tenth point that would hold about 100 points of a uniform set.
std::vector<rectangle<double>> squares_for(const points<double>& set) {
  const double half = std::sqrt(100.0 / set.num_points()) / 2;
  std::vector<rectangle<double>> squares;
  for (point_id row = 0; row < set.num_points(); row += 10) {
    const point<double> p = set[row];
    squares.push_back({{{p.x - half, p.y - half}, {p.x + half, p.y + half}}});
  }
  return squares;
}

std::vector<point<double>> positions_for(const points<double>& set) {
  std::vector<point<double>> positions;
  for (point_id row = 0; row < set.num_points(); row += 10) {
    positions.push_back({set[row].x + 1e-4, set[row].y - 1e-4});
  }
  return positions;
}

std::size_t count_by_boost(const boost_tree& tree, const rectangle<double>& square) {
  const geometry::model::box<planar> sides({square.sides.low.x, square.sides.low.y},
                                           {square.sides.high.x, square.sides.high.y});
  return static_cast<std::size_t>(
      std::distance(tree.qbegin(geometry::index::intersects(sides)), tree.qend()));
}

void per_second(benchmark::State& state, const char* what, std::size_t count) {
  state.counters[what] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

void build(benchmark::State& state, const std::string& text) {
  host_engine engine({.threads = static_cast<int>(state.range(0))});
  const auto set = generate_points(text);
  for (auto _ : state) {
    const auto tree = build_quadtree(engine, set);
    benchmark::DoNotOptimize(tree.num_nodes());
  }
  per_second(state, "points_per_second", set.num_points());
}

void build_boost(benchmark::State& state, const std::string& text) {
  const auto entries = entries_of(generate_points(text));
  for (auto _ : state) {
    const boost_tree tree(entries);
    benchmark::DoNotOptimize(tree.size());
  }
  per_second(state, "points_per_second", entries.size());
}

void range_count(benchmark::State& state, const std::string& text) {
  host_engine engine({.threads = static_cast<int>(state.range(0))});
  const auto set = generate_points(text);
  const auto tree = build_quadtree(engine, set);
  const auto squares = squares_for(set);
  const std::span<const rectangle<double>> all(squares);
  const boost_tree other(entries_of(set));
  const auto counts = count_in(engine, tree, all).to_host();
  for (std::size_t q = 0; q < squares.size(); q += 997) {
    if (counts[q] != count_by_boost(other, squares[q])) {
      state.SkipWithError("the answers differ from Boost.Geometry's");
      return;
    }
  }
  for (auto _ : state) {
    const auto found = count_in(engine, tree, all);
    benchmark::DoNotOptimize(found.data());
  }
  per_second(state, "queries_per_second", squares.size());
}

void range_count_boost(benchmark::State& state, const std::string& text) {
  const auto set = generate_points(text);
  const boost_tree tree(entries_of(set));
  const auto squares = squares_for(set);
  for (auto _ : state) {
    std::size_t sum = 0;
    for (const auto& square : squares) {
      sum += count_by_boost(tree, square);
    }
    benchmark::DoNotOptimize(sum);
  }
  per_second(state, "queries_per_second", squares.size());
}

void nearest(benchmark::State& state, const std::string& text) {
  host_engine engine({.threads = static_cast<int>(state.range(0))});
  const auto set = generate_points(text);
  const auto tree = build_quadtree(engine, set);
  const auto positions = positions_for(set);
  for (auto _ : state) {
    const auto found =
        find_nearest(engine, tree, std::span<const point<double>>(positions), num_neighbours);
    benchmark::DoNotOptimize(found.found.data());
  }
  per_second(state, "queries_per_second", positions.size());
}

void nearest_boost(benchmark::State& state, const std::string& text) {
  const auto set = generate_points(text);
  const boost_tree tree(entries_of(set));
  const auto positions = positions_for(set);
  std::vector<entry> found;
  for (auto _ : state) {
    for (const auto& p : positions) {
      found.clear();
      tree.query(geometry::index::nearest(planar(p.x, p.y), num_neighbours),
                 std::back_inserter(found));
      benchmark::DoNotOptimize(found.data());
    }
  }
  per_second(state, "queries_per_second", positions.size());
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
  per_second(state, "bodies_per_second", set.num_points());
}

#define TENDRIL_TREE_BENCH(name, ...)                      \
  BENCHMARK_CAPTURE(name, uniform, "uniform:1000000")      \
      ->__VA_ARGS__->UseRealTime()                         \
      ->Unit(benchmark::kMillisecond);                     \
  BENCHMARK_CAPTURE(name, clusters, "clusters:1000000:64") \
      ->__VA_ARGS__->UseRealTime()                         \
      ->Unit(benchmark::kMillisecond)
TENDRIL_TREE_BENCH(build, ArgName("threads")->Arg(1)->Arg(2));
TENDRIL_TREE_BENCH(build_boost, Iterations(3));
TENDRIL_TREE_BENCH(range_count, ArgName("threads")->Arg(1)->Arg(2));
TENDRIL_TREE_BENCH(range_count_boost, Iterations(3));
TENDRIL_TREE_BENCH(nearest, ArgName("threads")->Arg(1)->Arg(2));
TENDRIL_TREE_BENCH(nearest_boost, Iterations(3));
#undef TENDRIL_TREE_BENCH
BENCHMARK_CAPTURE(gravity, plummer, "plummer:100000")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tendril

BENCHMARK_MAIN();
