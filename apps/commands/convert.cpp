#include <memory>

#include "commands/commands.hpp"
#include "support/options.hpp"

namespace tendril::app {

action add_convert(CLI::App& app) {
  auto given = std::make_shared<store_options>();
  add_input(app, given->input);
  add_store(app, *given,
            "none where the file has none, int32 where all are whole and fit, else double");
  add_flag(app, "--drop-loops", given->input.drop_loops, "Leave out edges from a vertex to itself");
  add_flag(app, "--merge-duplicates", given->input.merge_duplicates,
           "Keep one of the edges with the same ends: the one with the smallest weight");
  add_common(app, given->common);
  return [given] {
    load_and_store(*given);
    return exit_status::done;
  };
}

}  // namespace tendril::app
