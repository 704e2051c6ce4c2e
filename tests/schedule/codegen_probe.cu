// Compiled by codegen_check.cmake for one architecture after the other, never linked.
#include "tendril/schedule/device/kernels.cuh"

namespace {

struct count_tile {
  unsigned* counts;
  __device__ void operator()(tendril::schedule::tile t, int step) const {
    atomicAdd(&counts[t.index], static_cast<unsigned>(step));
  }
};
struct one {
  __device__ int operator()() const { return 1; }
};

}  // namespace

namespace tendril::schedule::device {

template __global__ void launch_control_kernel<block_unit, fixed_asking<true, 1>>(
    tile_grid, const __grid_constant__ control_arguments, no_recorder, one, count_tile);
template __global__ void launch_control_kernel<cluster_unit, asking>(
    tile_grid, const __grid_constant__ control_arguments, no_recorder, one, count_tile);

}  // namespace tendril::schedule::device
