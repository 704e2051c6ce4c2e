#include "tendril/algorithms/sssp.hpp"

#include "tendril/cuda/chained.cuh"

// What shortest distances run on an engine that launches from the device, as in chained_bfs.cu.

namespace tendril {

#define TENDRIL_SSSP_FOR(W, VISITOR)                                                         \
  extern template traverse_report cuda_engine::traverse(                                     \
      const cuda_graph<W>&, const source_list&, const VISITOR<W>&, const traverse_options&); \
  template traverse_report dynamic_cuda_engine::traverse(                                    \
      const cuda_graph<W>&, const source_list&, const VISITOR<W>&, const traverse_options&);
TENDRIL_SSSP_FOR(std::int32_t, cheapest)
TENDRIL_SSSP_FOR(std::int32_t, shortest_path_tree)
TENDRIL_SSSP_FOR(float, cheapest)
TENDRIL_SSSP_FOR(float, shortest_path_tree)
TENDRIL_SSSP_FOR(double, cheapest)
TENDRIL_SSSP_FOR(double, shortest_path_tree)
#undef TENDRIL_SSSP_FOR

}  // namespace tendril
