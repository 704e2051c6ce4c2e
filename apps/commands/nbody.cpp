#include "tendril/algorithms/nbody.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "support/nbody_report.hpp"
#include "support/options.hpp"
#include "support/text.hpp"
#include "support/with_engine.hpp"
#include "tendril/host/tree.hpp"
#include "tendril/oracle/direct_gravity.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "tendril/cuda/tree.hpp"
#endif

namespace tendril::app {

namespace {

constexpr double largest = 1e100;  // products of three of them have a double

struct nbody_command : point_options {
  gravity_options gravity;
  std::uint32_t leaf_size = 16;
  int steps = 0;
  double time_step = 0.01;
};

/// Bodies at rest with a total mass of 1, or what the columns of the file say.
body_list load_bodies(const nbody_command& given) {
  body_list bodies;
  if (given.input.is_generator()) {
    const auto set = load_points(given.input, given.common);
    bodies.positions.assign(set.positions().begin(), set.positions().end());
    bodies.velocities.assign(bodies.positions.size(), {0, 0});
    bodies.masses.assign(bodies.positions.size(),
                         1 / static_cast<double>(std::max<std::size_t>(set.num_points(), 1)));
    return bodies;
  }
  const std::size_t num_columns = given.input.columns.size();
  if (num_columns != 3 && num_columns != 5) {
    throw usage_error("--columns: expected X,Y,MASS or X,Y,MASS,VX,VY, found " +
                      counted(num_columns, "column", "columns"));
  }
  const auto columns = load_columns(given.input, given.common).columns;
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    bodies.positions.push_back({columns[0][i], columns[1][i]});
    bodies.velocities.push_back(columns.size() == 5 ? point<double>{columns[3][i], columns[4][i]}
                                                    : point<double>{0, 0});
    bodies.masses.push_back(columns[2][i]);
  }
  return bodies;
}

/// Refuses a body that is too far off, too fast or too heavy to compute with.
void require_moderate(const body_list& bodies) {
  for (std::size_t row = 0; row < bodies.positions.size(); ++row) {
    const point<double>& p = bodies.positions[row];
    const point<double>& v = bodies.velocities[row];
    const double mass = bodies.masses[row];
    if (std::max({std::abs(p.x), std::abs(p.y), std::abs(v.x), std::abs(v.y), mass}) > largest) {
      throw row_error(row, "expected a place, a velocity and a mass of at most " + number(largest) +
                               ", found " + to_string(p) + ", " + to_string(v) + " and " +
                               number(mass));
    }
  }
}

/// Refuses bodies so near each other that no double holds what they feel.
void require_finite(const std::vector<pull>& pulls) {
  for (std::size_t row = 0; row < pulls.size(); ++row) {
    const auto& [acceleration, potential] = pulls[row];
    if (!std::isfinite(acceleration.x) || !std::isfinite(acceleration.y) ||
        !std::isfinite(potential)) {
      throw row_error(
          row, "expected an acceleration that a double holds, found " + to_string(acceleration));
    }
  }
}

/// Compares some accelerations with the direct sum: an error is that of each pull, also where the
/// pulls cancel.
check_outcome check(const body_list& bodies, const std::vector<pull>& pulls,
                    const gravity_options& gravity) {
  constexpr point_id most_bodies = 1000;
  const points<double> set(bodies.positions);
  const point_id step = set.num_points() / most_bodies + 1;
  const double allowed = std::max(1e-12, 0.1 * gravity.theta * gravity.theta);
  double error = 0;
  double size = 0;
  for (point_id row = 0; row < set.num_points(); row += step) {
    const auto exact = oracle::pull_on(set, bodies.masses, row, gravity.softening);
    const point<double> found = pulls[row].acceleration;
    error += std::hypot(found.x - exact.acceleration.x, found.y - exact.acceleration.y);
    size += exact.sum_of_sizes;
  }
  const double relative = size > 0 ? error / size : error;
  return {relative <= allowed, "accelerations differ from the direct sum by " + number(relative) +
                                   " of the pulls' sizes, " + number(allowed) + " is allowed"};
}

std::string rows_text(const body_list& bodies, const std::vector<pull>& pulls) {
  std::string text = "# x\ty\tmass\tvx\tvy\tax\tay\n";
  for (std::size_t i = 0; i < bodies.positions.size(); ++i) {
    for (const double value :
         {bodies.positions[i].x, bodies.positions[i].y, bodies.masses[i], bodies.velocities[i].x,
          bodies.velocities[i].y, pulls[i].acceleration.x}) {
      text += number(value) + '\t';
    }
    text += number(pulls[i].acceleration.y) + '\n';
  }
  return text;
}

#if defined(TENDRIL_HAS_CUDA)
/// So that a step's time holds what it enqueued.
void wait_for(cuda_engine& engine) {
  engine.context().synchronize();
}
#endif
void wait_for(host_engine& /*engine*/) {}

template <class Engine>
exit_status run_with(Engine& engine, const engine_facts& facts, const nbody_command& given) {
  nbody_report report;
  report.gravity = given.gravity;
  report.time_step = given.time_step;
  const body_list bodies = naming_lines(given.input, [&] {
    body_list loaded = load_bodies(given);
    require_moderate(loaded);
    return loaded;
  });
  report.num_bodies = bodies.positions.size();
  begin_report(report, "nbody", given, facts, threads_of(engine));
  for (const double mass : bodies.masses) {
    report.mass += mass;
  }
  const auto system = repeat(1, report.first, [&] {
    auto made = naming_lines(given.input, [&] {
      return std::make_unique<nbody_system<Engine>>(engine, bodies, given.gravity,
                                                    quadtree_options{.leaf_size = given.leaf_size});
    });
    wait_for(engine);
    return made;
  });
  naming_lines(given.input, [&] { require_finite(system->pulls()); });
  report.at_start = system->energy();
  if (given.check) {
    report.check = check(bodies, system->pulls(), given.gravity);
  }
  try {
    for (int i = 0; i < given.steps; ++i) {
      repeat(1, report.steps, [&] {
        system->step(given.time_step);
        wait_for(engine);
        return true;
      });
    }
    require_moderate(system->bodies());
    require_finite(system->pulls());
  } catch (const row_error& refused) {
    throw input_error(given.input.text + ": after " +
                      counted(report.steps.ms.size(), "step", "steps") + ": " + refused.what());
  }
  report.at_end = system->energy();
  return finish_run(given, report, [&] { return rows_text(system->bodies(), system->pulls()); });
}

exit_status run(nbody_command given) {
  if (!given.input.is_generator() && given.input.columns.empty()) {
    given.input.columns = {"1", "2", "3"};
  }
  return run_with_engine(given, {given.input.text}, [&](auto& engine, const engine_facts& facts) {
    return run_with(engine, facts, given);
  });
}

}  // namespace

