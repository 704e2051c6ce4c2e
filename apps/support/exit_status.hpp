#pragma once

#include <exception>
#include <ostream>

namespace tendril::app {

/// What the program returns to the shell.
enum class exit_status : int {
  done = 0,
  check_failed = 1,
  usage = 2,
  bad_input = 3,
  no_resource = 4  ///< GPU, memory, disk
};

/// The one place that maps exceptions to exit statuses: writes `tendril: TEXT` to `out`.
[[nodiscard]] exit_status report_failure(const std::exception_ptr& failure, std::ostream& out);

}  // namespace tendril::app
