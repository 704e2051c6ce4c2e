#include "tendril/cuda/connections.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace tendril {

namespace {

constexpr long most_connections = 32;
constexpr const char* variable = "CUDA_DEVICE_MAX_CONNECTIONS";

/// Whether the driver has been initialised in this process. Asking the runtime would do it.
bool cuda_was_called() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) {
    return false;
  }
  constexpr int not_initialised = 3;  // CUDA_ERROR_NOT_INITIALIZED
  using count_function = int (*)(int*);
  const auto count_devices = reinterpret_cast<count_function>(dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  const bool was_called = count_devices != nullptr && count_devices(&count) != not_initialised;
  dlclose(driver);
  return was_called;
}

cuda_connections connect() {
  cuda_connections made;
  if (const char* const said = std::getenv(variable)) {
    const long number = std::strtol(said, nullptr, 10);
    made.count = number < 1 ? made.count : static_cast<int>(std::min(number, most_connections));
    return made;
  }
  made.is_late = cuda_was_called();
  if (!made.is_late && setenv(variable, std::to_string(most_connections).c_str(), 0) == 0) {
    made.count = static_cast<int>(most_connections);
  }
  return made;
}

}  // namespace

cuda_connections connect_cuda() {
  static const cuda_connections made = connect();
  return made;
}

}  // namespace tendril
