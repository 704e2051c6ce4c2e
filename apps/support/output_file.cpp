#include "support/output_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

#include "tendril/core/error.hpp"

namespace fs = std::filesystem;

namespace tendril::app {

namespace {

std::string system_reason() {
  return std::generic_category().message(errno);
}

bool is_standard_output(const fs::path& path) {
  return path == "-";
}

void write_file(const staged_file& place, const std::string& text) {
  std::FILE* const file = fdopen(place.open(), "wb");
  if (file == nullptr) {
    place.refuse(system_reason());
  }
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !is_written) {
    place.refuse(system_reason());
  }
}

/// Where a path leads; devices and pipes may be written twice.
fs::path place_of(const fs::path& path) {
  std::error_code failure;
  if (path.empty() || is_standard_output(path)) {
    return path;
  }
  const fs::file_status found = fs::status(path, failure);
  return fs::exists(found) && !fs::is_regular_file(found)
             ? fs::path()
             : fs::weakly_canonical(fs::absolute(path, failure), failure);
}

void check_writable(const staged_file& place) {
  const fs::path folder = place.path().has_parent_path() ? place.path().parent_path() : ".";
  if (access((place.is_special() ? place.path() : folder).c_str(), W_OK) != 0) {
    place.refuse(system_reason());
  }
}

/// The same for an output. @throws resource_error where it cannot be written
fs::path place_of_output(const fs::path& path) {
  if (path.empty() || is_standard_output(path)) {
    return path;
  }
  const staged_file place(path);
  check_writable(place);
  return place.is_special() ? fs::path() : place_of(place.target());
}

}  // namespace

void output_files::add(const fs::path& path, std::string text) {
  if (is_standard_output(path)) {
    printed_ += text;
    return;
  }
  staged_file& place = files_.emplace_back(path, std::string()).first;
  if (place.is_special()) {
    files_.back().second = std::move(text);
  } else {
    write_file(place, text);
  }
}

void output_files::commit() {
  if (!printed_.empty()) {
    print(printed_);
  }
  for (const auto& [place, text] : files_) {
    if (place.is_special()) {
      write_file(place, text);
    }
  }
  for (auto& [place, text] : files_) {
    place.commit();
  }
  files_.clear();
}

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& inputs) {
  std::vector<fs::path> taken;
  taken.reserve(inputs.size() + outputs.size());
  for (const std::string& input : inputs) {
    taken.push_back(place_of(input));
  }
  for (const std::string& output : outputs) {
    const fs::path place = place_of_output(output);
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
