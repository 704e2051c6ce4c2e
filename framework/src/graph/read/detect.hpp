#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "tendril/graph/read.hpp"

namespace tendril::detail {

/// The format that a line names with its first words, as a banner or a problem line; it may name
/// none.
[[nodiscard]] std::optional<file_format> format_named_by(std::string_view line);

/// Tells a file's format by its first bytes or lines, then by its extension (before .gz).
/// @throws input_error if neither is known
[[nodiscard]] file_format detect_format(const std::filesystem::path& path);

}  // namespace tendril::detail
