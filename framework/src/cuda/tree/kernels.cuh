#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cuda/tree/steps.hpp"
#include "tendril/cuda/check.hpp"

// What the kernels that build trees share.

namespace tendril::cuda {

/// One load of 8 or 16 bytes. @pre `from` is aligned to the size of a point
template <coordinate Real>
[[nodiscard]] __device__ point<Real> load_point(const point<Real>* from) {
  using pair = std::conditional_t<std::is_same_v<Real, float>, float2, double2>;
  const pair p = *reinterpret_cast<const pair*>(from);
  return {p.x, p.y};
}

template <coordinate Real>
__device__ void store_point(point<Real>* to, const point<Real>& p) {
  using pair = std::conditional_t<std::is_same_v<Real, float>, float2, double2>;
  *reinterpret_cast<pair*>(to) = {p.x, p.y};
}

/// The box over all lanes' boxes.
template <coordinate Real>
[[nodiscard]] __device__ box<Real> warp_box(box<Real> b) {
  constexpr unsigned all_lanes = 0xFFFFFFFF;
  for (int apart = 16; apart != 0; apart /= 2) {
    extend(b, box<Real>{{__shfl_xor_sync(all_lanes, b.low.x, apart),
                         __shfl_xor_sync(all_lanes, b.low.y, apart)},
                        {__shfl_xor_sync(all_lanes, b.high.x, apart),
                         __shfl_xor_sync(all_lanes, b.high.y, apart)}});
  }
  return b;
}

/// Launches a kernel that may start as soon as all blocks of the kernel before it on the stream
/// have said so (cudaTriggerProgrammaticLaunchCompletion) or ended. Each of its threads calls
/// cudaGridDependencySynchronize before it uses what that kernel writes.
template <class... Parameters>
void launch_early(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                  std::size_t shared_bytes, cudaStream_t stream, const Parameters&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t shape{};
  shape.gridDim = dim3(blocks);
  shape.blockDim = dim3(threads);
  shape.dynamicSmemBytes = shared_bytes;
  shape.stream = stream;
  shape.attrs = &early;
  shape.numAttrs = 1;
  TENDRIL_CUDA_CHECK(cudaLaunchKernelEx(&shape, kernel, arguments...));
}

/// Level of the smallest cell that holds both keys.
template <class Key>
[[nodiscard]] __device__ int common_level(Key a, Key b, int max_depth) {
  const Key differ = a ^ b;
  if (differ == 0) {
    return max_depth;
  }
  const int highest = sizeof(Key) == 4 ? 31 - __clz(static_cast<int>(differ))
                                       : 63 - __clzll(static_cast<long long>(differ));
  return max_depth - 1 - highest / 2;
}

}  // namespace tendril::cuda
