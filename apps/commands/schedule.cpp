#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "draw/schedule_pictures.hpp"
#include "support/engine.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"
#include "support/schedule_report.hpp"
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

constexpr const char* no_hardware_form = "hardware launch control: not run (no device)";

#if defined(TENDRIL_HAS_CUDA)
schedule_report run_on_gpu(const schedule::study_options& study) {
  const cuda_engine engine;  // makes the GPU that it chooses the current one
  const bool has_form = schedule::control_form(1) == "hardware";
  return {study,
          {"cuda", engine.device().name, ""},
          0,
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
  return {given.study, std::move(engine), limited_threads(), no_hardware_form,
          study_on_host(given.study)};
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
  finish_report(files, {[&] { return to_json(report); }, [&] { return to_text(report); }},
                given.json, given.common.quiet);
  return status_of(report.check(), given.common.quiet);
}

void add_load(CLI::App& app, schedule_command& given) {
  schedule::study_load& load = given.study.load;
  constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();
  add_number(app, "--tiles", load.num_tiles, 1U, 1U << 24U, "Tiles of the launch");
  add_text(
      app, "--costs", given.costs, "COSTS",
      "Steps of a tile: pareto[:ALPHA[:LEAST[:MOST]]], pareto-sorted[...], uniform[:STEPS]; else " +
          given.costs);
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
