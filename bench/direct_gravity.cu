#include "direct_gravity.hpp"

namespace tendril::bench {

namespace {

constexpr unsigned tile = 256;

__device__ void add_tile(pull& sum, const point<double>& at, point_id self,
                         const attractor* attractors, point_id first, point_id count,
                         double squared_softening) {
  for (point_id i = 0; i < count; ++i) {
    if (first + i != self) {
      sum.add(at, attractors[i], squared_softening);
    }
  }
}

/// A thread has a body; a block reads the others a tile at a time into shared memory.
__global__ void __launch_bounds__(tile)
    direct_kernel(const point<double>* positions, const double* masses, point_id num_bodies,
                  double squared_softening, pull* pulls) {
  __shared__ attractor attractors[tile];
  const point_id self = blockIdx.x * tile + threadIdx.x;
  const point<double> at = positions[min(self, num_bodies - 1)];
  pull sum;
  for (point_id first = 0; first < num_bodies; first += tile) {
    if (first + threadIdx.x < num_bodies) {
      const point<double> p = positions[first + threadIdx.x];
      attractors[threadIdx.x] = {p.x, p.y, masses[first + threadIdx.x]};
    }
    __syncthreads();
    add_tile(sum, at, self, attractors, first, min(tile, num_bodies - first), squared_softening);
    __syncthreads();
  }
  if (self < num_bodies) {
    pulls[self] = sum;
  }
}

}  // namespace

void direct_gravity(cuda_engine& engine, const point<double>* positions, const double* masses,
                    point_id num_bodies, double softening, pull* pulls) {
  direct_kernel<<<(num_bodies + tile - 1) / tile, tile, 0, engine.stream()>>>(
      positions, masses, num_bodies, softening * softening, pulls);
  TENDRIL_CUDA_CHECK_LAUNCH();
}

}  // namespace tendril::bench
