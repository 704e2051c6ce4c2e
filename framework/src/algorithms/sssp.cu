#include "tendril/algorithms/sssp.hpp"

#include "tendril/cuda/traverse.cuh"

// What shortest distances run on a GPU, compiled once, as in bfs.cu.

namespace tendril {

#define TENDRIL_SSSP_FOR(W)                                                                    \
  template traverse_report cuda_engine::traverse(const cuda_graph<W>&, const source_list&,     \
                                                 const cheapest<W>&, const traverse_options&); \
  template traverse_report cuda_engine::traverse(const cuda_graph<W>&, const source_list&,     \
                                                 const shortest_path_tree<W>&,                 \
                                                 const traverse_options&);
TENDRIL_SSSP_FOR(std::int32_t)
TENDRIL_SSSP_FOR(float)
TENDRIL_SSSP_FOR(double)
#undef TENDRIL_SSSP_FOR

}  // namespace tendril
