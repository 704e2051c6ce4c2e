#include "tendril/core/staged_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "tendril/core/error.hpp"

namespace tendril {

namespace fs = std::filesystem;

namespace {

/// The number of a path in the system's list of the files that this process has open, or -1.
int number_of_open_file(const fs::path& path) {
  std::error_code failure;
  const fs::path folder = path.parent_path();
  if (folder.empty() || fs::canonical(folder, failure) != fs::canonical("/proc/self/fd", failure) ||
      failure) {
    return -1;
  }
  const std::string name = path.filename();
  int number = -1;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return number;
}

/// What a path names once its links are followed, also where the last leads to nothing yet; but not
/// out of the list of open files (/dev/stdout leads there).
fs::path behind_links(fs::path path) {
  std::error_code failure;
  while (number_of_open_file(path) < 0 && fs::is_symlink(fs::symlink_status(path, failure))) {
    path = path.parent_path() / fs::read_symlink(path, failure);
  }
  return path;
}

/// A name beside `target` that is short enough for any file system.
fs::path beside(const fs::path& target) {
  constexpr std::size_t most_bytes = 100;
  std::string name = target.filename();
  if (name.size() > most_bytes) {  // the hash: another output may begin alike
    name = name.substr(0, most_bytes - 20) + std::to_string(std::hash<std::string>()(name));
  }
  return fs::path(target).replace_filename(name + ".partial-" + std::to_string(getpid()));
}

}  // namespace

staged_file::staged_file(fs::path place) : place_(std::move(place)) {
  std::error_code failure;
  const fs::file_status found = fs::status(place_, failure);
  if (found.type() == fs::file_type::none) {  // links in a circle, a folder that is closed to us
    refuse(failure.message());
  }
  if (fs::is_directory(found)) {
    refuse("it is a folder");
  }
  target_ = behind_links(place_);
  open_file_ = number_of_open_file(target_);
  is_special_ = open_file_ >= 0 || (fs::exists(found) && !fs::is_regular_file(found));
  staged_ = is_special_ ? target_ : beside(target_);
}

staged_file::staged_file(staged_file&& other) noexcept
    : place_(std::move(other.place_)),
      target_(std::move(other.target_)),
      staged_(std::exchange(other.staged_, {})),
      open_file_(other.open_file_),
      is_special_(other.is_special_) {}

staged_file::~staged_file() {
  if (!staged_.empty() && !is_special_) {
    std::error_code ignored;
    fs::remove(staged_, ignored);
  }
}

int staged_file::open() const {
  // Of a file that is open already, the same opening: it may be a log that is written on.
  const int file = open_file_ >= 0
                       ? fcntl(open_file_, F_DUPFD_CLOEXEC, 0)
                       : ::open(staged_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    refuse(std::generic_category().message(errno));
  }
  return file;
}

void staged_file::commit() {
  if (!is_special_) {
    std::error_code failure;
    if (const fs::file_status before = fs::status(target_, failure); fs::exists(before)) {
      fs::permissions(staged_, before.permissions(), failure);
    }
    fs::rename(staged_, target_, failure);
    if (failure) {
      refuse(failure.message());
    }
  }
  staged_.clear();
}

void staged_file::refuse(const std::string& reason) const {
  throw resource_error(place_.string() + ": cannot be written: " + reason);
}

}  // namespace tendril
