#include "tendril/algorithms/gravity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tendril/algorithms/nbody.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/oracle/direct_gravity.hpp"
#include "tree/point_battery.hpp"

namespace tendril::testing {
namespace {

std::vector<double> exact_masses(std::size_t size) {
  std::vector<double> masses;
  for (std::size_t i = 0; i < size; ++i) {
    masses.push_back(0.25 + static_cast<double>((i * 37) % 101) / 64);
  }
  return masses;
}

/// The largest difference of an acceleration from the direct sum, relative to its length.
double worst_error(const points<double>& set, const std::vector<double>& masses,
                   const gravity_options& options, point_id step = 1) {
  host_engine engine({.threads = 2});
  const auto tree = build_quadtree(engine, set, {.leaf_size = 8});
  const auto pulls = compute_gravity(engine, tree, masses.data(), options);
  double worst = 0;
  for (point_id row = 0; row < set.num_points(); row += step) {
    const point<double> exact = oracle::pull_on(set, masses, row, options.softening).acceleration;
    const point<double> found = pulls.data()[row].acceleration;
    const double error = std::hypot(found.x - exact.x, found.y - exact.y);
    worst = std::max(
        worst, error / std::max(std::hypot(exact.x, exact.y), std::numeric_limits<double>::min()));
  }
  return worst;
}

TEST(gravity, theta_zero_is_the_direct_sum) {
  for (const char* text : {"uniform:1500:3", "clusters:1500:4", "plummer:1500:5"}) {
    SCOPED_TRACE(text);
    const auto set = generate_points(text);
    EXPECT_LT(worst_error(set, exact_masses(set.num_points()), {.theta = 0, .softening = 0.01}),
              1e-12);
  }
}

TEST(gravity, error_shrinks_with_theta) {
  const auto set = generate_plummer(20'000, 1);
  const auto masses = exact_masses(set.num_points());
  const double wide = worst_error(set, masses, {.theta = 0.8, .softening = 0.05}, 97);
  const double usual = worst_error(set, masses, {.theta = 0.5, .softening = 0.05}, 97);
  const double narrow = worst_error(set, masses, {.theta = 0.2, .softening = 0.05}, 97);
  EXPECT_LT(usual, 0.05);
  EXPECT_LT(narrow, 0.01);
  EXPECT_LT(narrow, usual);
  EXPECT_LT(usual, wide);
  EXPECT_GT(usual, 1e-9);  // it does approximate
}

// The third powers of their distances have no double.
TEST(gravity, of_very_near_and_very_far_bodies_is_what_it_is) {
  host_engine engine;
  for (const auto& [distance, size] : {std::pair{1e-110, 1e220}, std::pair{1e150, 1e-300}}) {
    const points<double> set(std::vector<point<double>>{{0, 0}, {distance, 0}});
    const auto tree = build_quadtree(engine, set, {.leaf_size = 1});
    const std::vector<double> masses{1, 1};
    const auto found = compute_gravity(engine, tree, masses.data(), {.softening = 0}).to_host();
    EXPECT_NEAR(found[0].acceleration.x / size, 1, 1e-12);
    EXPECT_NEAR(found[1].acceleration.x / size, -1, 1e-12);
  }
}

TEST(gravity, is_finite_on_the_battery) {
  for (const auto& [name, set] : point_battery<double>()) {
    SCOPED_TRACE(name);
    if (name == "largest") {
      continue;  // moments overflow
    }
    host_engine engine;
    const auto tree = build_quadtree(engine, set, {.leaf_size = 4});
    const auto masses = exact_masses(set.num_points());
    const auto pulls = compute_gravity(engine, tree, masses.data(), {.theta = 0.5, .softening = 0});
    for (std::size_t i = 0; i < pulls.size(); ++i) {
      EXPECT_TRUE(std::isfinite(pulls.data()[i].acceleration.x)) << i;
      EXPECT_TRUE(std::isfinite(pulls.data()[i].potential)) << i;
    }
  }
}

// Two bodies of mass 1 at distance 2 circle their centre once in 4 pi sqrt(2)... by Kepler: with
// a = 1 each, acceleration 1/4 = v^2 / 1, so v = 1/2 and the period is 4 pi.
TEST(nbody, two_bodies_come_back_after_a_period) {
  host_engine engine;
  nbody_system<host_engine> system(
      engine,
      {.positions = {{-1, 0}, {1, 0}}, .velocities = {{0, -0.5}, {0, 0.5}}, .masses = {1, 1}});
  const double energy = system.energy().total();
  EXPECT_DOUBLE_EQ(energy, 0.25 - 0.5);
  const int num_steps = 4000;
  const double period = 4 * 3.14159265358979324;
  for (int i = 0; i < num_steps; ++i) {
    system.step(period / num_steps);
  }
  EXPECT_NEAR(system.bodies().positions[1].x, 1, 1e-4);
  EXPECT_NEAR(system.bodies().positions[1].y, 0, 1e-4);
  EXPECT_NEAR(system.energy().total(), energy, 1e-9);
}

TEST(nbody, is_the_same_for_every_number_of_threads) {
  const auto set = generate_plummer(3000, 8);
  body_list bodies;
  bodies.positions.assign(set.positions().begin(), set.positions().end());
  bodies.velocities.assign(set.num_points(), {0, 0});
  bodies.masses.assign(set.num_points(), 1.0 / 3000);
  host_engine one({.threads = 1});
  host_engine four({.threads = 4});
  nbody_system<host_engine> a(one, bodies, {.theta = 0.6, .softening = 0.05});
  nbody_system<host_engine> b(four, bodies, {.theta = 0.6, .softening = 0.05});
  for (int i = 0; i < 5; ++i) {
    a.step(0.01);
    b.step(0.01);
  }
  EXPECT_EQ(std::memcmp(a.bodies().positions.data(), b.bodies().positions.data(),
                        set.num_points() * sizeof(point<double>)),
            0);
  using system = nbody_system<host_engine>;
  EXPECT_THROW(system(one, {.positions = {{0, 0}}, .velocities = {}, .masses = {1}}), usage_error);
  EXPECT_THROW(system(one, {.positions = {{0, 0}}, .velocities = {{0, 0}}, .masses = {-1}}),
               input_error);
  const body_list body{.positions = {{0, 0}}, .velocities = {{0, 0}}, .masses = {1}};
  EXPECT_THROW(system(one, body, {}, {.outside = quadtree_options::outside_points::clip}),
               usage_error);
  EXPECT_THROW(system(one, body, {.theta = std::nan("")}), usage_error);
  EXPECT_THROW(system(one, body, {.softening = -1}), usage_error);
}

}  // namespace
}  // namespace tendril::testing
