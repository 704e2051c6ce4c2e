#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace tendril::detail {

/// The bytes of a file in order, inflated if it is gzip (by content, several members as one).
/// Text files are read, not mapped: mapped pages would count as resident memory.
class byte_source {
 public:
  /// @throws input_error if there is no such file, it is a directory, or it is empty
  explicit byte_source(const std::filesystem::path& path);
  ~byte_source();
  byte_source(const byte_source&) = delete;
  byte_source& operator=(const byte_source&) = delete;

  /// Fills `out` from the front; fewer bytes than asked only at the end.
  /// @throws input_error for gzip data that are cut short or damaged, and when reading fails
  [[nodiscard]] std::size_t read(std::span<char> out);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] bool gzipped() const noexcept { return gzipped_; }
  /// Bytes taken from the file so far, and bytes in it: compressed bytes for gzip.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return file_bytes_; }

 private:
  [[nodiscard]] std::size_t read_file(std::span<char> out);
  [[nodiscard]] std::size_t inflate_into(std::span<char> out);
  /// Inflates once; false when the file has no more bytes to give.
  bool refill();
  void start_next_member();
  [[noreturn]] void refuse(const char* found) const;

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool gzipped_ = false;
  bool member_open_ = false;
  z_stream zlib_{};
  std::vector<char> compressed_;
};

}  // namespace tendril::detail