action add_nbody(CLI::App& app) {
  auto given = std::make_shared<nbody_command>();
  add_points(app, given->input, "--columns",
             "X,Y,MASS or X,Y,MASS,VX,VY, by name or counted from 1; else the first three. Bodies "
             "of a generator weigh 1 together and are at rest");
  add_number(app, "--theta", given->gravity.theta, 0.0, 2.0,
             "Take a node as one body where its side is less than this times its distance; 0 is "
             "the direct sum");
  add_number(app, "--softening", given->gravity.softening, 0.0, largest,
             "Added to distances, in quadrature");
  add_number(app, "--leaf-size", given->leaf_size, 1U, no_point - 1,
             "Bodies in a leaf of the tree");
  add_number(app, "--steps", given->steps, 0, 1'000'000'000, "Move on by so many leapfrog steps");
  add_number(app, "--dt", given->time_step, -largest, largest, "Time of a step");
  require(app, "--dt", "--steps");
  add_engine_and_device(app, given->engine);
  add_outputs(app, *given,
              {.check = "Compare accelerations at the start with the direct sum (of at most 1000 "
                        "bodies); exit 1 where they differ by more than theta^2 / 10 of the pulls' "
                        "sizes, or 1e-12 for theta 0",
               .out = "Write a line for each body: place, mass, velocity and acceleration at the "
                      "end"});
  add_footer(
      app,
      "G = 1: a body feels m d / (|d|^2 + S^2)^1.5 from each other body at d. Bodies at one place\n"
      "do not pull each other. Either engine computes the same bits; a GPU's time of the first "
      "forces\n"
      "holds the copy of the bodies to it.\n"
      "Exit status: 0 done, 1 check failed, 2 usage, 3 bad input, 4 no such GPU, memory or disk.");
  return [given] { return run(*given); };
}

}  // namespace tendril::app
