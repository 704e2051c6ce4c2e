#include "graph/write/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "graph/file_name.hpp"
#include "tendril/core/error.hpp"

namespace tendril::write {

output_file::output_file(const std::filesystem::path& path)
    : path_(path),
      partial_(path.string() + ".partial-" + std::to_string(getpid())),
      // T: zlib hands the bytes on as they are.
      file_(gzopen(partial_.c_str(), detail::is_gzipped(path) ? "wb" : "wbT")) {
  if (file_ == nullptr) {
    refuse(errno);
  }
  constexpr unsigned buffer_bytes = 1U << 18U;
  gzbuffer(file_, buffer_bytes);
}

output_file::~output_file() {
  if (file_ != nullptr) {
    gzclose(file_);
    std::error_code ignored;
    std::filesystem::remove(partial_, ignored);
  }
}

void output_file::write(std::string_view bytes) {
  constexpr std::size_t most = std::size_t{1} << 30U;  // zlib counts in unsigned int
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, most);
    if (gzwrite(file_, part.data(), static_cast<unsigned>(part.size())) == 0) {
      refuse(errno);
    }
    bytes.remove_prefix(part.size());
  }
}

void output_file::finish() {
  const int closed = gzclose(file_);
  const int failure = errno;
  file_ = nullptr;
  std::error_code error;
  if (closed == Z_OK) {
    std::filesystem::rename(partial_, path_, error);
  }
  if (closed != Z_OK || error) {
    const int code = error ? error.value() : failure;
    std::filesystem::remove(partial_, error);
    refuse(code);
  }
}

void output_file::refuse(int code) const {
  throw resource_error(path_.string() +
                       ": cannot be written: " + std::generic_category().message(code));
}

}  // namespace tendril::write
