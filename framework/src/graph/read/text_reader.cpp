#include "graph/read/text_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

std::string line_prefix(const std::filesystem::path& path, std::uint64_t line) {
  return path.string() + ":" + std::to_string(line) + ": ";
}

void text_block::grow(std::size_t capacity) {
  if (capacity <= capacity_) {
    return;
  }
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  std::copy_n(bytes_.get(), capacity_, larger.get());
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

text_reader::text_reader(const std::filesystem::path& path, progress_callback progress)
    : source_(path), progress_(std::move(progress)) {
  fill();
  skip_byte_order_mark();
}

std::optional<std::string_view> text_reader::next_line() {
  if (current_.empty() && !fill()) {
    return std::nullopt;
  }
  const char* const start = current_.begin_;
  const auto* const stop = static_cast<const char*>(
      std::memchr(start, '\n', static_cast<std::size_t>(current_.end_ - start)));
  current_.begin_ = stop + 1;
  ++current_.first_line_;
  --current_.num_lines_;
  std::string_view line(start, static_cast<std::size_t>(stop - start));
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

bool text_reader::next_block(text_block& block) {
  if (current_.empty() && !fill()) {
    return false;
  }
  std::swap(block, current_);
  current_.begin_ = current_.end_ = nullptr;
  return true;
}

bool text_reader::fill() {
  current_.first_line_ = next_line_;
  current_.begin_ = current_.end_ = nullptr;
  current_.num_lines_ = 0;
  if (at_end_ && carry_.empty()) {
    return false;
  }
  // One byte to spare for a '\n' that the last line lacks.
  current_.grow(std::max(block_bytes, carry_.size() + block_bytes / 2) + 1);
  std::copy(carry_.begin(), carry_.end(), current_.bytes_.get());
  std::size_t filled = carry_.size();
  carry_.clear();
  std::size_t whole = 0;  // bytes up to the end of the last whole line
  while (whole == 0 && !at_end_) {
    if (filled + 1 == current_.capacity_) {
      current_.grow(2 * current_.capacity_);
    }
    char* const bytes = current_.bytes_.get();
    const std::size_t room = current_.capacity_ - 1 - filled;
    const std::size_t got = source_.read({bytes + filled, room});
    const auto* const last_end = static_cast<const char*>(memrchr(bytes + filled, '\n', got));
    refuse_binary(filled, got);
    whole = last_end == nullptr ? 0 : static_cast<std::size_t>(last_end + 1 - bytes);
    filled += got;
    at_end_ = got < room;
  }
  char* const bytes = current_.bytes_.get();
  if (at_end_ && filled > whole) {
    bytes[filled++] = '\n';
    whole = filled;
  }
  carry_.assign(bytes + whole, bytes + filled);
  current_.begin_ = bytes;
  current_.end_ = bytes + whole;
  current_.num_lines_ = static_cast<std::uint64_t>(std::count(bytes, bytes + whole, '\n'));
  next_line_ += current_.num_lines_;
  if (progress_) {
    progress_(source_.bytes_read(), source_.file_bytes());
  }
  return whole > 0;
}

void text_reader::refuse_binary(std::size_t from, std::size_t num_bytes) const {
  const char* const bytes = current_.bytes_.get();
  const void* const zero = std::memchr(bytes + from, '\0', num_bytes);
  if (zero != nullptr) {
    const auto lines_before = std::count(bytes, static_cast<const char*>(zero), '\n');
    throw input_error(line_prefix(path(), next_line_ + static_cast<std::uint64_t>(lines_before)) +
                      "expected text, found binary data (a zero byte)");
  }
}

void text_reader::skip_byte_order_mark() {
  const std::string_view start(current_.begin_,
                               static_cast<std::size_t>(current_.end_ - current_.begin_));
  if (start.starts_with(byte_order_mark)) {
    current_.begin_ += byte_order_mark.size();
  }
}

}  // namespace tendril::detail
