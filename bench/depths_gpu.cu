#include "depths_gpu.hpp"

#include "tendril/cuda/chained.cuh"

namespace tendril::bench {

namespace {

struct hops {
  using kind = first_visit;
  std::int32_t* depth;
  TENDRIL_HD void arrive(vertex_id v, std::int32_t level) const { depth[v] = level; }
};

}  // namespace

traverse_report search_depths(dynamic_cuda_engine& engine, const cuda_graph<>& graph,
                              vertex_id source, std::int32_t* depth) {
  return traverse(engine, graph, {source}, hops{depth});
}

}  // namespace tendril::bench
