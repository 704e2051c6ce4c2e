#pragma once

namespace tendril::cuda {

/// A range of the calling thread that profilers show (NVTX); next to nothing where none looks on.
class profile_range {
 public:
  /// @param name  stays valid
  explicit profile_range(const char* name) noexcept;
  profile_range(const profile_range&) = delete;
  profile_range& operator=(const profile_range&) = delete;
  ~profile_range();
};

}  // namespace tendril::cuda
