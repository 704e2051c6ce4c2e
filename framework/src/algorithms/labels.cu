#include "tendril/algorithms/components.hpp"

#include "algorithms/instantiate.cuh"

TENDRIL_RUNS(none, join_ends)
