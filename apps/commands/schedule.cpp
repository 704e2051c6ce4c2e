#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "draw/schedule_pictures.hpp"
#include "support/engine.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"
#include "support/report_json.hpp"
#include "tendril/schedule/study.hpp"
#if defined(TENDRIL_HAS_CUDA)
#include "tendril/cuda/engine.hpp"
#include "tendril/schedule/workspace.hpp"
#endif

namespace tendril::app {

namespace {

struct schedule_command {
  schedule::study_options study;
  std::string costs = schedule::tile_costs{}.text();
  engine_choice engine = engine_choice::automatic;
  common_options common;
  std::string json;
  std::string plot;
  std::string trace;
  bool no_urgent = false;
};

/// What ran, and the rows.
struct schedule_report {
  engine_facts engine;
  std::string hardware_form;
  std::vector<schedule::study_row> rows;
};

constexpr const char* no_hardware_form = "hardware launch control: not run (no device)";

#if defined(TENDRIL_HAS_CUDA)
schedule_report run_on_gpu(const schedule::study_options& study) {
  const cuda_engine engine;  // makes the GPU that it chooses the current one
  const bool has_form = schedule::control_form(1) == "hardware";
  return {{"cuda", engine.device().name, ""},
          has_form ? "hardware launch control: run" : no_hardware_form,
          study_on_gpu(study)};
}
#else
schedule_report run_on_gpu(const schedule::study_options&) {
  return {};
}
#endif

schedule_report run_study(const schedule_command& given) {
  engine_facts engine = decide_engine(given.engine);
  if (engine.name == "cuda") {
    return run_on_gpu(given.study);
  }
  announce_fallback(engine, given.common.quiet);
  return {std::move(engine), no_hardware_form, study_on_host(given.study)};
}

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out.precision(digits);
  out << std::fixed << value;
  return out.str();
}

constexpr std::array<const char*, 10> columns = {"schedule", "ms",      "least ms", "prologues",
                                                 "stolen",   "refused", "tail us",  "urgent us",
                                                 "regs",     "check"};

std::string to_text(const schedule_report& report, const schedule_command& given) {
  using row = std::array<std::string, columns.size()>;
  std::vector<row> table(1);
  std::copy(columns.begin(), columns.end(), table[0].begin());
  for (const schedule::study_row& each : report.rows) {
    const schedule::launch_counts& counts = each.record.counts;
    table.push_back({describe(each.way), fixed(each.median_ms, 3), fixed(each.min_ms, 3),
                     std::to_string(counts.prologues), std::to_string(counts.stolen),
                     std::to_string(counts.refusals()), fixed(each.record.mean_tail_ns() / 1e3, 1),
                     each.urgent ? fixed(each.urgent->median_us, 0) : "-",
                     each.registers == 0 ? "-" : std::to_string(each.registers),
                     each.correct ? "ok" : "FAILED"});
  }
  std::array<std::size_t, columns.size()> widths{};
  for (const row& each : table) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], each[i].size());
    }
  }
  std::ostringstream out;
  const schedule::study_load& load = given.study.load;
  out << load.num_tiles << " tiles of " << load.costs.text() << " steps, prologue "
      << load.prologue_steps << " steps, on " << report.engine.device << "; median of "
      << given.study.runs << " runs\n";
  for (const row& each : table) {
    out << each[0] << std::string(widths[0] - each[0].size(), ' ');
    for (std::size_t i = 1; i < widths.size(); ++i) {
      out << "  " << std::string(widths[i] - each[i].size(), ' ') << each[i];
    }
    out << '\n';
  }
  out << report.hardware_form << '\n';
  return out.str();
}

