#include "support/output_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <system_error>

#include "tendril/core/error.hpp"

namespace fs = std::filesystem;

namespace tendril::app {

namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw resource_error(path.string() + ": cannot be written: " + reason);
}

std::string system_reason() {
  return std::generic_category().message(errno);
}

bool is_standard_output(const fs::path& path) {
  return path == "-";
}

// A rename would replace the device or pipe itself.
bool is_special(const fs::path& path) {
  return fs::exists(path) && !fs::is_regular_file(path);
}

void write_file(const fs::path& path, const std::string& text, const fs::path& told) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) {
    refuse(told, system_reason());
  }
}

}  // namespace

output_files::~output_files() {
  for (const staged_file& file : staged_) {
    std::error_code ignored;
    fs::remove(file.temporary, ignored);
  }
}

void output_files::add(const fs::path& path, std::string text) {
  if (is_standard_output(path) || is_special(path)) {
    direct_.emplace_back(path, std::move(text));
    return;
  }
  const fs::path place = fs::is_symlink(path) ? fs::weakly_canonical(path) : path;
  fs::path temporary = place;
  temporary += ".tmp" + std::to_string(getpid());
  staged_.push_back({temporary, place});
  write_file(temporary, text, path);
}

void output_files::commit() {
  for (const auto& [path, text] : direct_) {
    if (is_standard_output(path)) {
      print(text);
    } else {
      write_file(path, text, path);
    }
  }
  for (const staged_file& file : staged_) {
    std::error_code failure;
    fs::rename(file.temporary, file.path, failure);
    if (failure) {
      refuse(file.path, failure.message());
    }
  }
  staged_.clear();
  direct_.clear();
}

namespace {

// Where a path leads; devices and pipes may be written twice.
fs::path place_of(const fs::path& path) {
  std::error_code failure;
  if (path.empty() || is_standard_output(path)) {
    return path;
  }
  return is_special(path) ? fs::path() : fs::weakly_canonical(fs::absolute(path), failure);
}

void check_writable(const fs::path& path) {
  if (path.empty() || is_standard_output(path)) {
    return;
  }
  if (fs::is_directory(path)) {
    refuse(path, "it is a folder");
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const fs::path needed = is_special(path) ? path : folder;
  if (access(needed.c_str(), W_OK) != 0) {
    refuse(path, system_reason());
  }
}

}  // namespace

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::vector<fs::path> taken;
  taken.reserve(inputs.size() + outputs.size());
  for (const std::string& input : inputs) {
    taken.push_back(place_of(input));
  }
  for (const std::string& output : outputs) {
    check_writable(output);
    const fs::path place = place_of(output);
    const auto same = std::find(taken.begin(), taken.end(), place);
    if (!place.empty() && same != taken.end()) {
      const bool is_input = static_cast<std::size_t>(same - taken.begin()) < inputs.size();
      throw usage_error(output + ": expected a place of its own for each output, found that of " +
                        (is_input ? "an input" : "another output"));
    }
    taken.push_back(place);
  }
}

void print(const std::string& text) {
  std::cout << text << std::flush;
  if (!std::cout) {
    throw resource_error("cannot write to standard output");
  }
}

void finish_report(output_files& files, const report_texts& report, const std::string& json_path,
                   bool quiet) {
  if (!json_path.empty()) {
    files.add(json_path, report.json());
  }
  if (!quiet && json_path != "-") {
    print(report.text());
  }
  files.commit();
}

}  // namespace tendril::app
