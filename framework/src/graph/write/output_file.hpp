#pragma once

#include <zlib.h>

#include <filesystem>
#include <span>
#include <string_view>

#include "tendril/core/staged_file.hpp"

namespace tendril::write {

/// The bytes of a staged_file, gzipped if its name ends in .gz.
class output_file {
 public:
  /// @throws resource_error when it cannot be made
  explicit output_file(const std::filesystem::path& path);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// @throws resource_error when the disk refuses
  void write(std::string_view bytes);
  template <class T>
  void write_array(std::span<const T> values) {
    write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  /// Closes the file and puts it in its place. Nothing appears without this.
  void finish();

 private:
  staged_file place_;
  gzFile file_;
};

}  // namespace tendril::write
