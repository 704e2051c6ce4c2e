#include <memory>

#include "commands/commands.hpp"
#include "support/options.hpp"
#include "tendril/core/error.hpp"

namespace tendril::app {

action add_generate(CLI::App& app) {
  auto given = std::make_shared<store_options>();
  add_positional(app, "SPEC", given->input.text, generator_forms);
  add_store(app, *given, "none; weights are whole numbers from 1 to 256");
  add_common(app, given->common);
  return [given] {
    if (!given->input.is_generator()) {
      throw usage_error("SPEC: expected " + std::string(generator_forms) + ", found " +
                        given->input.text);
    }
    load_and_store(*given);
    return exit_status::done;
  };
}

}  // namespace tendril::app
