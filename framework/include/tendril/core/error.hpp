#pragma once

#include <stdexcept>
#include <string>

// What the library throws at the host boundary. The program maps each to its exit status.

namespace tendril {

/// Base of every exception that tendril throws on purpose.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The call cannot mean anything: an impossible pair of options, arrays whose sizes disagree.
/// Exit status 2.
class usage_error : public error {
 public:
  using error::error;
};

/// The data are not what they should be: a file (the text is `FILE:LINE: expected ..., found ...`),
/// a source outside the graph, a weight that an algorithm cannot take. Exit status 3.
class input_error : public error {
 public:
  using error::error;
};

/// A GPU, memory or another resource is not there; the text has the numbers. Exit status 4.
class resource_error : public error {
 public:
  using error::error;
};

/// A CUDA call failed; the text is `FILE:LINE: CALL: NAME (code): description`. Exit status 4.
class cuda_error : public error {
 public:
  /// @param code  the cudaError_t value
  /// @param what  the message, as above
  cuda_error(int code, const std::string& what) : error(what), code_(code) {}
  /// The cudaError_t value.
  [[nodiscard]] int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace tendril
