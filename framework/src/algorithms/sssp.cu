#include "tendril/algorithms/sssp.hpp"

#include "algorithms/instantiate.cuh"

TENDRIL_RUNS(std::int32_t, cheapest<std::int32_t>)
TENDRIL_RUNS(std::int32_t, shortest_path_tree<std::int32_t>)
TENDRIL_RUNS(float, cheapest<float>)
TENDRIL_RUNS(float, shortest_path_tree<float>)
TENDRIL_RUNS(double, cheapest<double>)
TENDRIL_RUNS(double, shortest_path_tree<double>)
