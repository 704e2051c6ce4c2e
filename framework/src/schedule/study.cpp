#include "tendril/schedule/study.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

#include "study_work.hpp"
#include "tendril/core/error.hpp"
#include "tendril/schedule/host.hpp"

namespace tendril::schedule {

namespace {

constexpr std::array<std::string_view, 3> shape_names = {"pareto", "pareto-sorted", "uniform"};

[[noreturn]] void refuse_costs(const std::string& text) {
  throw usage_error("tile costs '" + text +
                    "': expected pareto[:ALPHA[:LEAST[:MOST]]], pareto-sorted[...] or "
                    "uniform[:STEPS]");
}

template <class T>
void read_number(std::istringstream& from, T& to, const std::string& whole) {
  std::string field;
  if (!std::getline(from, field, ':')) {
    return;
  }
  std::istringstream number(field);
  if (field.empty() || field[0] == '-' || !(number >> to) || !number.eof()) {
    refuse_costs(whole);
  }
}

bool all_ran_once(const std::vector<std::uint32_t>& times_run) {
  return std::all_of(times_run.begin(), times_run.end(),
                     [](std::uint32_t times) { return times == 1; });
}

}  // namespace

std::vector<std::uint32_t> tile_costs::draw(std::uint32_t num_tiles, std::uint32_t seed) const {
  std::vector<std::uint32_t> costs(num_tiles, least);
  if (kind == shape::uniform) {
    return costs;
  }
  std::mt19937 random(seed);
  for (std::uint32_t& cost : costs) {
    const double uniform = static_cast<double>(random()) * 0x1p-32;
    const double drawn = least * std::pow(1 - uniform, -1 / alpha);
    cost = static_cast<std::uint32_t>(std::min<double>(most, drawn));
  }
  if (kind == shape::pareto_sorted) {
    std::sort(costs.begin(), costs.end());
  }
  return costs;
}

std::string tile_costs::text() const {
  std::ostringstream out;
  out << shape_names[static_cast<std::size_t>(kind)];
  if (kind != shape::uniform) {
    out << ':' << alpha;
  }
  out << ':' << least;
  if (kind != shape::uniform) {
    out << ':' << most;
  }
  return out.str();
}

tile_costs tile_costs::parse(const std::string& text) {
  std::istringstream fields(text);
  std::string name;
  std::getline(fields, name, ':');
  const auto found = std::find(shape_names.begin(), shape_names.end(), name);
  if (found == shape_names.end()) {
    refuse_costs(text);
  }
  tile_costs costs;
  costs.kind = static_cast<shape>(found - shape_names.begin());
  if (costs.kind != shape::uniform) {
    read_number(fields, costs.alpha, text);
  }
  read_number(fields, costs.least, text);
  if (costs.kind == shape::uniform) {
    costs.most = costs.least;
  } else {
    read_number(fields, costs.most, text);
  }
  std::string rest;
  if (std::getline(fields, rest) || !(costs.alpha > 0) || costs.most < costs.least) {
    refuse_costs(text);
  }
  return costs;
}

std::vector<any_way> basic_ways() {
  return {per_block{}, fixed_grid{}, ticket{}, canceled_blocks{}, launch_control{}};
}

std::vector<any_way> gpu_ways(bool clusters) {
  std::vector<any_way> ways = basic_ways();
  ways.push_back(launch_control{.how = {false, 1}});
  ways.push_back(launch_control{.how = {true, 2}});
  ways.push_back(launch_control{.how = {true, 3}});
  ways.push_back(launch_control{.order = steal_order::next_in_line});
  if (clusters) {
    ways.push_back(launch_control{.cluster = 2});
  }
  ways.push_back(launch_control{.yields = true});
  ways.push_back(launch_control{.how = {false, 1}, .yields = true});
  return ways;
}

bool adds_up(const launch_counts& counts) noexcept {
  return counts.started + counts.stolen == counts.units && counts.cancelled == counts.stolen &&
         counts.asked_after_refusal == 0;
}

std::vector<study_row> study_on_host(const study_options& options) {
  const study_load& load = options.load;
  const std::vector<std::uint32_t> costs = load.costs.draw(load.num_tiles, load.seed);
  std::vector<std::uint32_t> results(load.num_tiles);
  std::vector<std::uint32_t> times_run(load.num_tiles);
  const detail::spin_prologue prologue{load.prologue_steps};
  const detail::spin_body body{costs.data(), results.data(), times_run.data(), 1, 1};

  std::vector<study_row> rows;
  for (const any_way& way : options.ways.empty() ? basic_ways() : options.ways) {
    study_row row{.way = way};
    std::vector<double> ms;
    for (int run = 0; run < options.runs; ++run) {
      const auto start = std::chrono::steady_clock::now();
      launch(way, {load.num_tiles}, prologue, body, host_tasks{});
      ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count());
    }
    std::sort(ms.begin(), ms.end());
    row.median_ms = ms.empty() ? 0 : ms[ms.size() / 2];
    row.min_ms = ms.empty() ? 0 : ms.front();
    std::fill(times_run.begin(), times_run.end(), 0u);
    row.record = record(way, {load.num_tiles}, prologue, body, host_tasks{});
    row.correct = all_ran_once(times_run) && adds_up(row.record.counts);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tendril::schedule
