#include "tendril/algorithms/bfs.hpp"

#include "tendril/cuda/traverse.cuh"

// What breadth-first search runs on a GPU, compiled once: plain C++ calls tendril::bfs with a
// cuda_engine and needs no nvcc.

namespace tendril {

template traverse_report cuda_engine::traverse(const cuda_graph<none>&, const source_list&,
                                               const depth_and_parent&, const traverse_options&);
template traverse_report cuda_engine::traverse(const cuda_graph<none>&, const source_list&,
                                               const depth_and_parent_until&,
                                               const traverse_options&);

}  // namespace tendril
