#include "tendril/schedule/ways.hpp"

#include <array>

#include "tendril/core/error.hpp"

namespace tendril::schedule {

namespace {

constexpr std::array<std::string_view, std::variant_size_v<any_way>> names = {
    "per-block", "fixed-grid", "ticket", "launch-control", "canceled-blocks"};

void check_policy(const launch_control& way) {
  if (way.how.in_flight < 1 || way.how.in_flight > max_in_flight) {
    throw usage_error("launch control keeps 1 to " + std::to_string(max_in_flight) +
                      " requests in flight, not " + std::to_string(way.how.in_flight));
  }
  if (way.cluster != 1 && way.cluster != 2 && way.cluster != 4 && way.cluster != 8) {
    throw usage_error("a cluster has 1, 2, 4 or 8 blocks, not " + std::to_string(way.cluster));
  }
  if (way.refused_of_65536 > 65536) {
    throw usage_error("at most 65536 of 65536 requests can be refused, not " +
                      std::to_string(way.refused_of_65536));
  }
}

}  // namespace

std::string_view name_of(const any_way& way) noexcept {
  return names[way.index()];
}

std::string describe(const any_way& way) {
  std::string text(name_of(way));
  const auto* control = std::get_if<launch_control>(&way);
  if (control == nullptr) {
    return text;
  }
  text += control->how.early ? ", early" : ", late";
  if (control->how.in_flight != 1) {
    text += ", " + std::to_string(control->how.in_flight) + " in flight";
  }
  if (control->order == steal_order::next_in_line) {
    text += ", next in line";
  }
  if (control->cluster != 1) {
    text += ", cluster of " + std::to_string(control->cluster);
  }
  if (control->yields) {
    text += ", yields";
  }
  if (control->refused_of_65536 != 0) {
    text += ", " + std::to_string(control->refused_of_65536) + "/65536 refused";
  }
  if (!control->hardware) {
    text += ", software";
  }
  return text;
}

any_way parse_way(std::string_view name) {
  static const std::array<any_way, names.size()> ways = {per_block{}, fixed_grid{}, ticket{},
                                                         launch_control{}, canceled_blocks{}};
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) {
      return ways[i];
    }
    known += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  throw usage_error("no schedule is called '" + std::string(name) + "': expected one of " + known);
}

std::string_view name_of(supply_way way) noexcept {
  return names[static_cast<std::size_t>(way)];  // the two lists of ways begin alike
}

told_way tell(const any_way& way) {
  const auto* control = std::get_if<launch_control>(&way);
  if (std::holds_alternative<canceled_blocks>(way) ||
      (control != nullptr && control->cluster != 1)) {
    throw usage_error(
        "schedule " + describe(way) +
        ": expected per-block, fixed-grid, ticket, or launch-control of single blocks");
  }
  if (control != nullptr) {
    check_policy(*control);
  }
  return {static_cast<supply_way>(way.index()), control != nullptr ? *control : launch_control{}};
}

void check_launch(const any_way& way, const tile_grid& tiles) {
  if (const auto* control = std::get_if<launch_control>(&way)) {
    check_policy(*control);
  }
  if (tiles.size() > max_tiles) {
    throw resource_error("a launch has at most " + std::to_string(max_tiles) + " tiles, not " +
                         std::to_string(tiles.size()));
  }
}

}  // namespace tendril::schedule
