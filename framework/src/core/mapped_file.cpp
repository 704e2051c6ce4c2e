#include "core/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "tendril/core/error.hpp"

namespace tendril {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int code) {
  throw input_error(path.string() + ": expected a file that can be read, found: " +
                    std::generic_category().message(code));
}

}  // namespace

mapped_file::mapped_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    refuse(path, errno);
  }
  struct stat status {};
  void* memory = nullptr;
  int code = fstat(file, &status) == 0 ? 0 : errno;
  if (code == 0 && !S_ISREG(status.st_mode)) {
    code = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  }
  if (code == 0 && status.st_size > 0) {
    memory =
        mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    code = memory == MAP_FAILED ? errno : 0;
  }
  close(file);
  if (code != 0) {
    refuse(path, code);
  }
  bytes_ = {static_cast<const std::byte*>(memory), static_cast<std::size_t>(status.st_size)};
}

mapped_file::~mapped_file() {
  if (!bytes_.empty()) {
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
}

}  // namespace tendril