nlohmann::ordered_json to_json(const schedule_report& report, const schedule_command& given) {
  const schedule::study_load& load = given.study.load;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const schedule::study_row& each : report.rows) {
    const schedule::launch_counts& counts = each.record.counts;
    nlohmann::ordered_json row = {{"schedule", describe(each.way)},
                                  {"form", each.record.form},
                                  {"median_ms", each.median_ms},
                                  {"min_ms", each.min_ms},
                                  {"units", counts.units},
                                  {"started", counts.started},
                                  {"prologues", counts.prologues},
                                  {"stolen", counts.stolen},
                                  {"cancelled", counts.cancelled},
                                  {"refused", counts.refused},
                                  {"tail_us", each.record.mean_tail_ns() / 1e3},
                                  {"registers", each.registers},
                                  {"check", each.correct ? "ok" : "failed"}};
    if (each.urgent) {
      row["urgent_wait_us"] = {{"median", each.urgent->median_us}, {"most", each.urgent->most_us}};
    }
    rows.push_back(std::move(row));
  }
  return {{"command", "schedule"},
          {"engine", report.engine.name},
          {"device", report.engine.device},
          {"num_tiles", load.num_tiles},
          {"costs", load.costs.text()},
          {"prologue_steps", load.prologue_steps},
          {"threads_per_block", load.threads},
          {"shared_bytes", load.shared_bytes},
          {"seed", load.seed},
          {"runs", given.study.runs},
          {"hardware_launch_control", report.hardware_form},
          {"rows", std::move(rows)},
          {"version", TENDRIL_VERSION}};
}

std::vector<schedule::launch_record> recorded(const schedule_report& report) {
  std::vector<schedule::launch_record> launches;
  for (const schedule::study_row& each : report.rows) {
    launches.push_back(each.record);
  }
  return launches;
}

exit_status run(schedule_command given) {
  check_outputs({given.json, given.plot, given.trace});
  given.study.load.costs = schedule::tile_costs::parse(given.costs);
  given.study.urgent = !given.no_urgent;
  const auto limit = limit_threads(given.common);
  const schedule_report report = run_study(given);

  output_files files;
  if (!given.plot.empty()) {
    files.add(given.plot, draw::schedule_timeline(recorded(report)));
  }
  if (!given.trace.empty()) {
    files.add(given.trace, draw::schedule_trace(recorded(report)));
  }
  finish_report(
      files,
      {[&] { return json_text(to_json(report, given)); }, [&] { return to_text(report, given); }},
      given.json, given.common.quiet);
  const bool all_correct =
      std::all_of(report.rows.begin(), report.rows.end(),
                  [](const schedule::study_row& each) { return each.correct; });
  return all_correct ? exit_status::done : exit_status::check_failed;
}

void add_load(CLI::App& app, schedule_command& given) {
  schedule::study_load& load = given.study.load;
  constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();
  add_number(app, "--tiles", load.num_tiles, 1U, 1U << 24U, "Tiles of the launch");
  add_text(app, "--costs", given.costs, "COSTS",
           "Steps of a tile: pareto[:ALPHA[:LEAST[:MOST]]], pareto-sorted[...], uniform[:STEPS]");
  add_number(app, "--prologue", load.prologue_steps, 0U, any, "Steps of a block's prologue");
  add_number(app, "--block", load.threads, 1U, 1024U, "Threads of a block, on the GPU");
  add_number(app, "--shared", load.shared_bytes, std::size_t{0}, std::size_t{any},
             "Shared memory of a block in bytes, on the GPU");
  add_number(app, "--seed", load.seed, 0U, any, "Of the random costs");
}

}  // namespace

action add_schedule(CLI::App& app) {
  auto given = std::make_shared<schedule_command>();
  add_load(app, *given);
  add_number(app, "--runs", given->study.runs, 1, 10'000, "Launches timed per schedule");
  add_flag(app, "--no-urgent", given->no_urgent,
           "Leave out how long an urgent kernel waits behind each schedule");
  add_engine(app, given->engine);
  add_json(app, given->json);
  add_text(app, "--plot", given->plot, "FILE", "Draw who ran what when, as SVG");
  add_text(app, "--trace", given->trace, "FILE", "Write who ran what when, for Perfetto");
  add_common(app, given->common);
  add_footer(
      app,
      "A step is one dependent round of a random generator in every thread of the block. Columns:\n"
      "blocks that ran their prologue, tiles (or clusters) run by another block than their own,\n"
      "requests refused, mean idle time of a multiprocessor at the end, wait of an urgent kernel\n"
      "behind tiles eight times as long, registers of a thread.");
  return [given] { return run(*given); };
}

}  // namespace tendril::app
