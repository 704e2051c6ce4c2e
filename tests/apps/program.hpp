#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tendril::test {

/// What a run of the program left.
struct program_result {
  int status = -1;  ///< exit status; 128 + signal where one ended it
  std::string out;
  std::string err;
};

/// The path of a file of datasets/. The environment may move that folder, and the program, to where
/// a build folder was copied: TENDRIL_DATASETS and TENDRIL_PROGRAM.
[[nodiscard]] std::string dataset(const std::string& name);

/// A folder of its own for each test, removed with it, in which the program runs.
class program_folder {
 public:
  program_folder();
  ~program_folder();
  program_folder(const program_folder&) = delete;
  program_folder& operator=(const program_folder&) = delete;

  [[nodiscard]] std::filesystem::path path(const std::string& name) const;
  /// Writes a file into the folder.
  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool exists(const std::string& name) const;
  /// Names of what lies in the folder, sorted.
  [[nodiscard]] std::vector<std::string> list() const;

  /// Runs `tendril ARGUMENTS...` with the folder as its working directory.
  /// @param output  what standard output is appended to; empty: the result
  [[nodiscard]] program_result run(const std::vector<std::string>& arguments,
                                   const std::string& output = {}) const;

 private:
  std::filesystem::path path_;
};

/// Hides the GPUs of this machine from programs as long as it lives.
class hidden_gpus {
 public:
  hidden_gpus();
  ~hidden_gpus();
  hidden_gpus(const hidden_gpus&) = delete;
  hidden_gpus& operator=(const hidden_gpus&) = delete;

 private:
  std::optional<std::string> visible_;  ///< the variable's value before
};

/// Rows of a table of --out without its heading: the fields between tabs.
[[nodiscard]] std::vector<std::vector<std::string>> rows_of(const std::string& table);

/// What `tendril ARGUMENTS... --json -` writes; the run is expected to end well.
[[nodiscard]] nlohmann::json report_of(const program_folder& folder,
                                       std::vector<std::string> arguments);

/// Expects a run to end with that status, to say that text among its errors, and to print nothing.
void expect_failure(const program_folder& folder, const std::vector<std::string>& arguments,
                    int status, const std::string& text);

}  // namespace tendril::test
