#include "tendril/algorithms/components.hpp"

#include "commands/commands.hpp"
#include "support/label_command.hpp"
#include "tendril/oracle/boost_answers.hpp"

namespace tendril::app {

action add_components(CLI::App& app) {
  return add_labels(app,
                    {.name = "components",
                     .one = "component",
                     .about = "Components of a directed graph are the weakly connected ones.\n",
                     .compare = oracle::compare_components},
                    [](auto& engine, const auto& graph) { return components(engine, graph); });
}

}  // namespace tendril::app
