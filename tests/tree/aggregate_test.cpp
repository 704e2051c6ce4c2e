#include "tendril/tree/aggregate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

std::vector<double> rounded_masses(std::size_t size) {
  std::vector<double> masses;
  for (std::size_t i = 0; i < size; ++i) {
    masses.push_back(0.1 + static_cast<double>((i * 37) % 101) / 7);
  }
  return masses;
}

TEST(aggregate, equals_direct_sums_on_every_node) {
  for (const auto& [name, set] : point_battery<double>()) {
    SCOPED_TRACE(name);
    if (name == "largest") {
      continue;  // the moments overflow, whatever the order
    }
    host_engine engine;
    const auto tree = build_quadtree(engine, set, {.leaf_size = 4});
    const auto masses = rounded_masses(set.num_points());
    const auto sums = aggregate_nodes(engine, tree, centre_of_mass<double>{masses.data()});
    const auto ranges = aggregate_nodes(engine, tree, range_of_values<double>{masses.data()});
    ASSERT_EQ(sums.size(), tree.num_nodes());
    for (node_id n = 0; n < tree.num_nodes(); ++n) {
      const auto& node = tree.nodes()[n];
      long double mass = 0;
      long double moment_x = 0;
      long double size_x = 0;
      double lowest = 1e9;
      double highest = -1e9;
      for (point_id i = node.first; i < node.end; ++i) {
        const double m = masses[tree.rows()[i]];
        mass += m;
        moment_x += static_cast<long double>(m) * tree.positions()[i].x;
        size_x += std::fabs(static_cast<long double>(m) * tree.positions()[i].x);
        lowest = std::min(lowest, m);
        highest = std::max(highest, m);
      }
      EXPECT_NEAR(sums.data()[n].mass, static_cast<double>(mass),
                  1e-13 * static_cast<double>(mass));
      EXPECT_NEAR(sums.data()[n].moment_x, static_cast<double>(moment_x),
                  1e-13 * static_cast<double>(size_x));
      EXPECT_EQ(ranges.data()[n].lowest, lowest);
      EXPECT_EQ(ranges.data()[n].highest, highest);
    }
  }
}

TEST(aggregate, is_the_same_bits_for_every_number_of_threads) {
  const auto set = generate_clusters<float>(50'000, 9);
  host_engine one({.threads = 1});
  host_engine four({.threads = 4});
  const auto tree = build_quadtree(one, set);
  const auto a = aggregate_nodes(one, tree, centre_of_mass<float>{});
  const auto b = aggregate_nodes(four, tree, centre_of_mass<float>{});
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(mass_sum)), 0);
}

// By hand: 0.5 each eight apart, so a leaf of ten is (v0 + v8) + v4 ... in the documented order.
TEST(aggregate, adds_a_leaf_in_the_documented_order) {
  host_engine engine;
  std::vector<point<double>> positions(10, {0, 0});
  const std::vector<double> masses{1e16, 1, 0, 0, -1e16, 0, 0, 0, 1, 1};
  const auto tree = build_quadtree(engine, points<double>(positions));
  const auto sums = aggregate_nodes(engine, tree, centre_of_mass<double>{masses.data()});
  // Partial sums: 1e16 + 1 (= 1e16 in double), 1 + 1, 0, 0, -1e16, 0, 0, 0.
  // Four apart: 0, 2, 0, 0. Two and one apart: 2.
  EXPECT_EQ(sums.data()[0].mass, 2.0);
}

}  // namespace
}  // namespace tendril::testing
