#pragma once

#include "tendril/algorithms/gravity.hpp"
#include "tendril/cuda/engine.hpp"

namespace tendril::bench {

/// What bodies do to each other, each pair on its own, on the engine's stream.
/// @param positions, masses, pulls  [num_bodies], device memory
void direct_gravity(cuda_engine& engine, const point<double>* positions, const double* masses,
                    point_id num_bodies, double softening, pull* pulls);

}  // namespace tendril::bench
