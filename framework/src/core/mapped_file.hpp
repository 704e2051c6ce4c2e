#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace tendril {

/// A file mapped into memory for reading, for as long as this lives.
class mapped_file {
 public:
  /// @throws input_error if there is no such file or it cannot be mapped
  explicit mapped_file(const std::filesystem::path& path);
  ~mapped_file();
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace tendril
