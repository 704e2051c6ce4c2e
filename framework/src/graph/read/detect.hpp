#pragma once

#include <filesystem>

#include "tendril/graph/read.hpp"

namespace tendril::detail {

/// Tells a file's format by its first bytes or lines, then by its extension (before .gz).
/// @throws input_error if neither is known
[[nodiscard]] file_format detect_format(const std::filesystem::path& path);

}  // namespace tendril::detail
