// What is done with trees on a GPU, by whole calls, working memory and order of the queries
// included:
//   range/POINTS/count|report  squares around as many uniform points as there are, about 100 points
//                              in each; as-given: not in Morton order
//   nearest/POINTS             the 8 nearest points of each point
//   aggregate/POINTS/WHAT      a value for every node
//   gravity/BODIES/WAY         accelerations and potentials of bodies of equal mass, in double, one
//                              evaluation: the tree's build is not part of it; direct: each pair
// Answers are compared with the host engine's, bit for bit, outside the timing; those of a million
// bodies by the error beside the direct sum.
// floor_bytes: tree and queries read once, answers written once.

#include "tree_queries_gpu.hpp"

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "direct_gravity.hpp"
#include "gpu_times.hpp"
#include "tendril/algorithms/gravity.hpp"
#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/core/error.hpp"
#include "tendril/cuda/tree.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/generate_points.hpp"

namespace tendril::bench {

namespace {

constexpr int iterations = 15;
constexpr std::int64_t num_neighbours = 8;
constexpr gravity_options forces{.theta = 0.5, .softening = 0.01};

/// The same points' tree on either side.
template <coordinate Real>
struct both_trees {
  both_trees(const std::string& text, const quadtree_options& options)
      : set(generate_points<Real>(text)),
        positions(copy_to(gpu, set.positions())),
        on_host(build_quadtree(host, set, options)),
        on_gpu(run_build_quadtree(gpu, positions, options)) {}

  [[nodiscard]] double tree_bytes() const {
    return static_cast<double>(on_host.num_points()) * (sizeof(point<Real>) + sizeof(point_id)) +
           static_cast<double>(on_host.num_nodes()) * sizeof(quadtree_node<Real>);
  }

  host_engine host;
  cuda_engine gpu;
  points<Real> set;
  cuda_array<point<Real>> positions;
  quadtree<Real> on_host;
  cuda_quadtree<Real> on_gpu;
};

template <class T>
std::span<const T> span_of(const cuda_array<T>& values) {
  return {values.data(), values.size()};
}

template <class T>
void expect_same(benchmark::State& state, const host_array<T>& host, const cuda_array<T>& device) {
  const std::vector<T> copy = device.to_host();
  if (host.size() != copy.size() ||
      !std::equal(copy.begin(), copy.end(), host.data(), [](const T& a, const T& b) {
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits
        return std::memcmp(&a, &b, sizeof(T)) == 0;
      })) {
    state.SkipWithError("the answers differ from the host engine's");
  }
}

template <class T>
double bytes_of(const cuda_array<T>& values) {
  return static_cast<double>(values.size()) * sizeof(T);
}

using uniform_trees = both_trees<float>;

std::vector<rectangle<float>> squares_of(const points<float>& uniform) {
  const float half = 5 / std::sqrt(static_cast<float>(uniform.num_points()));
  std::vector<rectangle<float>> squares;
  for (const point<float>& p : uniform.positions()) {
    squares.push_back({{{p.x - half, p.y - half}, {p.x + half, p.y + half}}});
  }
  return squares;
}

void count_range(benchmark::State& state, uniform_trees& s, query_order order) {
  const auto squares = squares_of(s.set);
  const std::span<const rectangle<float>> all(squares);
  const auto placed = copy_to(s.gpu, all);
  auto counts = count_in(s.gpu, s.on_gpu, span_of(placed), order);
  time_on_device(state, s.gpu, [&] { counts = count_in(s.gpu, s.on_gpu, span_of(placed), order); });
  expect_same(state, count_in(s.host, s.on_host, all), counts);
  state.counters["floor_bytes"] = s.tree_bytes() + bytes_of(placed) + bytes_of(counts);
}

void report_range(benchmark::State& state, uniform_trees& s) {
  const auto squares = squares_of(s.set);
  const std::span<const rectangle<float>> all(squares);
  const auto placed = copy_to(s.gpu, all);
  auto found = report_in(s.gpu, s.on_gpu, span_of(placed));
  time_on_device(state, s.gpu, [&] { found = report_in(s.gpu, s.on_gpu, span_of(placed)); });
  const auto expected = report_in(s.host, s.on_host, all);
  expect_same(state, expected.offsets, found.offsets);
  expect_same(state, expected.rows, found.rows);
  state.counters["found"] = static_cast<double>(found.rows.size());
  state.counters["floor_bytes"] =
      s.tree_bytes() + bytes_of(placed) + bytes_of(found.offsets) + bytes_of(found.rows);
}

void nearest(benchmark::State& state, uniform_trees& s, query_order order) {
  const nearest_options options{.order = order};
  const auto find = [&] {
    return find_nearest(s.gpu, s.on_gpu, span_of(s.positions), num_neighbours, options);
  };
  auto lists = find();
  time_on_device(state, s.gpu, [&] { lists = find(); });
  const auto expected = find_nearest(s.host, s.on_host, s.set.positions(), num_neighbours);
  const auto found = lists.found.to_host();
  if (!std::equal(found.begin(), found.end(), expected.found.data(),
                  expected.found.data() + expected.found.size())) {
    state.SkipWithError("the neighbours differ from the host engine's");
  }
  state.counters["floor_bytes"] =
      s.tree_bytes() + bytes_of(s.positions) + bytes_of(lists.offsets) + bytes_of(lists.found);
}

template <template <class> class Aggregate>
void aggregate(benchmark::State& state, uniform_trees& s) {
  const std::vector<float> values(s.set.num_points(), 0.75F);
  const auto placed = copy_to(s.gpu, std::span<const float>(values));
  const Aggregate<float> on_gpu{placed.data()};
  auto found = aggregate_nodes(s.gpu, s.on_gpu, on_gpu);
  time_on_device(state, s.gpu, [&] { found = aggregate_nodes(s.gpu, s.on_gpu, on_gpu); });
  expect_same(state, aggregate_nodes(s.host, s.on_host, Aggregate<float>{values.data()}), found);
  state.counters["floor_bytes"] = s.tree_bytes() + bytes_of(placed) + bytes_of(found);
}

/// Bodies of a total mass of 1.
struct bodies : both_trees<double> {
  explicit bodies(const std::string& text)
      : both_trees(text, {.leaf_size = 16}),
        masses(set.num_points(), 1.0 / set.num_points()),
        placed(copy_to(gpu, std::span<const double>(masses))),
        pulls(gpu.array(set.num_points(), pull{})) {}

