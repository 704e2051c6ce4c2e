#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// What the name of a file says of its format. Letters count the same in either case.

namespace tendril::detail {

/// ASCII letters in lower case; other bytes as they are.
[[nodiscard]] std::string lower_case(std::string_view word);

/// The name ends in .gz.
[[nodiscard]] bool is_gzipped(const std::filesystem::path& path);

/// The extension before .gz, in lower case: ".mtx" of ROAD.MTX.gz.
[[nodiscard]] std::string graph_extension(const std::filesystem::path& path);

}  // namespace tendril::detail
