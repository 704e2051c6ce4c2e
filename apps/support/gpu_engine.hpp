#pragma once

#include <optional>
#include <string>

#include "support/engine.hpp"
#include "tendril/cuda/dynamic_engine.hpp"

// What only a program with the GPU engine has.

namespace tendril::app {

/// A GPU engine, or why there is none.
struct opened_gpu {
  std::optional<dynamic_cuda_engine> engine;
  std::string reason;
};

/// Starts an engine on the GPU that --device names, or on the best one. Never throws because there
/// is none, or because it fails to start.
[[nodiscard]] opened_gpu open_gpu(const engine_options& options);

}  // namespace tendril::app
