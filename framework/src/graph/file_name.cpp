#include "graph/file_name.hpp"

#include <algorithm>

namespace tendril::detail {

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

bool is_gzipped(const std::filesystem::path& path) {
  return lower_case(path.extension().string()) == ".gz";
}

std::string graph_extension(const std::filesystem::path& path) {
  return lower_case((is_gzipped(path) ? path.stem() : path).extension().string());
}

}  // namespace tendril::detail
