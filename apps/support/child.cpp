#include "support/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

constexpr const char* this_program = "/proc/self/exe";

[[noreturn]] void fail_to_run(int error) {
  throw resource_error(std::string("this program cannot run itself again: ") +
                       std::strerror(error));
}

/// A pipe whose ends are closed with it.
class pipe_ends {
 public:
  pipe_ends() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      fail_to_run(errno);
    }
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  ~pipe_ends() {
    close(ends_[0]);
    close_in();
  }

  [[nodiscard]] int in() const noexcept { return ends_[1]; }
  void close_in() noexcept {
    if (ends_[1] >= 0) {
      close(ends_[1]);
      ends_[1] = -1;
    }
  }
  /// Until the other side is closed.
  [[nodiscard]] std::string read_all() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = read(ends_[0], buffer.data(), buffer.size());
      if (count > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        return text;
      }
    }
  }

 private:
  std::array<int, 2> ends_{};
};

pid_t start(const std::vector<std::string>& arguments, int out) {
  std::vector<std::string> words = {"tendril"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, this_program, &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    fail_to_run(error);
  }
  return child;
}

}  // namespace

child_result run_again(const std::vector<std::string>& arguments) {
  pipe_ends pipe;
  const pid_t child = start(arguments, pipe.in());
  pipe.close_in();
  child_result result;
  result.out = pipe.read_all();
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      fail_to_run(errno);
    }
  }
  if (!WIFEXITED(status)) {
    throw resource_error("this program, run again, was ended by signal " +
                         std::to_string(WTERMSIG(status)));
  }
  result.status = static_cast<exit_status>(WEXITSTATUS(status));
  return result;
}

}  // namespace tendril::app
