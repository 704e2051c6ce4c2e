#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "support/gpu_list.hpp"
#include "support/options.hpp"
#include "support/output_file.hpp"

namespace tendril::app {

action add_devices(CLI::App& app) {
  struct options {
    common_options common;
    std::string json;
  };
  auto given = std::make_shared<options>();
  add_json(app, given->json);
  add_common(app, given->common);
  add_footer(app,
             "Lists the GPUs that --engine cuda can use, or says in one line why there is none; "
             "the exit\n"
             "status is 0 either way. A GPU needs compute capability 9.0; launch control is "
             "hardware from\n"
             "10.0 on.");
  return [given] {
    check_writable(given->json);
    const cuda_devices gpus = find_gpus();
    output_files files;
    finish_report(files, {[&] { return to_json(gpus); }, [&] { return to_text(gpus); }},
                  given->json, given->common.quiet);
    return exit_status::done;
  };
}

}  // namespace tendril::app
