#include "tendril/algorithms/components.hpp"
#include "tendril/algorithms/voronoi.hpp"

#include "algorithms/instantiate.cuh"

TENDRIL_RUNS(none, join_ends)
TENDRIL_RUNS(none, nearest_source)
