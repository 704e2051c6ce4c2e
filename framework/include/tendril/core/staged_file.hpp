#pragma once

#include <filesystem>
#include <string>

namespace tendril {

/// A file that appears whole or not at all: written beside its place, moved there by commit().
/// Symbolic links are followed; a pipe, a device or a file that the process has open (/dev/stdout)
/// is written as it stands.
class staged_file {
 public:
  /// @throws resource_error where the place is a folder or cannot be looked at
  explicit staged_file(std::filesystem::path place);
  /// Removes what was written and not committed.
  ~staged_file();
  /// The other has nothing left to commit or remove.
  staged_file(staged_file&& other) noexcept;
  staged_file& operator=(staged_file&&) = delete;

  /// Where it is written.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return staged_; }
  /// Where it will be: behind all links.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// A pipe, a device or an open file: path() is the place itself.
  [[nodiscard]] bool is_special() const noexcept { return is_special_; }
  /// Opens it to be written. @return a file descriptor, the caller's to close. @throws
  /// resource_error
  [[nodiscard]] int open() const;
  /// Puts the file, closed by now, in its place. @throws resource_error
  void commit();
  /// @throws resource_error "PLACE: cannot be written: REASON", always
  [[noreturn]] void refuse(const std::string& reason) const;

 private:
  std::filesystem::path place_;   // as it was given
  std::filesystem::path target_;  // behind its links
  std::filesystem::path staged_;  // empty once committed
  int open_file_ = -1;            // that the place is, or -1
  bool is_special_ = false;
};

}  // namespace tendril
