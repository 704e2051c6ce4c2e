#include <memory>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "tendril/core/error.hpp"

namespace tendril::app {

action add_generate(CLI::App& app) {
  struct options {
    input_options input;
    store_options store;
    common_options common;
  };
  auto given = std::make_shared<options>();
  add_positional(app, "SPEC", given->input.text, generator_forms);
  add_store(app, given->store, "none; weights are whole numbers from 1 to 256");
  add_common(app, given->common);
  return [given] {
    if (!given->input.is_generator()) {
      throw usage_error("SPEC: expected " + std::string(generator_forms) + ", found " +
                        given->input.text);
    }
    load_and_store(given->input, given->store, given->common);
    return exit_status::done;
  };
}

}  // namespace tendril::app
