#include "tendril/algorithms/bfs.hpp"

#include "algorithms/instantiate.cuh"

TENDRIL_RUNS(none, depth_and_parent)
TENDRIL_RUNS(none, depth_and_parent_until)
