#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tendril/algorithms/gravity.hpp"
#include "tendril/core/error.hpp"
#include "tendril/core/target.hpp"
#include "tendril/tree/points.hpp"
#include "tendril/tree/quadtree.hpp"

// Bodies that move by each other's gravity, in an engine's memory.

namespace tendril {

/// Bodies with masses and velocities; one row each.
struct body_list {
  std::vector<point<double>> positions;   ///< at most 1e100; see compute_gravity()
  std::vector<point<double>> velocities;  ///< per unit of time; at most 1e100
  std::vector<double> masses;             ///< at most 1e100, none negative
};

/// Energies of a system, G = 1.
struct system_energy {
  double kinetic = 0;    ///< sum of m v^2 / 2
  double potential = 0;  ///< by the same approximation as the forces

  [[nodiscard]] double total() const { return kinetic + potential; }  ///< of the system
};

namespace detail {

/// Changes velocities by accelerations.
struct kick_bodies {
  point<double>* velocities;
  const pull* pulls;
  double time;

  TENDRIL_HD void operator()(std::size_t i) const {
    velocities[i].x = std::fma(time, pulls[i].acceleration.x, velocities[i].x);
    velocities[i].y = std::fma(time, pulls[i].acceleration.y, velocities[i].y);
  }
};

/// Changes positions by velocities.
struct move_bodies {
  point<double>* positions;
  const point<double>* velocities;
  double time;

  TENDRIL_HD void operator()(std::size_t i) const {
    positions[i].x = std::fma(time, velocities[i].x, positions[i].x);
    positions[i].y = std::fma(time, velocities[i].y, positions[i].y);
  }
};

}  // namespace detail

/// A system of bodies that moves: kick, drift, kick (leapfrog), a new tree for each step.
/// Deterministic: the same bits on every engine and for every number of threads.
template <class Engine>
class nbody_system {
 public:
  /// Copies the bodies to the engine's memory and computes the first accelerations.
  /// @param engine   borrowed as long as the system lives
  /// @param bodies   host memory
  /// @param gravity  how forces are approximated
  /// @param tree     how each step's tree is built; every body must be in it: no clipping
  /// @throws usage_error if sizes differ, the tree would clip, or as compute_gravity(); input_error
  ///         for the first body that is not finite or has a negative mass
  nbody_system(Engine& engine, const body_list& bodies, const gravity_options& gravity = {},
               const quadtree_options& tree = {.leaf_size = 16})
      : engine_(engine),
        gravity_(gravity),
        tree_options_(tree),
        positions_(copy_to(engine, std::span(checked(bodies, tree).positions))),
        velocities_(copy_to(engine, std::span(bodies.velocities))),
        masses_(copy_to(engine, std::span(bodies.masses))),
        pulls_(pulls_of_positions()) {}

  /// Moves on by a time step; three times O(n) and one tree with its forces.
  /// @throws input_error when a body leaves the range of doubles
  void step(double time_step) {
    kick(time_step / 2);
    run_for_each(engine_, positions_.size(),
                 detail::move_bodies{positions_.data(), velocities_.data(), time_step});
    pulls_ = pulls_of_positions();
    kick(time_step / 2);
  }

  /// Copies, for the time that the last step came to. @cost O(n), and on a GPU a wait
  [[nodiscard]] body_list bodies() const {
    return {positions_.to_host(), velocities_.to_host(), masses_.to_host()};
  }
  /// What each body feels at that time. @cost O(n), and on a GPU a wait
  [[nodiscard]] std::vector<pull> pulls() const { return pulls_.to_host(); }

  /// Summed here, in the order of the bodies. @cost as bodies() and pulls()
  [[nodiscard]] system_energy energy() const {
    const body_list all = bodies();
    const std::vector<pull> felt = pulls();
    system_energy energy;
    for (std::size_t i = 0; i < all.masses.size(); ++i) {
      const point<double>& v = all.velocities[i];
      const double half_mass = all.masses[i] / 2;
      energy.kinetic = std::fma(half_mass, std::fma(v.x, v.x, v.y * v.y), energy.kinetic);
      // Each pair is felt twice.
      energy.potential = std::fma(half_mass, felt[i].potential, energy.potential);
    }
    return energy;
  }

 private:
  template <class T>
  using array = typename Engine::template array_type<T>;

  static const body_list& checked(const body_list& bodies, const quadtree_options& tree) {
    if (tree.outside == quadtree_options::outside_points::clip) {
      throw usage_error("nbody: a body that is clipped would not move: bounds must refuse it");
    }
    const std::size_t size = bodies.positions.size();
    if (bodies.velocities.size() != size || bodies.masses.size() != size) {
      throw usage_error("nbody: expected a velocity and a mass for each of " +
                        std::to_string(size) + " bodies");
    }
    for (std::size_t i = 0; i < size; ++i) {
      const point<double>& v = bodies.velocities[i];
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(bodies.masses[i]) ||
          bodies.masses[i] < 0) {
        throw row_error(i, "expected a finite velocity and a mass of 0 or more, found velocity " +
                               to_string(v) + " and mass " + std::to_string(bodies.masses[i]));
      }
    }
    return bodies;
  }

  [[nodiscard]] array<pull> pulls_of_positions() {
    const auto tree = run_build_quadtree(engine_, positions_, tree_options_);
    return compute_gravity(engine_, tree, masses_.data(), gravity_);
  }

  void kick(double time) {
    run_for_each(engine_, positions_.size(),
                 detail::kick_bodies{velocities_.data(), pulls_.data(), time});
  }

  Engine& engine_;
  gravity_options gravity_;
  quadtree_options tree_options_;
  array<point<double>> positions_;
  array<point<double>> velocities_;
  array<double> masses_;
  array<pull> pulls_;
};

}  // namespace tendril
