#include "tendril/cuda/connections.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

using tendril::connect_cuda;
using tendril::cuda_connections;

constexpr const char* variable = "CUDA_DEVICE_MAX_CONNECTIONS";

/// Ends the process: 0 as expected, 1 not.
[[noreturn]] void leave(bool is_right) {
  std::_Exit(is_right ? 0 : 1);
}

// Each in a process of its own: CUDA is asked once.
class connections : public testing::Test {
 protected:
  connections() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(connections, are_as_many_as_there_can_be_where_nobody_said) {
  EXPECT_EXIT(
      {
        unsetenv(variable);
        const cuda_connections made = connect_cuda();
        leave(made.count == 32 && !made.is_late && std::string(std::getenv(variable)) == "32");
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(connections, are_what_the_user_said) {
  EXPECT_EXIT(
      {
        setenv(variable, "16", 1);
        const bool is_kept = connect_cuda().count == 16;
        const char* const now = std::getenv(variable);
        leave(is_kept && now != nullptr && std::string(now) == "16");
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(connections, are_eight_where_cuda_was_called_first) {
  constexpr int no_gpu = 4;
  const auto right_or_no_gpu = [](int status) {
    return testing::ExitedWithCode(0)(status) || testing::ExitedWithCode(no_gpu)(status);
  };
  EXPECT_EXIT(
      {
        unsetenv(variable);
        if (cudaFree(nullptr) != cudaSuccess) {
          std::_Exit(no_gpu);
        }
        const cuda_connections made = connect_cuda();
        leave(made.count == 8 && made.is_late && std::getenv(variable) == nullptr);
      },
      right_or_no_gpu, "");
}

}  // namespace
