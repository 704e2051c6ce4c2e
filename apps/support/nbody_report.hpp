#pragma once

#include <cstddef>
#include <string>

#include "support/report.hpp"
#include "tendril/algorithms/nbody.hpp"

namespace tendril::app {

/// What `nbody` was asked and what it did.
struct nbody_report : run_report {
  std::size_t num_bodies = 0;
  double mass = 0;
  gravity_options gravity;
  double time_step = 0;
  run_times first;  ///< the tree and the forces at the start
  run_times steps;  ///< each step
  system_energy at_start;
  system_energy at_end;

  /// Change of the total energy, relative to what it was.
  [[nodiscard]] double drift() const;
};

[[nodiscard]] std::string to_text(const nbody_report& report);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const nbody_report& report);

}  // namespace tendril::app
