#include "graph/read/byte_source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

constexpr std::size_t compressed_block_bytes = std::size_t{256} << 10;
constexpr std::array<char, 2> gzip_magic{'\x1f', '\x8b'};
/// zlib: largest window, gzip framing only.
constexpr int gzip_window_bits = 15 + 16;

void refuse_unreadable(const std::filesystem::path& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  const auto refuse = [&](const char* found) {
    throw input_error(path.string() + ": expected a file to read, found " + found);
  };
  if (status.type() == std::filesystem::file_type::none) {  // a circle of links, a closed folder
    throw input_error(path.string() + ": cannot be opened: " + failure.message());
  }
  if (!std::filesystem::exists(status)) {
    refuse("nothing of that name");
  }
  if (std::filesystem::is_directory(status)) {
    refuse("a directory");
  }
  if (!std::filesystem::is_regular_file(status)) {
    refuse("a pipe or a device");
  }
}

}  // namespace

byte_source::byte_source(const std::filesystem::path& path) : path_(path) {
  refuse_unreadable(path);
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) {
    throw input_error(path.string() +
                      ": cannot be opened: " + std::generic_category().message(errno));
  }
  try {
    file_bytes_ = std::filesystem::file_size(path);
    if (file_bytes_ == 0) {
      refuse("an empty file");
    }
    std::array<char, gzip_magic.size()> first{};
    const bool whole = read_file(first) == first.size();
    gzipped_ = whole && first == gzip_magic;
    bytes_read_ = 0;
    if (::lseek(file_, 0, SEEK_SET) != 0) {
      refuse("a file that cannot be read twice");
    }
    if (gzipped_) {
      compressed_.resize(compressed_block_bytes);
      if (inflateInit2(&zlib_, gzip_window_bits) != Z_OK) {
        throw resource_error(path.string() + ": no memory to inflate");
      }
      member_open_ = true;
    }
  } catch (...) {
    ::close(file_);
    throw;
  }
}

byte_source::~byte_source() {
  if (gzipped_) {
    inflateEnd(&zlib_);
  }
  ::close(file_);
}

std::size_t byte_source::read(std::span<char> out) {
  return gzipped_ ? inflate_into(out) : read_file(out);
}

std::size_t byte_source::read_file(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    const auto got = ::read(file_, out.data() + filled, out.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw input_error(path_.string() +
                        ": reading failed: " + std::generic_category().message(errno));
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
    bytes_read_ += static_cast<std::uint64_t>(got);
  }
  return filled;
}

std::size_t byte_source::inflate_into(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    if (zlib_.avail_in == 0 && !refill()) {
      if (member_open_) {
        refuse("gzip data that are cut short");
      }
      break;
    }
    if (!member_open_) {
      start_next_member();
    }
    // avail_out is 32 bits wide: a larger request is met in several rounds.
    const auto room = static_cast<uInt>(std::min(out.size() - filled, std::size_t{1} << 30));
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    zlib_.avail_out = room;
    const int status = inflate(&zlib_, Z_NO_FLUSH);
    filled += room - zlib_.avail_out;
    if (status == Z_STREAM_END) {
      member_open_ = false;
    } else if (status == Z_MEM_ERROR) {
      throw resource_error(path_.string() + ": no memory to inflate");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      refuse("damaged gzip data");
    }
  }
  return filled;
}

bool byte_source::refill() {
  const std::size_t got = read_file(compressed_);
  zlib_.next_in = reinterpret_cast<Bytef*>(compressed_.data());
  zlib_.avail_in = static_cast<uInt>(got);
  return got > 0;
}

void byte_source::start_next_member() {
  // What follows a member must be another one. inflate refuses anything else as damaged.
  inflateReset(&zlib_);
  member_open_ = true;
}

void byte_source::refuse(const char* found) const {
  throw input_error(path_.string() + ": expected data, found " + found);
}

}  // namespace tendril::detail
