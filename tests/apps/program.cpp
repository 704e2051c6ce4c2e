#include "apps/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace tendril::test {

namespace {

/// A path that the build knows, unless the environment knows better.
std::string path_from(const char* variable, const char* built) {
  const char* given = std::getenv(variable);
  return fs::absolute(given != nullptr ? given : built);
}

constexpr const char* visible_gpus = "CUDA_VISIBLE_DEVICES";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// In the child, between fork and exec: system calls only.
/// @param out_flag  O_TRUNC or O_APPEND
[[noreturn]] void become_program(const char* folder, const char* out, int out_flag, const char* err,
                                 char* const* arguments) {
  const auto redirect = [](const char* path, int flag, int to) {
    const int file = open(path, O_WRONLY | O_CREAT | flag, 0600);
    return file >= 0 && dup2(file, to) >= 0;
  };
  if (chdir(folder) == 0 && redirect(out, out_flag, STDOUT_FILENO) &&
      redirect(err, O_TRUNC, STDERR_FILENO)) {
    execv(arguments[0], arguments);
  }
  _exit(127);
}

}  // namespace

std::string dataset(const std::string& name) {
  return path_from("TENDRIL_DATASETS", TENDRIL_DATASETS) + '/' + name;
}

program_folder::program_folder() {
  std::string name = (fs::temp_directory_path() / "tendril-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("no temporary folder");
  }
  path_ = name;
  fs::create_directory(path_ / "work");
}

program_folder::~program_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path program_folder::path(const std::string& name) const {
  return path_ / "work" / name;
}

void program_folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

std::string program_folder::read(const std::string& name) const {
  return contents(path(name));
}

bool program_folder::exists(const std::string& name) const {
  return fs::exists(path(name));
}

std::vector<std::string> program_folder::list() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_ / "work")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

program_result program_folder::run(const std::vector<std::string>& arguments,
                                   const std::string& output) const {
  std::vector<std::string> words = {path_from("TENDRIL_PROGRAM", TENDRIL_PROGRAM)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  const std::string folder = path_ / "work";
  const std::string out = output.empty() ? (path_ / "out").string() : output;
  const std::string err = path_ / "err";

  const pid_t child = fork();
  if (child == 0) {
    become_program(folder.c_str(), out.c_str(), output.empty() ? O_TRUNC : O_APPEND, err.c_str(),
                   pointers.data());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    throw std::runtime_error("the program could not be run");
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          output.empty() ? contents(out) : "", contents(err)};
}

hidden_gpus::hidden_gpus() {
  if (const char* visible = std::getenv(visible_gpus)) {
    visible_ = visible;
  }
  setenv(visible_gpus, "", 1);
}

hidden_gpus::~hidden_gpus() {
  if (visible_) {
    setenv(visible_gpus, visible_->c_str(), 1);
  } else {
    unsetenv(visible_gpus);
  }
}

std::vector<std::vector<std::string>> rows_of(const std::string& table) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, '\t');) {
      rows.back().push_back(field);
    }
  }
  return rows;
}

nlohmann::json report_of(const program_folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  const program_result result = folder.run(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

void expect_failure(const program_folder& folder, const std::vector<std::string>& arguments,
                    int status, const std::string& text) {
  const program_result result = folder.run(arguments);
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace tendril::test
