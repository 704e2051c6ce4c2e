#pragma once

#include <string>
#include <vector>

#include "support/exit_status.hpp"

namespace tendril::app {

/// What a run of this program came to.
struct child_result {
  exit_status status = exit_status::done;
  std::string out;  ///< its standard output; its error output is this program's
};

/// Runs this program once more, as a process of its own, and waits for it.
/// @throws resource_error when it cannot be started, or does not end by itself
[[nodiscard]] child_result run_again(const std::vector<std::string>& arguments);

}  // namespace tendril::app
