#pragma once

#include "tendril/cuda/detail/context.hpp"
#include "tendril/traverse/options.hpp"

namespace tendril::cuda {

/// What moves a traversal from level to level, and why: what was asked for where that is possible.
/// @param engine_chains  the engine launches from the device where the device can
/// @sync  may measure once per device: waits for small kernels
[[nodiscard]] driver_choice choose_driver(const engine_context& context,
                                          const traverse_options& options, bool engine_chains);

}  // namespace tendril::cuda
