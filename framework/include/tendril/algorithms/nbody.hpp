#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/core/error.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/tree/build.hpp"
#include "tendril/tree/points.hpp"

namespace tendril {

/// Bodies with masses and velocities; one row each.
struct body_list {
  std::vector<point<double>> positions;
  std::vector<point<double>> velocities;
  std::vector<double> masses;
};

struct system_energy {
  double kinetic = 0;
  double potential = 0;  ///< by the same approximation as the forces

  [[nodiscard]] double total() const { return kinetic + potential; }
};

/// A system of bodies that moves: kick, drift, kick (leapfrog), a new tree for each step.
/// Deterministic: the same steps for every number of threads.
class nbody_system {
 public:
  /// Computes the first accelerations.
  /// @throws usage_error if sizes differ; input_error for the first body that is not finite or has
  ///         a negative mass
  nbody_system(host_engine& engine, body_list bodies, const gravity_options& gravity = {},
               const quadtree_options& tree = {.leaf_size = 16})
      : engine_(engine), bodies_(std::move(bodies)), gravity_(gravity), tree_options_(tree) {
    check();
    update_pulls();
  }

  /// Moves on by a time step; three times O(n) and one tree with its forces.
  /// @throws input_error when a body leaves the range of doubles
  void step(double time_step) {
    kick(time_step / 2);
    for (std::size_t i = 0; i < bodies_.positions.size(); ++i) {
      point<double>& p = bodies_.positions[i];
      p.x = std::fma(time_step, bodies_.velocities[i].x, p.x);
      p.y = std::fma(time_step, bodies_.velocities[i].y, p.y);
    }
    update_pulls();
    kick(time_step / 2);
  }

  [[nodiscard]] const body_list& bodies() const noexcept { return bodies_; }
  /// [bodies], for the positions as they are.
  [[nodiscard]] const std::vector<pull>& pulls() const noexcept { return pulls_; }

  [[nodiscard]] system_energy energy() const {
    system_energy energy;
    for (std::size_t i = 0; i < bodies_.masses.size(); ++i) {
      const point<double>& v = bodies_.velocities[i];
      const double half_mass = bodies_.masses[i] / 2;
      energy.kinetic = std::fma(half_mass, std::fma(v.x, v.x, v.y * v.y), energy.kinetic);
      // Each pair is felt twice.
      energy.potential = std::fma(half_mass, pulls_[i].potential, energy.potential);
    }
    return energy;
  }

 private:
  void check() const {
    const std::size_t size = bodies_.positions.size();
    if (bodies_.velocities.size() != size || bodies_.masses.size() != size) {
      throw usage_error("nbody: expected a velocity and a mass for each of " +
                        std::to_string(size) + " bodies");
    }
    for (std::size_t i = 0; i < size; ++i) {
      const point<double>& v = bodies_.velocities[i];
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(bodies_.masses[i]) ||
          bodies_.masses[i] < 0) {
        throw input_error("row " + std::to_string(i) +
                          ": expected a finite velocity and a mass of 0 or more, found velocity " +
                          to_string(v) + " and mass " + std::to_string(bodies_.masses[i]));
      }
    }
  }

  void update_pulls() {
    const auto tree = build_quadtree(engine_, points<double>(bodies_.positions), tree_options_);
    pulls_ = compute_gravity(engine_, tree, bodies_.masses.data(), gravity_).to_host();
  }

  void kick(double time) {
    for (std::size_t i = 0; i < bodies_.velocities.size(); ++i) {
      point<double>& v = bodies_.velocities[i];
      v.x = std::fma(time, pulls_[i].acceleration.x, v.x);
      v.y = std::fma(time, pulls_[i].acceleration.y, v.y);
    }
  }

  host_engine& engine_;
  body_list bodies_;
  gravity_options gravity_;
  quadtree_options tree_options_;
  std::vector<pull> pulls_;
};

}  // namespace tendril
