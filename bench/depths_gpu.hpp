#pragma once

#include "tendril/cuda/dynamic_engine.hpp"

namespace tendril::bench {

/// Breadth-first depths alone, by the visitor of the library's introduction.
traverse_report search_depths(dynamic_cuda_engine& engine, const cuda_graph<>& graph,
                              vertex_id source, std::int32_t* depth);

}  // namespace tendril::bench
