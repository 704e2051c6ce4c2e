#pragma once

#include <functional>
#include <span>

#include "support/exit_status.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace tendril::app {

/// What a command does once its options are parsed.
using action = std::function<exit_status()>;

/// One row of the table in main.cpp.
struct command {
  const char* name;
  const char* description;
  /// Adds the command's options; the action owns them.
  action (*add)(CLI::App& app);
};

/// Runs the command that the command line names, or says on the error output why it cannot.
[[nodiscard]] exit_status run_program(std::span<const command> commands, int argc, char** argv);

}  // namespace tendril::app
