#include "graph/write/output_file.hpp"

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "graph/file_name.hpp"

namespace tendril::write {

namespace {

[[noreturn]] void refuse_by_system(const staged_file& place) {
  place.refuse(std::generic_category().message(errno));
}

}  // namespace

output_file::output_file(const std::filesystem::path& path)
    : place_(path),
      // T: zlib hands the bytes on as they are.
      file_(gzdopen(place_.open(), detail::is_gzipped(path) ? "wb" : "wbT")) {
  if (file_ == nullptr) {
    throw std::bad_alloc();
  }
  constexpr unsigned buffer_bytes = 1U << 18U;
  gzbuffer(file_, buffer_bytes);
}

output_file::~output_file() {
  if (file_ != nullptr) {
    gzclose(file_);
  }
}

void output_file::write(std::string_view bytes) {
  constexpr std::size_t most = std::size_t{1} << 30U;  // zlib counts in unsigned int
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, most);
    if (gzwrite(file_, part.data(), static_cast<unsigned>(part.size())) == 0) {
      refuse_by_system(place_);
    }
    bytes.remove_prefix(part.size());
  }
}

void output_file::finish() {
  if (gzclose(std::exchange(file_, nullptr)) != Z_OK) {
    refuse_by_system(place_);
  }
  place_.commit();
}

}  // namespace tendril::write
