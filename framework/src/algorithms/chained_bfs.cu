#include "tendril/algorithms/bfs.hpp"

#include "tendril/cuda/chained.cuh"

// What breadth-first search runs on an engine that launches from the device, compiled once. What
// cuda_engine runs is in bfs.cu.

namespace tendril {

#define TENDRIL_BFS_FOR(VISITOR)                                                             \
  extern template traverse_report cuda_engine::traverse(                                     \
      const cuda_graph<none>&, const source_list&, const VISITOR&, const traverse_options&); \
  template traverse_report dynamic_cuda_engine::traverse(                                    \
      const cuda_graph<none>&, const source_list&, const VISITOR&, const traverse_options&);
TENDRIL_BFS_FOR(depth_and_parent)
TENDRIL_BFS_FOR(depth_and_parent_until)
#undef TENDRIL_BFS_FOR

}  // namespace tendril
