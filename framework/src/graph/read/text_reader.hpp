#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/read/byte_source.hpp"

namespace tendril::detail {

/// "FILE:LINE: ", with which the text of every error in a line starts.
[[nodiscard]] std::string line_prefix(const std::filesystem::path& path, std::uint64_t line);

/// A piece of a text file made of whole lines, each ended by '\n' (added to the last if missing),
/// in memory of its own that the next read into it reuses.
class text_block {
 public:
  [[nodiscard]] const char* begin() const noexcept { return begin_; }
  [[nodiscard]] const char* end() const noexcept { return end_; }
  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  /// Number of the first line, counted from 1.
  [[nodiscard]] std::uint64_t first_line() const noexcept { return first_line_; }
  [[nodiscard]] std::uint64_t num_lines() const noexcept { return num_lines_; }

 private:
  friend class text_reader;

  void grow(std::size_t capacity);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t first_line_ = 1;
  std::uint64_t num_lines_ = 0;
};

/// Reads a text file line by line (headers) and then block by block (bodies). A line may be of any
/// length. A UTF-8 byte order mark is skipped; a zero byte is refused, the file is no text then.
class text_reader {
 public:
  using progress_callback = std::function<void(std::uint64_t, std::uint64_t)>;

  /// @throws input_error if there is no such file, it is a directory, or it is empty
  explicit text_reader(const std::filesystem::path& path, progress_callback progress = {});

  /// The next line without its end ('\n' or "\r\n"); valid until the next call.
  [[nodiscard]] std::optional<std::string_view> next_line();
  /// Number of the line that next_line() gave last; 0 before the first.
  [[nodiscard]] std::uint64_t line_number() const noexcept { return current_.first_line_ - 1; }

  /// Moves on to the next lines, about a MiB of them; false at the end of the file.
  [[nodiscard]] bool next_block(text_block& block);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return source_.path(); }
  [[nodiscard]] bool gzipped() const noexcept { return source_.gzipped(); }

 private:
  /// Fills current_ from carry_ and the source; false at the end of the file.
  bool fill();
  /// A file that is no text may have no line end for gigabytes: it is refused at once.
  void refuse_binary(std::size_t from, std::size_t num_bytes) const;
  void skip_byte_order_mark();

  byte_source source_;
  progress_callback progress_;
  text_block current_;           // what next_line() has not consumed
  std::vector<char> carry_;      // the start of a line that the last fill cut off
  std::uint64_t next_line_ = 1;  // number of the first line that was not filled yet
  bool at_end_ = false;
};

}  // namespace tendril::detail
