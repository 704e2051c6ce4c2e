#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tendril/core/staged_file.hpp"

namespace tendril::app {

/// Files that a command writes at its end: all of them are staged first, then committed.
class output_files {
 public:
  /// Writes `text` beside `path`; "-" and what is not a regular file (/dev/null, a pipe) are
  /// written by commit() instead.
  /// @throws resource_error when the disk refuses
  void add(const std::filesystem::path& path, std::string text);

  /// Puts all files in their places.
  void commit();

 private:
  /// With the text of a pipe or a device.
  std::vector<std::pair<staged_file, std::string>> files_;
  std::string printed_;
};

/// Refuses, before any work is done, outputs in folders that do not exist or cannot be written, two
/// outputs in one place, and an output in the place of an input; an empty path is none.
/// @throws resource_error; usage_error for the same place twice
void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs = {});

/// Writes to standard output. @throws resource_error when that is not possible
void print(const std::string& text);

/// What a command found, for programs and for people; made only where it is wanted.
struct report_texts {
  std::function<std::string()> json;
  std::function<std::string()> text;
};

/// Ends a command: the JSON goes to its path, if there is one; the text to standard output, unless
/// that is to be quiet or holds the JSON; then all files are put in their places.
void finish_report(output_files& files, const report_texts& report, const std::string& json_path,
                   bool quiet);

}  // namespace tendril::app
