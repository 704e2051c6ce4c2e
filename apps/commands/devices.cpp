#include <memory>
#include <string>
#include <utility>

#include "commands/commands.hpp"
#include "support/child.hpp"
#include "support/concurrency.hpp"
#include "support/gpu_list.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"
#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

struct devices_command {
  bool concurrency = false;
  concurrency_options measured;
  common_options common;
  std::string json;
};

void refuse_impossible(const devices_command& given) {
  if (!given.concurrency && (given.measured.device || given.measured.connections)) {
    throw usage_error("--device and --connections apply to --concurrency");
  }
  const auto connections = given.measured.connections.value_or(1);
  if (connections < 1 || connections > most_connections) {
    throw usage_error("--connections: expected 1 to " + std::to_string(most_connections) +
                      ", found " + std::to_string(connections));
  }
}

/// The report of a process that has so many connections; what it may say on the error output, it
/// has said where its status is not 0.
std::pair<exit_status, concurrency_report> measure_apart(const concurrency_options& options,
                                                         const std::string& connections) {
  std::vector<std::string> arguments = {"devices",   "--concurrency", "--connections",
                                        connections, "--json",        "-"};
  if (options.device) {
    arguments.insert(arguments.end(), {"--device", std::to_string(*options.device)});
  }
  const child_result child = run_again(arguments);
  const bool has_report =
      child.status == exit_status::done || child.status == exit_status::check_failed;
  return {child.status, has_report ? concurrency_from_json(child.out) : concurrency_report()};
}

exit_status run_concurrency(const devices_command& given) {
  concurrency_report report;
  if (given.measured.connections) {
    report = measure_concurrency(given.measured);
  } else {
    // The number is fixed when a process first uses the GPU, so each has a process of its own.
    for (const char* connections : {"8", "32"}) {
      auto [status, part] = measure_apart(given.measured, connections);
      if (part.tables.empty()) {
        return status;
      }
      report.device = part.device;
      report.runs = part.runs;
      report.tables.push_back(std::move(part.tables.front()));
    }
  }
  output_files files;
  finish_report(files, {[&] { return to_json(report); }, [&] { return to_text(report); }},
                given.json, given.common.quiet);
  return status_of(report.check(), given.common.quiet);
}

exit_status run(const devices_command& given) {
  refuse_impossible(given);
  check_outputs({given.json});
  if (given.concurrency) {
    return run_concurrency(given);
  }
  const cuda_devices gpus = find_gpus();
  output_files files;
  finish_report(files, {[&] { return to_json(gpus); }, [&] { return to_text(gpus); }}, given.json,
                given.common.quiet);
  return exit_status::done;
}

}  // namespace

action add_devices(CLI::App& app) {
  auto given = std::make_shared<devices_command>();
  add_flag(app, "--concurrency", given->concurrency,
           "Measure how many queries really run at once: 1 to 128 streams of two kernels of 1 ms, "
           "or of a copy and a kernel, submitted stream by stream and breadth-first");
  add_number(app, "--connections", given->measured.connections,
             "Of that: hardware connections of the process, 1 to 32; else 8 and then 32");
  add_number(app, "--device", given->measured.device,
             "Of that: number of the GPU; else the one with most multiprocessors");
  add_json(app, given->json);
  add_common(app, given->common);
  add_footer(
      app,
      "Lists the GPUs that --engine cuda can use, or says in one line why there is none; the\n"
      "exit status is 0 either way. A GPU needs compute capability 9.0; launch control is\n"
      "hardware from 10.0 on.\n"
      "--concurrency sets CUDA_DEVICE_MAX_CONNECTIONS and prints, beside what it measures, what\n"
      "is expected if nothing overlaps (serial) and if everything does (concurrent); for kernels\n"
      "submitted stream by stream also what so many connections allow, since streams that share\n"
      "one wait for each other. The exit status is 4 without a GPU, and 1 where a kernel did not\n"
      "count the clocks that it was asked for.");
  return [given] { return run(*given); };
}

}  // namespace tendril::app
