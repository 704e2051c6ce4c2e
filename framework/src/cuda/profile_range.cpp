#include "tendril/cuda/detail/profile_range.hpp"

#include <nvtx3/nvToolsExt.h>

namespace tendril::cuda {

profile_range::profile_range(const char* name) noexcept {
  nvtxRangePushA(name);
}

profile_range::~profile_range() {
  nvtxRangePop();
}

}  // namespace tendril::cuda
