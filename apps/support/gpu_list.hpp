#pragma once

#include <string>

#include "tendril/cuda/device.hpp"

namespace tendril::app {

/// GPUs and what each can do, or the line that says why there is none.
[[nodiscard]] std::string to_text(const cuda_devices& gpus);
/// The same as JSON, with a line end.
[[nodiscard]] std::string to_json(const cuda_devices& gpus);

}  // namespace tendril::app
