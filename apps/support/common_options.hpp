#pragma once

#include <tbb/global_control.h>

namespace tendril::app {

/// What every command takes.
struct common_options {
  int threads = 0;  ///< 0: all that the process may use
  bool quiet = false;
};

/// Keeps reading, generating and analysing to --threads as long as the result lives.
[[nodiscard]] tbb::global_control limit_threads(const common_options& common);
/// Threads that what the caller runs in parallel has then.
[[nodiscard]] int limited_threads();

}  // namespace tendril::app
