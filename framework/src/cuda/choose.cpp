#include "tendril/cuda/detail/choose.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

#include "cuda/calibrate.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

void check_driver(cuda_driver driver, const std::optional<schedule::any_way>& schedule) {
  if (!schedule) {
    return;
  }
  if (driver == cuda_driver::resident) {
    throw usage_error("schedule " + std::string(name_of(*schedule)) +
                      " beside the resident driver: all blocks of a resident grid have started, so "
                      "there is nothing to schedule");
  }
  static_cast<void>(schedule::tell(*schedule));
}

namespace cuda {

namespace {

/// A driver that could run, with what a level costs it.
struct candidate {
  cuda_driver driver;
  level_probe probe;
};

/// Measured once per device and driver.
double level_cost_us(int device, const candidate& asked) {
  static std::mutex guard;
  static std::map<std::pair<int, cuda_driver>, double> known;
  const std::lock_guard lock(guard);
  const auto key = std::make_pair(device, asked.driver);
  auto found = known.find(key);
  if (found == known.end()) {
    found = known.emplace(key, asked.probe(device)).first;
  }
  return found->second;
}

/// "13.2"
std::string one_digit(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// The candidate that gets to the next level soonest, and the measurements as the reason.
driver_choice cheapest_of(int device, const std::vector<candidate>& candidates) {
  driver_choice choice;
  double least = 0;
  for (const candidate& each : candidates) {
    const double us = level_cost_us(device, each);
    choice.reason += (choice.reason.empty() ? "to the next level: " : ", ") +
                     std::string(to_string(each.driver)) + ' ' + one_digit(us) + " us";
    if (choice.used == cuda_driver::automatic || us < least) {
      choice.used = each.driver;
      least = us;
    }
  }
  return choice;
}

/// The driver picked for `automatic`.
driver_choice pick(const engine_context& context, bool can_chain) {
  std::vector<candidate> candidates;
  if (context.device().cooperative && !context.has_wanted_schedule()) {
    candidates.push_back({cuda_driver::resident, microseconds_per_barrier});
  }
  candidates.push_back({cuda_driver::stepped, microseconds_per_step});
  if (can_chain) {
    candidates.push_back({cuda_driver::chained, context.chain_probe()});
  }
  if (candidates.size() > 1) {
    return cheapest_of(context.device().id, candidates);
  }
  return {cuda_driver::stepped,
          context.has_wanted_schedule() ? "the resident driver takes no schedule"
                                        : context.device().name + " has no cooperative launch",
          {},
          {}};
}

driver_choice chosen(const engine_context& context, const traverse_options& options,
                     bool can_chain) {
  const cuda_driver wanted = context.driver();
  if (wanted == cuda_driver::stepped) {
    return {wanted, {}, {}, {}};
  }
  if (options.each_level) {
    return {cuda_driver::stepped, "each_level is called on the host", {}, {}};
  }
  if (wanted == cuda_driver::resident && !context.device().cooperative) {
    return {cuda_driver::stepped, context.device().name + " has no cooperative launch", {}, {}};
  }
  if (wanted == cuda_driver::chained && !can_chain) {
    return {cuda_driver::stepped, "kernels cannot launch here", {}, {}};
  }
  return wanted == cuda_driver::automatic ? pick(context, can_chain)
                                          : driver_choice{wanted, {}, {}, {}};
}

}  // namespace

driver_choice choose_driver(const engine_context& context, const traverse_options& options,
                            bool engine_chains) {
  context.use();
  driver_choice choice = chosen(context, options, engine_chains && context.device().child_grids);
  if (choice.used == cuda_driver::resident) {
    return choice;
  }
  const schedule::told_way& told = context.schedule_for(choice.used);
  choice.schedule = name_of(told.way);
  if (told.way == schedule::supply_way::launch_control) {
    const bool in_software = choice.used == cuda_driver::chained || !told.policy.hardware;
    choice.form = in_software ? "software" : schedule::control_form(1);
  }
  return choice;
}

}  // namespace cuda

}  // namespace tendril