  std::vector<double> masses;
  cuda_array<double> placed;
  cuda_array<pull> pulls;
};

void direct(benchmark::State& state, bodies& s) {
  time_on_device(state, s.gpu, [&] {
    direct_gravity(s.gpu, s.positions.data(), s.placed.data(), s.set.num_points(), forces.softening,
                   s.pulls.data());
  });
}

/// Mean length of the differences of accelerations, beside their mean length.
double relative_error(const std::vector<pull>& found, const std::vector<pull>& exact) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const point<double>& a = found[i].acceleration;
    const point<double>& b = exact[i].acceleration;
    error += std::hypot(a.x - b.x, a.y - b.y);
    size += std::hypot(b.x, b.y);
  }
  return error / size;
}

/// @pre direct() was run just before, or there are few bodies
void barnes_hut(benchmark::State& state, bodies& s) {
  const auto exact = s.pulls.to_host();
  auto found = compute_gravity(s.gpu, s.on_gpu, s.placed.data(), forces);
  time_on_device(state, s.gpu,
                 [&] { found = compute_gravity(s.gpu, s.on_gpu, s.placed.data(), forces); });
  state.counters["error"] = relative_error(found.to_host(), exact);
  if (s.set.num_points() <= 100'000) {
    expect_same(state, compute_gravity(s.host, s.on_host, s.masses.data(), forces), found);
  }
  state.counters["floor_bytes"] = s.tree_bytes() + bytes_of(s.placed) + bytes_of(found);
}

/// Registers a benchmark of a subject. The one that was used last is kept.
template <class Subject>
void add(const std::string& name, const std::string& points_text,
         const std::function<std::unique_ptr<Subject>(const std::string&)>& make,
         const std::function<void(benchmark::State&, Subject&)>& run, int times = iterations) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 static std::pair<std::string, std::unique_ptr<Subject>> held;
                                 try {
                                   if (held.first != points_text) {
                                     held.second.reset();
                                     held = {points_text, make(points_text)};
                                   }
                                   run(state, *held.second);
                                 } catch (const tendril::error& e) {
                                   state.SkipWithError(e.what());
                                 }
                               })
      ->Iterations(times)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_tree_queries() {
  const auto add_uniform = [](const std::string& points_text, const std::string& what,
                              const std::string& how,
                              const std::function<void(benchmark::State&, uniform_trees&)>& run) {
    add<uniform_trees>(
        what + '/' + points_text + how, points_text,
        [](const std::string& text) {
          return std::make_unique<uniform_trees>(text, quadtree_options{.max_depth = 16});
        },
        run);
  };
  const std::string million = "uniform:1000000";
  for (const query_order order : {query_order::morton, query_order::as_given}) {
    const std::string as_given = order == query_order::as_given ? "/as-given" : "";
    add_uniform(million, "range", "/count" + as_given,
                [order](auto& state, auto& s) { count_range(state, s, order); });
    add_uniform(million, "nearest", as_given,
                [order](auto& state, auto& s) { nearest(state, s, order); });
  }
  add_uniform(million, "range", "/report", report_range);
  for (const char* text : {"uniform:1000000", "uniform:10000000"}) {
    add_uniform(text, "aggregate", "/centre-of-mass", aggregate<centre_of_mass>);
    add_uniform(text, "aggregate", "/lowest-and-highest", aggregate<range_of_values>);
  }
  const auto make_bodies = [](const std::string& text) { return std::make_unique<bodies>(text); };
  for (const std::string text : {"plummer:100000", "plummer:1000000"}) {
    add<bodies>("gravity/" + text + "/direct", text, make_bodies, direct,
                text == "plummer:1000000" ? 1 : iterations);
    add<bodies>("gravity/" + text + "/theta=0.5", text, make_bodies, barnes_hut);
  }
}

}  // namespace tendril::bench
